import { devNull } from "node:os";
import { runGit, type GitEnd } from "../../controller/git-sync/run-git.js";
import { Fault } from "../../harvester/fault.js";

/** A question to git that changes nothing. */
export interface GitQuestion {
  /** Where it is asked. */
  readonly cwd: string;
  /** Without shell: no argument is ever read as anything else. What comes from outside stands after --end-of-options. */
  readonly args: readonly string[];
  /** As part of a sentence: "list the files of 3f2a91c". */
  readonly what: string;
  readonly input?: string;
  /** Default 1 MiB. */
  readonly maxOutputBytes?: number;
}

const SECONDS = 120;
const MAX_OUTPUT = 1024 * 1024;

/** Whatever the configuration of the repository or the user asks for: no hooks, no watchers, no ignore file from home. */
const SAFE: readonly string[] = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.excludesFile=",
  "core.untrackedCache=false",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting]);

/** HOME and its like stay: the user's own configuration says which folders of others are trusted (safe.directory). */
const INHERITED = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR"];

/**
 * The answer, whatever the exit code. Throws Fault `config` when there is no git, when it takes longer than two minutes,
 * or when it says more than expected.
 */
export async function askGit(question: GitQuestion): Promise<GitEnd> {
  const { cwd, args, what, input, maxOutputBytes } = question;
  const end = await runGit({
    args: ["--no-pager", ...SAFE, ...args],
    cwd,
    environment: environment(),
    timeoutSeconds: SECONDS,
    maxOutputBytes: maxOutputBytes ?? MAX_OUTPUT,
    ...(input === undefined ? {} : { input }),
  });
  if (end.stopped === undefined) return end;
  throw stopped(end.stopped, what);
}

/** The answer of a git that succeeded. Throws Fault `config` with git's own words when it did not. */
export async function demandGit(question: GitQuestion): Promise<Buffer> {
  const end = await askGit(question);
  if (end.code === 0) return end.stdout;
  throw gitFault(question.what, end.stderr);
}

/** Git's words as a fault: the two that have a well-known way out get it as remedy. */
export function gitFault(what: string, stderr: string): Fault {
  const owner = /detected dubious ownership/.test(stderr);
  if (owner)
    return new Fault("config", {
      code: "GitOwner",
      sentence: "Git does not trust this folder: it belongs to another user.",
      remedy: "git config --global --add safe.directory PATH says that you do.",
    });
  const words = stderr.replace(/\p{Cc}+/gu, " ").trim();
  return new Fault("config", {
    code: "GitFailed",
    sentence: `Git could not ${what}: ${words === "" ? "it gave no reason" : words.slice(0, 500)}`,
    remedy: /promisor|missing/.test(stderr)
      ? "A partial clone has not all files: clone without --filter."
      : "git fsck shows whether the repository is whole.",
  });
}

function environment(): Record<string, string> {
  const kept = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function stopped(why: NonNullable<GitEnd["stopped"]>, what: string): Fault {
  if (why === "not-found")
    return new Fault("config", {
      code: "NoGit",
      sentence: "There is no program git, or the current directory is gone.",
      remedy: "Install Git, or compare two folders: --base FOLDER --head FOLDER.",
    });
  const reason = why === "too-big" ? "the answer is too long" : "it took too long";
  return new Fault("config", {
    code: "GitStopped",
    sentence: `Git was stopped as it was to ${what}: ${reason}.`,
    remedy: "Keep the policy in a repository of its own.",
  });
}
