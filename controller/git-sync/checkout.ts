import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readCredentials, type GitCredentials } from "./credentials.js";
import { GitFault, gitFault } from "./git-fault.js";
import type { GitReference, GitSyncSettings } from "./git-sync-settings.js";
import { folderBytes, runGit, type GitEnd } from "./run-git.js";

/** A fetched revision. Its files are read from the object store: there is no working tree a link or a hook could live in. */
export interface Checkout {
  /** Full id. */
  readonly commit: string;
  /** main@sha1:<commit>, as status and annotations show it. */
  readonly revision: string;
  readonly repository: string;
}

const FETCH_SECONDS = 120;
const LOCAL_SECONDS = 30;
const MAX_FETCH_BYTES = 64 * 1024 * 1024;
const MAX_ANSWER = 65_536;
const FETCHED = "refs/harvest/fetched";

/** No hooks, helpers, redirects, submodules or background work, whatever the repository asks for. */
const SAFE: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.symlinks=false",
  "core.fsmonitor=false",
  "core.askPass=",
  "credential.helper=",
  "protocol.ext.allow=never",
  "http.followRedirects=false",
  "http.lowSpeedLimit=100",
  "http.lowSpeedTime=30",
  "fetch.recurseSubmodules=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "gpg.program=false",
  "gpg.x509.program=false",
].flatMap((setting) => ["-c", setting]);

/**
 * Fetches the pinned reference, one commit deep, and checks its signature where that is asked for. Throws GitFault. A
 * repository a fetch failed in is thrown away: whatever half-written state it has, the next pass begins anew.
 */
export async function checkout(settings: GitSyncSettings, signal: AbortSignal): Promise<Checkout> {
  const repository = join(settings.workDirectory, "repository.git");
  const credentials = await readCredentials(settings);
  await prepare(settings, repository, signal);
  try {
    await fetchReference(settings, { repository, credentials, signal });
    const commit = await commitOf(settings, repository, signal);
    if (settings.verify?.mode === "commit") await verifyCommit(settings, { repository, commit, signal });
    return { commit, revision: revisionText(settings.reference, commit), repository };
  } catch (thrown) {
    if (thrown instanceof GitFault && thrown.code !== "unverified")
      await rm(repository, { recursive: true, force: true });
    throw thrown;
  }
}

/** A git call on the fetched repository, which reaches no network. */
export async function gitInRepository(
  { repository, signal }: { readonly repository: string; readonly signal: AbortSignal },
  args: readonly string[],
  more: { readonly maxOutputBytes?: number; readonly input?: string } = {},
): Promise<GitEnd> {
  return runGit({
    args: [...SAFE, ...args],
    cwd: repository,
    environment: environmentOf(repository, "none"),
    timeoutSeconds: LOCAL_SECONDS,
    maxOutputBytes: more.maxOutputBytes ?? MAX_ANSWER,
    signal,
    ...(more.input === undefined ? {} : { input: more.input }),
  });
}

/** branch@sha1:commit; a pinned commit has no name but itself. */
function revisionText({ kind, name }: GitReference, commit: string): string {
  const hash = `${commit.length === 64 ? "sha256" : "sha1"}:${commit}`;
  return kind === "commit" ? hash : `${name}@${hash}`;
}

async function prepare(settings: GitSyncSettings, repository: string, signal: AbortSignal): Promise<void> {
  const maxBytes = settings.maxFetchBytes ?? MAX_FETCH_BYTES;
  if ((await folderBytes(repository)) > maxBytes / 2) await rm(repository, { recursive: true, force: true });
  if ((await stat(join(repository, "HEAD")).catch(() => undefined)) !== undefined) return;
  await rm(repository, { recursive: true, force: true });
  await mkdir(repository, { recursive: true, mode: 0o700 });
  // No template: it would bring hooks.
  const end = await gitInRepository({ repository, signal }, [
    "init",
    "--quiet",
    "--bare",
    "--template=",
    ".",
  ]);
  throwUnlessGood(end, {
    what: "No repository could be made in the work folder of the Git sync",
    secrets: [],
  });
}

interface Fetch {
  readonly repository: string;
  readonly credentials: GitCredentials;
  readonly signal: AbortSignal;
}

async function fetchReference(
  settings: GitSyncSettings,
  { repository, credentials, signal }: Fetch,
): Promise<void> {
  const { url, reference } = settings;
  const maxBytes = settings.maxFetchBytes ?? MAX_FETCH_BYTES;
  const options = ["--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--force", "--no-auto-gc"];
  const end = await runGit({
    args: [...SAFE, "fetch", ...options, "--", url, `+${remoteName(reference)}:${FETCHED}`],
    cwd: repository,
    environment: {
      ...environmentOf(repository, settings.allowFile === true ? "https:ssh:file" : "https:ssh"),
      ...credentials.environment,
    },
    timeoutSeconds: settings.fetchSeconds ?? FETCH_SECONDS,
    maxOutputBytes: MAX_ANSWER,
    signal,
    folder: { path: repository, maxBytes },
  });
  const what = `${describeReference(reference)} of ${shownUrl(url)} could not be fetched`;
  throwUnlessGood(end, { what, secrets: credentials.secrets });
  // A fetch faster than a look at the folder.
  if ((await folderBytes(repository)) > maxBytes) throw tooBig(what);
}

function remoteName({ kind, name }: GitReference): string {
  if (kind === "commit") return name;
  return kind === "tag" ? `refs/tags/${name}` : `refs/heads/${name}`;
}

/** A tag may be an object of its own: the commit it points to counts. */
async function commitOf(settings: GitSyncSettings, repository: string, signal: AbortSignal): Promise<string> {
  const end = await gitInRepository({ repository, signal }, ["rev-parse", "--verify", `${FETCHED}^{commit}`]);
  const what = `${describeReference(settings.reference)} of ${shownUrl(settings.url)} is no commit`;
  throwUnlessGood(end, { what, secrets: [] });
  return end.stdout.toString("utf8").trim();
}

async function verifyCommit(
  settings: GitSyncSettings,
  { repository, commit, signal }: { repository: string; commit: string; signal: AbortSignal },
): Promise<void> {
  const signers = settings.verify?.allowedSignersFile ?? "";
  const end = await gitInRepository({ repository, signal }, [
    "-c",
    `gpg.ssh.allowedSignersFile=${signers}`,
    "verify-commit",
    commit,
  ]);
  if (end.code === 0) return;
  throw new GitFault(
    "unverified",
    `Commit ${commit} of ${shownUrl(settings.url)} is not signed by anybody in the file of allowed signers, so nothing of it was applied. Sign it, or add the signer.`,
  );
}

function environmentOf(home: string, protocols: string): Record<string, string> {
  const passed = [
    "PATH",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
  ];
  const inherited = passed.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
  };
}

function throwUnlessGood(
  end: GitEnd,
  { what, secrets }: { readonly what: string; readonly secrets: readonly string[] },
): void {
  if (end.stopped === "not-found")
    throw new GitFault("git-missing", `${what}. There is no program git, or its folder is missing.`);
  if (end.stopped === "timeout") throw new GitFault("timeout", `${what}. It took too long and was stopped.`);
  if (end.stopped === "aborted") throw new GitFault("stopped", `${what}. The controller is stopping.`);
  if (end.stopped === "too-big") throw tooBig(what);
  if (end.code !== 0) throw gitFault(what, end.stderr, secrets);
}

function tooBig(what: string): GitFault {
  return new GitFault(
    "too-big",
    `${what}. It is bigger than the Git sync takes; keep manifests in a repository of their own.`,
  );
}

function describeReference({ kind, name }: GitReference): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${name}`;
}

/** Without a query: some hosts take tokens there. */
function shownUrl(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/:\/\/[^/@]*@/, "://");
}
