import { Fault } from "../../harvester/fault.js";
import type { Scaffold } from "./package-files.js";

/** Where people's answers stand in the template, as text that is valid before it is filled in. */
const ACTION = /OWNER\/harvest-controller/g;
const COMMIT = /0{40}/g;
const VERSION = /# v0\.0\.0$/gm;
const OWNERS = "@your-organisation/harvest-owners";
const FILLED = /^(\.github\/|\.gitlab-ci\.yml$|CODEOWNERS$)/;

export interface Answers {
  /** owner/name of the repository with the action, and the commit it is pinned to; absent = not known yet. */
  readonly action?: { readonly repository: string; readonly commit: string };
  /** Who must approve: @user, @organisation/team or an address. */
  readonly owner?: string;
  /** Of this program, e.g. 0.1.0: said beside the commit. */
  readonly version: string;
}

/** The scaffold with the answers in it. What was not answered keeps its placeholder. */
export function fillIn(scaffold: Scaffold, answers: Answers): Scaffold {
  const filled = [...scaffold].map(([path, content]) => {
    if (!FILLED.test(path)) return [path, content] as const;
    const text = Buffer.from(content).toString("utf8");
    return [path, new Uint8Array(Buffer.from(answered(text, answers)))] as const;
  });
  return new Map(filled);
}

function answered(text: string, { action, owner, version }: Answers): string {
  const owned = owner === undefined ? text : text.replaceAll(OWNERS, () => owner);
  if (action === undefined) return owned;
  return owned
    .replace(ACTION, () => action.repository)
    .replace(COMMIT, () => action.commit)
    .replace(VERSION, () => `# v${version}`);
}

/**
 * "geo/harvest-controller@<40 hex digits>"; GitLab's names may have more parts. A tag or branch can be moved to other code:
 * only a commit is taken.
 */
export function parseAction(given: string | undefined): Answers["action"] {
  if (given === undefined) return undefined;
  const parts = /^([A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99}){1,5})@([0-9a-f]{40})$/.exec(given);
  const [, repository, commit] = parts ?? [];
  if (repository !== undefined && commit !== undefined) return { repository, commit };
  throw new Fault("config", {
    code: "BadAction",
    sentence: `--action ${JSON.stringify(given.slice(0, 150))} is not OWNER/NAME@COMMIT.`,
    remedy: "Name a commit by all its 40 digits: a tag can be moved to other code.",
  });
}

/** As CODEOWNERS takes it. */
export function parseOwner(given: string | undefined): string | undefined {
  if (
    given === undefined ||
    /^(@[A-Za-z0-9][\w.-]{0,99}(\/[\w.-]{1,100})?|[\w.+-]{1,64}@[\w.-]{1,190})$/.test(given)
  )
    return given;
  throw new Fault("config", {
    code: "BadOwner",
    sentence: `--owner ${JSON.stringify(given.slice(0, 150))} can own no code.`,
    remedy: "Write @user, @organisation/team, or an address.",
  });
}
