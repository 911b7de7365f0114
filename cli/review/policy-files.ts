import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { policyPath } from "../../harvester/policy-files.js";
import { referencesOf, resolveReference } from "../../harvester/xml/references.js";
import { readSource } from "../../harvester/xml/source-tree.js";
import { policyFilePaths } from "./pick-files.js";
import { digestOf, remember, type Reuse } from "./reuse.js";
import type { Side } from "./side.js";

/** Files of rules/ and schemas/ and what manifests name beyond them, by path from the policy root. */
export interface PolicyFiles {
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 in hex. */
  readonly digests: ReadonlyMap<string, string>;
  /** Entry as a manifest names it → itself and all it reads; missing files are left out. */
  readonly closures: ReadonlyMap<string, readonly string[]>;
}

export interface PolicyWish {
  readonly side: Side;
  readonly root: string;
  /** As manifests name them. */
  readonly entries: readonly string[];
  readonly reuse: Reuse;
}

/** One byte more than a run reads (harvester/policy-files.ts), so that a larger one is told as too large. */
const MAX_BYTES = 16 * 1024 * 1024 + 1;
/** As many as a run follows. */
const MAX_CLOSURE = 2000;

/** Throws Fault `config` when a file cannot be read. */
export async function readPolicy(wish: PolicyWish): Promise<PolicyFiles> {
  const shelf = new Shelf(wish);
  await shelf.load(policyFilePaths(wish.side, wish.root).map((path) => posix.relative(wish.root, path)));
  const closures = new Map<string, readonly string[]>();
  for (const entry of new Set(wish.entries)) closures.set(entry, await closureOf(entry, shelf));
  return { contents: shelf.contents, digests: shelf.digests, closures };
}

/** Puts the files into a folder, as a run would find them. */
export async function layOut({ contents }: PolicyFiles, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, bytes] of contents) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}

/** What has been read of one side so far. */
class Shelf {
  readonly contents = new Map<string, Uint8Array>();
  readonly digests = new Map<string, string>();
  readonly reuse: Reuse;
  private readonly wish: PolicyWish;

  constructor(wish: PolicyWish) {
    this.wish = wish;
    this.reuse = wish.reuse;
  }

  /** Paths from the policy root; those that are no files are passed over. */
  async load(paths: readonly string[]): Promise<void> {
    const { side, root } = this.wish;
    const fresh = paths.filter((path) => !this.contents.has(path));
    const names = new Map(fresh.map((path) => [posix.join(root, path), path]));
    const wanted = [...names.keys()].filter((path) => side.files.has(path));
    if (wanted.length === 0) return;
    for (const [full, bytes] of await side.read(wanted, MAX_BYTES)) {
      const path = names.get(full) ?? full;
      this.contents.set(path, bytes);
      this.digests.set(path, digestOf(bytes));
    }
  }
}

async function closureOf(entry: string, shelf: Shelf): Promise<readonly string[]> {
  const first = canonical(entry);
  if (first === undefined) return [];
  const seen = new Set([first]);
  let queue = [first];
  while (queue.length > 0 && seen.size < MAX_CLOSURE) {
    await shelf.load(queue);
    const next = queue.flatMap((path) => readsOf(path, shelf)).filter((path) => !seen.has(path));
    for (const path of next) seen.add(path);
    queue = [...new Set(next)];
  }
  return [...seen].filter((path) => shelf.contents.has(path)).sort();
}

function canonical(entry: string): string | undefined {
  try {
    return policyPath(entry);
  } catch {
    return undefined;
  }
}

function readsOf(path: string, { contents, digests, reuse }: Shelf): readonly string[] {
  const bytes = contents.get(path);
  if (bytes === undefined) return [];
  const hrefs = remember(reuse.references, digests.get(path) ?? "", () => {
    const read = readSource(path, bytes);
    return read.kind === "broken" ? [] : referencesOf(read.root).map(({ href }) => href);
  });
  return hrefs.flatMap((href) => resolveReference(path, href) ?? []);
}
