import { Fault } from "../../harvester/fault.js";
import { askGit, gitFault } from "./ask-git.js";

/** A repository with a working tree, seen from the place somebody stands in. */
export interface Repository {
  /** Root of the working tree, absolute, without links. */
  readonly top: string;
  /** From there to where one stands: "" or "policy/". */
  readonly prefix: string;
  /** The history is cut off: commits may be missing that others have. */
  readonly shallow: boolean;
}

/** Throws Fault `config` where there is no repository, no git, or no right to it. */
export async function openRepository(cwd: string): Promise<Repository> {
  const args = ["rev-parse", "--show-toplevel", "--show-prefix", "--is-shallow-repository"];
  const end = await askGit({ cwd, args, what: "find the repository" });
  if (end.code !== 0) throw notOpened(end.stderr);
  const [top = "", prefix = "", shallow = ""] = end.stdout.toString("utf8").split("\n");
  return { top, prefix, shallow: shallow === "true" };
}

function notOpened(stderr: string): Fault {
  if (/not a git repository/i.test(stderr))
    return new Fault("config", {
      code: "NoRepository",
      sentence: "The current directory is in no Git repository, so there is no history to compare with.",
      remedy: "Go to the policy repository, or compare two folders: --base FOLDER --head FOLDER.",
    });
  if (/must be run in a work tree/.test(stderr))
    return new Fault("config", {
      code: "BareRepository",
      sentence: "This is a bare repository: it has no working tree to stand in.",
      remedy: "Run it in a clone.",
    });
  return gitFault("find the repository", stderr);
}
