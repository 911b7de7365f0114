import { parseBlobs, parseTree, type TreeEntry } from "../../controller/git-sync/tree.js";
import { Fault } from "../../harvester/fault.js";
import { demandGit, gitFault } from "./ask-git.js";
import { shortId, type Commit } from "./commit.js";
import type { Repository } from "./repository.js";

/** About a million entries. */
const MAX_LISTING = 128 * 1024 * 1024;
/** Of one call; what is more is asked for in several. */
const MAX_BATCH = 64 * 1024 * 1024;

/** Everything in a commit, folders resolved; sizes are not known yet (they would cost a look at every object). */
export async function listTree(repository: Repository, commit: Commit): Promise<readonly TreeEntry[]> {
  const answer = await demandGit({
    cwd: repository.top,
    args: ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit.id],
    what: `list the files of ${shortId(commit)}`,
    maxOutputBytes: MAX_LISTING,
  });
  return parseTree(answer);
}

/** Bytes of each object, in the order asked for. Throws Fault `config` when one is missing. */
export async function objectSizes(
  repository: Repository,
  objects: readonly string[],
): Promise<readonly number[]> {
  if (objects.length === 0) return [];
  const what = "read the sizes of files";
  const answer = await demandGit({
    cwd: repository.top,
    args: ["cat-file", "--batch-check"],
    what,
    input: lines(objects),
    maxOutputBytes: 256 * objects.length,
  });
  return answer
    .toString("latin1")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(line)?.[1];
      if (size === undefined) throw gitFault(what, `an object is missing (${line})`);
      return Number(size);
    });
}

/** Contents of objects whose sizes are known, as they were committed: no filter is run. */
export async function readObjects(
  repository: Repository,
  objects: readonly { readonly id: string; readonly size: number }[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for (const batch of batches(objects)) {
    const answer = await demandGit({
      cwd: repository.top,
      args: ["cat-file", "--batch"],
      what: "read files",
      input: lines(batch.map(({ id }) => id)),
      maxOutputBytes: batch.reduce((sum, { size }) => sum + size + 256, 0),
    });
    const blobs = parseBlobs(answer, batch.length);
    if (blobs === undefined) throw cutShort();
    for (const [i, { id }] of batch.entries()) found.set(id, blobs[i] ?? new Uint8Array());
  }
  return found;
}

function batches<T extends { readonly size: number }>(objects: readonly T[]): readonly (readonly T[])[] {
  const made: T[][] = [];
  let bytes = Infinity;
  for (const object of objects) {
    if (bytes + object.size > MAX_BATCH) {
      made.push([]);
      bytes = 0;
    }
    made.at(-1)?.push(object);
    bytes += object.size;
  }
  return made;
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join("");
}

function cutShort(): Fault {
  return new Fault("config", {
    code: "GitFailed",
    sentence: "Git's answer ended in the middle of a file.",
    remedy: "git fsck shows whether the repository is whole.",
  });
}
