import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { GitFault } from "./git-fault.js";
import type { GitSyncSettings } from "./git-sync-settings.js";

export interface GitCredentials {
  /** For git's environment: never an argument, which every process of the machine may read. */
  readonly environment: Readonly<Record<string, string>>;
  /** Texts that must not stand in any message. */
  readonly secrets: readonly string[];
}

/** A token is short, a certificate bundle is not. */
const MAX_SECRET_BYTES = 262_144;

/** Reads the secret anew for each fetch, so that a rotated one is used at once. Throws GitFault `credentials`. */
export async function readCredentials(settings: GitSyncSettings): Promise<GitCredentials> {
  const { url, secretDirectory } = settings;
  if (url.startsWith("https://")) return httpsCredentials(url, secretDirectory);
  if (url.startsWith("file://")) return { environment: {}, secrets: [] };
  if (secretDirectory === undefined)
    throw new GitFault("credentials", "An ssh address needs a secret with ssh-privatekey and known_hosts.");
  return sshCredentials(secretDirectory);
}

async function httpsCredentials(url: string, directory: string | undefined): Promise<GitCredentials> {
  if (directory === undefined) return { environment: {}, secrets: [] };
  const ca = join(directory, "ca.crt");
  const trust: Record<string, string> = (await isFile(ca)) ? { GIT_SSL_CAINFO: ca } : {};
  const password = await readText(join(directory, "password"));
  if (password === undefined) return { environment: trust, secrets: [] };
  const username = (await readText(join(directory, "username"))) ?? "git";
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const environment = {
    ...trust,
    GIT_CONFIG_COUNT: "1",
    // Only for this host: with redirects switched off, the header goes nowhere else.
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
  return { environment, secrets: [password, basic] };
}

async function sshCredentials(directory: string): Promise<GitCredentials> {
  const key = join(directory, "ssh-privatekey");
  const hosts = join(directory, "known_hosts");
  if (!(await isFile(key)) || !(await isFile(hosts)))
    throw new GitFault(
      "credentials",
      "The secret of the Git sync must hold ssh-privatekey and known_hosts: without the second nobody knows who answers.",
    );
  const options = [
    "BatchMode=yes",
    "IdentitiesOnly=yes",
    "StrictHostKeyChecking=yes",
    "GlobalKnownHostsFile=/dev/null",
    `UserKnownHostsFile=${hosts}`,
    "ConnectTimeout=20",
  ].map((option) => `-o ${quoted(option)}`);
  return {
    environment: { GIT_SSH_COMMAND: `ssh -F /dev/null -i ${quoted(key)} ${options.join(" ")}` },
    secrets: [],
  };
}

/** git hands this one variable to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

async function readText(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || found.size > MAX_SECRET_BYTES) return undefined;
  const text = (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  if (/[\0\r\n]/.test(text))
    throw new GitFault("credentials", "The user name or password of the Git sync has more than one line.");
  return text;
}
