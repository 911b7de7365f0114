import { parseAddress } from "../../source/address.js";

/** How the own Git sync is set up; used only where neither Flux nor Argo CD delivers. */
export interface GitSyncSettings {
  /** https://, ssh:// or user@host:path; file:// only with allowFile. Without a password in it. */
  readonly url: string;
  readonly reference: GitReference;
  /** Folder in the repository, e.g. harvest/endpoints; "" or "." = all of it. */
  readonly path: string;
  readonly intervalSeconds: number;
  /** Folder with username and password, or ssh-privatekey and known_hosts; ca.crt for an authority of one's own. */
  readonly secretDirectory?: string;
  readonly verify?: {
    readonly mode: "none" | "commit";
    /** As ssh-keygen -Y verify reads it: who may sign with which key. */
    readonly allowedSignersFile?: string;
  };
  /** Namespaces it may write to; a manifest without one goes to the only one. */
  readonly namespaces: readonly string[];
  /** More of what it applied before is never deleted at once, in percent. */
  readonly maxDeletePercent: number;
  /** Folder of its own, kept or not between restarts. */
  readonly workDirectory: string;
  /** For tests: repositories of the local disk. */
  readonly allowFile?: boolean;
  /** Longest wait for one fetch, in seconds; absent = 120. */
  readonly fetchSeconds?: number;
  /** Bytes a fetch may bring; absent = 64 MiB. */
  readonly maxFetchBytes?: number;
}

export interface GitReference {
  readonly kind: "branch" | "tag" | "commit";
  readonly name: string;
}

/** What is wrong with the settings, as a sentence; undefined = nothing. Asked once, before the first pass. */
export function settingsProblem(settings: GitSyncSettings): string | undefined {
  return (
    urlProblem(settings.url, settings.allowFile ?? false) ??
    referenceProblem(settings.reference) ??
    pathProblem(settings.path) ??
    limitsProblem(settings)
  );
}

/** Nothing that git would read as an option, a helper program or another protocol. */
function urlProblem(url: string, allowFile: boolean): string | undefined {
  if (/^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[A-Za-z0-9._~][A-Za-z0-9._/~-]*$/.test(url)) return undefined;
  const schemes = ["https:", "ssh:", ...(allowFile ? ["file:"] : [])];
  const parsed = /^[!-~]{1,2048}$/.test(url) ? parseAddress(url) : undefined;
  if (parsed === undefined || !schemes.includes(parsed.protocol))
    return "The Git address must begin with https:// or ssh://, or be user@host:path.";
  if (parsed.password !== "" || (parsed.protocol === "https:" && parsed.username !== ""))
    return "The Git address holds a user name or a password: put them into the files username and password of the secret.";
  return undefined;
}

/** The rules of git check-ref-format that matter here, and no option. */
function referenceProblem({ kind, name }: GitReference): string | undefined {
  if (kind === "commit")
    return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name)
      ? undefined
      : "The Git commit must be written out: 40 or 64 hex digits.";
  const good = /^[A-Za-z0-9_][A-Za-z0-9_./+@-]{0,199}$/.test(name);
  const bad = /\.\.|\/\/|\/\.|@\{|\.lock(\/|$)|[./]$/.test(name);
  return good && !bad
    ? undefined
    : `The Git ${kind} ${JSON.stringify(name.slice(0, 80))} is no name of a ${kind}.`;
}

function pathProblem(path: string): string | undefined {
  const parts = path.split("/");
  const good = /^[^\p{Cc}\\]{0,512}$/u.test(path) && !path.startsWith("/") && !parts.includes("..");
  return good ? undefined : "The Git path must be a folder inside the repository, e.g. harvest/endpoints.";
}

function limitsProblem(settings: GitSyncSettings): string | undefined {
  const { namespaces, maxDeletePercent, intervalSeconds, verify } = settings;
  if (namespaces.length === 0)
    return "The Git sync may write to no namespace: name at least one in its allow-list.";
  if (!(maxDeletePercent >= 0 && maxDeletePercent <= 100))
    return "The most the Git sync may delete at once must be between 0 and 100 percent.";
  if (!(intervalSeconds >= 5)) return "The interval of the Git sync must be 5 seconds or more.";
  if (verify?.mode === "commit" && verify.allowedSignersFile === undefined)
    return "To verify commits the Git sync needs the file of allowed signers.";
  return undefined;
}
