import { didYouMean } from "../../source/did-you-mean.js";
import { Fault } from "../../harvester/fault.js";
import { askGit, demandGit } from "./ask-git.js";
import type { Repository } from "./repository.js";

export interface Commit {
  /** Full id. */
  readonly id: string;
  /** When it was made, by its committer. */
  readonly committedAt: Date;
}

const MAX_REF = 256;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** As people name a commit. Always seven digits: how many git would show depends on the clone. */
export function shortId({ id }: Pick<Commit, "id">): string {
  return id.slice(0, 7);
}

/** The commit a name stands for, or undefined when there is none. */
export async function findCommit(repository: Repository, ref: string): Promise<Commit | undefined> {
  if (ref === "" || ref.length > MAX_REF || ref.startsWith("-") || /\p{Cc}/u.test(ref)) return undefined;
  const end = await askGit({
    cwd: repository.top,
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`],
    what: "look for a commit",
  });
  const id = end.stdout.toString("utf8").trim();
  return end.code === 0 && ID.test(id) ? readCommit(repository, id) : undefined;
}

/** Throws Fault `config` when there is no such commit: in a shallow clone it says how to get it. */
export async function demandCommit(repository: Repository, ref: string): Promise<Commit> {
  const found = await findCommit(repository, ref);
  if (found !== undefined) return found;
  const shown = JSON.stringify(ref.slice(0, MAX_REF));
  if (repository.shallow)
    throw new Fault("config", {
      code: "ShallowClone",
      sentence: `There is no commit ${shown} in this clone: it is shallow, its history is cut off.`,
      remedy: FETCH_ALL,
    });
  throw new Fault("config", {
    code: "UnknownRef",
    sentence: `There is no commit ${shown} in this repository.`,
    remedy: `${await nearest(repository, ref)}git fetch brings what others pushed; git branch --all lists the names there are.`,
  });
}

const FETCH_ALL =
  "Fetch all of it: git fetch --unshallow; in GitHub Actions give actions/checkout `fetch-depth: 0`.";

/**
 * The commit two histories have in common last, or undefined when they have none. Throws Fault `config` when it cannot be
 * known because the clone is shallow.
 */
export async function mergeBase(
  repository: Repository,
  [a, b]: readonly [Commit, Commit],
): Promise<Commit | undefined> {
  const args = ["merge-base", "--end-of-options", a.id, b.id];
  const end = await askGit({ cwd: repository.top, args, what: "find where two histories part" });
  const id = end.stdout.toString("utf8").trim();
  if (end.code === 0 && ID.test(id)) return readCommit(repository, id);
  if (!repository.shallow) return undefined;
  throw new Fault("config", {
    code: "ShallowClone",
    sentence: `Where ${shortId(b)} left ${shortId(a)} lies beyond the end of this shallow clone.`,
    remedy: FETCH_ALL,
  });
}

async function readCommit(repository: Repository, id: string): Promise<Commit> {
  const what = `read the commit ${id.slice(0, 7)}`;
  const text = await demandGit({ cwd: repository.top, args: ["cat-file", "commit", id], what });
  const [head = ""] = text.toString("latin1").split("\n\n");
  const seconds = /^committer .*? (\d{1,12}) [+-]\d{4}$/m.exec(head)?.[1];
  return { id, committedAt: new Date(Number(seconds ?? "0") * 1000) };
}

async function nearest(repository: Repository, ref: string): Promise<string> {
  const args = ["for-each-ref", "--count=5000", "--format=%(refname:short)"];
  const end = await askGit({ cwd: repository.top, args, what: "list the branches" });
  const names = end.stdout
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "");
  const near = didYouMean(ref, names) ?? names.find((name) => ref.endsWith(`/${name}`));
  return near === undefined ? "" : `Did you mean ${near}? `;
}
