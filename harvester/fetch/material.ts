/**
 * Certificates and secret headers from files: the environment (OAI_CLIENT_CERT, OAI_CLIENT_KEY) or directories laid out
 * like mounted Kubernetes secrets. Read again when they change, so that a rotation needs no restart (case C90).
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../fault.js";
import type { Warning } from "../record.js";
import { expiryWarning } from "./expiry.js";
import { checkPair, type ClientCertificate, type TlsMaterial } from "./tls-context.js";

export interface TransportMaterial extends TlsMaterial {
  /** Sent to the manifest's own origin only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
}

/** Directories of mounted secrets; absent where the manifest names none. */
export interface MaterialDirectories {
  /** tls.crt and tls.key; its ca.crt is trusted when `ca` is absent. */
  readonly clientCertificate?: string | undefined;
  /** ca.crt */
  readonly ca?: string | undefined;
  /** One file per header: its name is the header's, its content the value. */
  readonly headers?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_FILE_BYTES = 1024 * 1024;
/** Names that frame the message: a secret must not be able to break it. */
const framing = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "keep-alive",
  "proxy-authorization",
]);

/** Reads everything once. Throws Fault `config` that names the file. */
export async function loadTransportMaterial(
  environment: Environment,
  directories: MaterialDirectories,
  now: number = Date.now(),
): Promise<TransportMaterial> {
  const clientCertificate = await loadClientCertificate(environment, directories.clientCertificate);
  const ca = await loadCa(directories);
  const headers = directories.headers === undefined ? {} : await loadHeaders(directories.headers);
  const warning = clientCertificate === undefined ? undefined : expiryOf(clientCertificate, now);
  return { clientCertificate, ca, headers, warnings: warning === undefined ? [] : [warning] };
}

/**
 * For ClientOptions.material: the same object while nothing changed on disk. While new files are unusable (half
 * written) the last good ones stay in use, with a warning.
 */
export function transportMaterial(
  environment: Environment,
  directories: MaterialDirectories,
): () => Promise<TransportMaterial> {
  let last: { readonly stamp: string; readonly material: TransportMaterial } | undefined;
  return async () => {
    const stamp = await stampOf(environment, directories);
    if (last?.stamp === stamp) return last.material;
    try {
      last = { stamp, material: await loadTransportMaterial(environment, directories) };
    } catch (thrown) {
      if (last === undefined || !(thrown instanceof Fault)) throw thrown;
      const warning = {
        code: "certificate-reload-failed",
        sentence: `New certificate files were not taken over: ${thrown.message}`,
      };
      last = { stamp: "retry", material: { ...last.material, warnings: [warning] } };
    }
    return last.material;
  };
}

async function loadClientCertificate(
  environment: Environment,
  directory: string | undefined,
): Promise<ClientCertificate | undefined> {
  const certFile = environment["OAI_CLIENT_CERT"];
  const keyFile = environment["OAI_CLIENT_KEY"];
  if (certFile !== undefined || keyFile !== undefined) {
    if (certFile === undefined || keyFile === undefined)
      throw halfSet(certFile === undefined ? "OAI_CLIENT_CERT" : "OAI_CLIENT_KEY");
    return checked({
      cert: await read(certFile),
      key: await read(keyFile),
      from: "OAI_CLIENT_CERT and OAI_CLIENT_KEY",
    });
  }
  if (directory === undefined) return undefined;
  // Kubernetes swaps `..data` as a whole: both files are read from the same version.
  const version = await currentVersion(directory);
  return checked({
    cert: await read(join(version, "tls.crt")),
    key: await read(join(version, "tls.key")),
    from: directory,
  });
}

function checked(pair: ClientCertificate): ClientCertificate {
  checkPair(pair);
  return pair;
}

function expiryOf(pair: ClientCertificate, now: number): Warning | undefined {
  const { validTo } = checkPair(pair);
  return expiryWarning({
    what: `The client certificate (${pair.from})`,
    code: "client-certificate-expires",
    notAfter: Date.parse(validTo),
    now,
  });
}

async function loadCa(directories: MaterialDirectories): Promise<{ pem: string; from: string } | undefined> {
  if (directories.ca !== undefined) {
    const file = join(await currentVersion(directories.ca), "ca.crt");
    return { pem: await read(file), from: join(directories.ca, "ca.crt") };
  }
  if (directories.clientCertificate === undefined) return undefined;
  const file = join(directories.clientCertificate, "ca.crt");
  return (await stamp(file)) === "absent" ? undefined : { pem: await read(file), from: file };
}

async function loadHeaders(directory: string): Promise<Record<string, string>> {
  const version = await currentVersion(directory);
  const headers: Record<string, string> = {};
  for (const name of await list(version)) {
    const value = (await read(join(version, name))).replace(/[\r\n]+$/, "");
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || framing.has(name.toLowerCase()))
      throw badHeader(directory, name, "is not a header this program may set");
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw badHeader(directory, name, "holds a line break or another character no header can carry");
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

async function list(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => !name.startsWith("."));
  } catch (thrown) {
    throw unreadable(directory, thrown);
  }
}

async function read(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES)
      throw Object.assign(new Error("bigger than 1 MiB"), { code: "bigger than 1 MiB" });
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw unreadable(file, thrown);
  }
}

async function currentVersion(directory: string): Promise<string> {
  return realpath(join(directory, "..data")).catch(() => directory);
}

async function stampOf(environment: Environment, directories: MaterialDirectories): Promise<string> {
  const { clientCertificate, ca, headers } = directories;
  const files = [environment["OAI_CLIENT_CERT"], environment["OAI_CLIENT_KEY"]];
  if (clientCertificate !== undefined)
    files.push(...["tls.crt", "tls.key", "ca.crt"].map((name) => join(clientCertificate, name)));
  if (ca !== undefined) files.push(join(ca, "ca.crt"));
  if (headers !== undefined) files.push(headers, ...(await list(headers)).map((name) => join(headers, name)));
  const present = files.filter((file) => file !== undefined);
  return (await Promise.all(present.map(stamp))).join(" ");
}

/** Changes with every rewrite, rename and symlink swap. */
async function stamp(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${String(ino)}:${String(size)}:${String(mtimeMs)}`;
  } catch {
    return "absent";
  }
}

function halfSet(missing: string): Fault {
  return new Fault("config", {
    code: "ClientCertIncomplete",
    sentence: `A client certificate needs both OAI_CLIENT_CERT and OAI_CLIENT_KEY; ${missing} is not set.`,
    remedy: `Set ${missing} to the path of its PEM file.`,
  });
}

function unreadable(file: string, thrown: unknown): Fault {
  const code = String((thrown as { code?: unknown } | null)?.code ?? "unknown reason");
  return new Fault("config", {
    code: "SecretUnreadable",
    sentence: `${file} cannot be read (${code}).`,
    remedy: "Check the path and its permissions, and that the secret is mounted.",
    cause: thrown,
  });
}

function badHeader(directory: string, name: string, why: string): Fault {
  return new Fault("config", {
    code: "SecretHeaderInvalid",
    sentence: `The header file '${name.slice(0, 60)}' in ${directory} ${why}.`,
    remedy: "Name each file like a header (e.g. Authorization) and put its value into it as one line.",
  });
}
