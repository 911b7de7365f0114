import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { demandCommit, findCommit, mergeBase, shortId, type Commit } from "../git/commit.js";
import { refuseUnmerged } from "../git/list-working-tree.js";
import { openRepository, type Repository } from "../git/repository.js";
import { commitSide } from "./commit-side.js";
import { folderSide } from "./folder-side.js";
import { pathFromTop, type PolicyPaths } from "./pick-files.js";
import type { Side } from "./side.js";
import { workingTreeSide } from "./working-tree-side.js";

export interface SidesWish {
  /** Where the user stands. */
  readonly cwd: string;
  /** A commit, or a folder. */
  readonly base: string;
  /** The same; absent = the working tree. */
  readonly head?: string | undefined;
  /** Files and folders of manifests, from cwd; none = all below the policy root. */
  readonly manifests: readonly string[];
  /** Policy root, from cwd. */
  readonly root: string;
}

export interface Sides {
  readonly base: Side;
  readonly head: Side;
  readonly paths: PolicyPaths;
  /** When the head was committed; absent = it is not a commit. */
  readonly headTime?: Date;
  /** What a reader must know of how the base was chosen. */
  readonly note?: string;
}

/**
 * The two sides of a review. Where both are in Git, the base is the commit the head started from (as a pull request shows
 * it), not the tip of the branch: what others merged since is none of this change. Throws Fault `config`.
 */
export async function chooseSides(wish: SidesWish): Promise<Sides> {
  const folders = { base: await isFolder(wish, wish.base), head: await isFolder(wish, wish.head) };
  if (folders.base && folders.head) return twoFolders(wish, wish.head ?? "");
  const repository = await repositoryOf(wish, folders.base && wish.head === undefined);
  if (repository === undefined) return twoFolders(wish, ".");
  await refuseAmbiguous(repository, wish, folders);
  return inRepository(repository, wish, folders);
}

interface AreFolders {
  readonly base: boolean;
  readonly head: boolean;
}

/** A folder beside the working tree needs no history. */
async function repositoryOf({ cwd }: SidesWish, optional: boolean): Promise<Repository | undefined> {
  if (!optional) return openRepository(cwd);
  return openRepository(cwd).catch(() => undefined);
}

async function inRepository(repository: Repository, wish: SidesWish, folders: AreFolders): Promise<Sides> {
  const prefix = repository.prefix;
  const cwd = await realpath(wish.cwd);
  const paths = policyPaths(wish, { top: repository.top, cwd });
  const baseCommit = folders.base ? undefined : await demandCommit(repository, wish.base);
  const headCommit =
    folders.head || wish.head === undefined ? undefined : await demandCommit(repository, wish.head);
  const from = await startOf(repository, { wish, base: baseCommit, head: headCommit });
  const base =
    from.commit === undefined
      ? await folderSide(resolve(wish.cwd, wish.base), { label: folderLabel(wish.base), prefix })
      : await commitSide(repository, from.commit);
  const head = await headSide(repository, { wish, commit: headCommit, prefix });
  return {
    base,
    head,
    paths,
    ...(headCommit === undefined ? {} : { headTime: headCommit.committedAt }),
    ...(from.note === undefined ? {} : { note: from.note }),
  };
}

async function headSide(
  repository: Repository,
  {
    wish,
    commit,
    prefix,
  }: { readonly wish: SidesWish; readonly commit: Commit | undefined; readonly prefix: string },
): Promise<Side> {
  if (commit !== undefined) return commitSide(repository, commit);
  if (wish.head !== undefined)
    return folderSide(resolve(wish.cwd, wish.head), { label: folderLabel(wish.head), prefix });
  const side = await workingTreeSide(repository);
  refuseUnmerged(side.unmerged);
  return side;
}

interface Ends {
  readonly wish: SidesWish;
  readonly base: Commit | undefined;
  readonly head: Commit | undefined;
}

/** The commit to compare with, and what is to be said of it. */
async function startOf(
  repository: Repository,
  { wish, base, head }: Ends,
): Promise<{ readonly commit?: Commit; readonly note?: string }> {
  if (base === undefined) return {};
  const end = head ?? (wish.head === undefined ? await findCommit(repository, "HEAD") : undefined);
  if (end === undefined) return { commit: base };
  const start = await mergeBase(repository, [base, end]);
  if (start === undefined)
    return {
      commit: base,
      note: `${shortId(base)} and the head have no commit in common; they are compared as they are.`,
    };
  if (start.id === base.id) return { commit: base };
  const note = `${shortId(start)} is where the head left ${wish.base}; what was merged there since is not part of this change.`;
  return { commit: start, note };
}

async function twoFolders(wish: SidesWish, head: string): Promise<Sides> {
  const cwd = await realpath(wish.cwd);
  const paths = policyPaths(wish, { top: cwd, cwd });
  return {
    base: await folderSide(resolve(wish.cwd, wish.base), { label: folderLabel(wish.base), prefix: "" }),
    head: await folderSide(resolve(wish.cwd, head), { label: folderLabel(head), prefix: "" }),
    paths,
  };
}

function policyPaths(
  { manifests, root }: SidesWish,
  at: { readonly top: string; readonly cwd: string },
): PolicyPaths {
  const fromTop = pathFromTop(root, at);
  const named = manifests.map((path) => pathFromTop(path, at));
  return { manifests: named.length === 0 ? [fromTop] : named, byDefault: named.length === 0, root: fromTop };
}

function folderLabel(folder: string): string {
  return `folder ${folder}`;
}

/** Written like a path, it is one; else it is one when it lies there. */
async function isFolder({ cwd }: SidesWish, name: string | undefined): Promise<boolean> {
  if (name === undefined || name === "") return false;
  if (looksLikePath(name)) return true;
  const found = await stat(resolve(cwd, name)).catch(() => undefined);
  return found?.isDirectory() === true;
}

function looksLikePath(name: string): boolean {
  return name === "." || name === ".." || /^\.{0,2}\/|\/$/.test(name);
}

/** Throws Fault `config`: guessing would compare with something else than was meant. */
async function refuseAmbiguous(repository: Repository, wish: SidesWish, folders: AreFolders): Promise<void> {
  const names = [folders.base ? wish.base : "", folders.head ? (wish.head ?? "") : ""];
  for (const name of names.filter((each) => each !== "" && !looksLikePath(each)))
    if ((await findCommit(repository, name)) !== undefined)
      throw new Fault("config", {
        code: "AmbiguousSide",
        sentence: `${name} is a commit and a folder.`,
        remedy: `Write ./${name} for the folder, or refs/heads/${name} for the branch.`,
      });
}
