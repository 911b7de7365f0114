import { Fault } from "../../harvester/fault.js";
import { demandGit } from "./ask-git.js";
import type { Repository } from "./repository.js";

/** What the index and the disk hold together: tracked files, and others that no ignore file names. */
export interface WorkingTreeEntry {
  /** From the root of the repository. */
  readonly path: string;
  /** The file is left out of a sparse working tree: its text is this object. */
  readonly object?: string;
}

export interface WorkingTreeListing {
  readonly entries: readonly WorkingTreeEntry[];
  /** Paths in the middle of a merge. */
  readonly unmerged: readonly string[];
}

const MAX_LISTING = 128 * 1024 * 1024;
const SPARSE = "S";
const UNMERGED = "M";

export async function listWorkingTree(repository: Repository): Promise<WorkingTreeListing> {
  const answer = await demandGit({
    cwd: repository.top,
    args: ["ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard"],
    what: "list the files of the working tree",
    maxOutputBytes: MAX_LISTING,
  });
  const lines = utf8Lines(answer);
  const read = lines.map(parseLine).filter((line) => line !== undefined);
  const unmerged = read.filter(({ tag }) => tag === UNMERGED).map(({ path }) => path);
  const entries = read
    .filter(({ tag, path }) => tag !== UNMERGED && !path.endsWith("/"))
    .map(({ tag, path, object }) => (tag === SPARSE && object !== "" ? { path, object } : { path }));
  return { entries, unmerged: [...new Set(unmerged)] };
}

/** Throws Fault `config`: half of a merge is no policy. */
export function refuseUnmerged(unmerged: readonly string[]): void {
  const [first] = unmerged;
  if (first === undefined) return;
  const more = unmerged.length > 1 ? ` and ${String(unmerged.length - 1)} more` : "";
  throw new Fault("config", {
    code: "Unmerged",
    sentence: `A merge or rebase is not finished: ${JSON.stringify(first)}${more} still has both sides.`,
    remedy: "Settle it and git add the file, or compare a commit: --head HEAD.",
  });
}

interface Line {
  readonly tag: string;
  readonly path: string;
  readonly object: string;
}

/** `H 100644 <object> 0<tab>path` for what is tracked, `? path` for what is not. */
function parseLine(line: string): Line | undefined {
  const tracked = /^(\S) [0-7]{6} ([0-9a-f]+) [0-3]\t(.+)$/s.exec(line);
  if (tracked !== null) return { tag: tracked[1] ?? "", object: tracked[2] ?? "", path: tracked[3] ?? "" };
  return line.startsWith("? ") ? { tag: "?", object: "", path: line.slice(2) } : undefined;
}

/** A path that is no UTF-8 cannot be shown, and is no manifest. */
function utf8Lines(answer: Buffer): readonly string[] {
  return answer
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "" && !line.includes("\uFFFD"));
}
