/**
 * An agency's records served by a real sandbox, harvested by real runs into a real store under the policy of one folder,
 * and a second folder with the policy as somebody proposes it.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startSandbox } from "../../cli/sandbox/sandbox.js";
import { assemble } from "../../harvester/assemble.js";
import { harvest } from "../../harvester/harvest.js";
import type { Store } from "../../harvester/persist/store.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import { root, sourceOf } from "../run/scene.js";

export interface Dc {
  readonly title?: string;
  readonly identifier?: string;
  readonly rights?: string;
  /** Elements that stand before all others, verbatim. */
  readonly extra?: string;
}

/** A record of Dublin Core with everything the shipped rules ask for, but for what is set to "". */
export function dc({ title = "Roads", identifier = "doi:1", rights = "CC0", extra = "" }: Dc = {}): string {
  const element = (name: string, text: string) => (text === "" ? "" : `<dc:${name}>${text}</dc:${name}>`);
  return `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">${extra}${element("title", title)}<dc:creator>Road Office</dc:creator><dc:description>All roads.</dc:description><dc:date>2024-05-01</dc:date><dc:type>Dataset</dc:type>${element("identifier", identifier)}<dc:language>en</dc:language>${element("rights", rights)}</oai_dc:dc>`;
}

/** A folder that is removed with `remove`, holding these files. */
export function folderOf(files: Readonly<Record<string, string>>): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "impact-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return {
    dir,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export type Edit = readonly [file: string, from: string, to: string];

/** The Dublin Core policy this repository ships, with these changes in its text. */
export function policyFolder(edits: readonly Edit[] = []): { dir: string; remove(): void } {
  const made = folderOf({});
  for (const path of ["rules", "schemas/oai_dc", "schemas/oai_dc.xsd"])
    cpSync(join(root, path), join(made.dir, path), { recursive: true });
  for (const [file, from, to] of edits) {
    const text = readFileSync(join(made.dir, file), "utf8");
    if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
    writeFileSync(join(made.dir, file), text.replace(from, to));
  }
  return made;
}

export interface HarvestWish {
  readonly name: string;
  readonly policy: string;
  readonly store: Store;
  readonly spec?: Parameters<typeof sourceOf>[1];
}

/** One real run over these records. */
export async function harvestRecords(
  records: Readonly<Record<string, string>>,
  { name, policy, store, spec }: HarvestWish,
): Promise<RunSummary> {
  const served = folderOf(records);
  const sandbox = await startSandbox({ source: { kind: "folder", directory: served.dir } });
  try {
    const assembled = await assemble({
      source: sourceOf(sandbox.url, spec, name),
      root: policy,
      store,
      observe: () => undefined,
      signal: new AbortController().signal,
      environment: {},
      threads: 1,
    });
    return await harvest(assembled.run).finally(() => assembled.close());
  } finally {
    await sandbox.close();
    served.remove();
  }
}
