/**
 * Kubeconfig values → the target a context stands for. Read here and not by the client library: its reader knows no
 * `tokenFile` and no `as-groups`, lets the last of several files win where kubectl lets the first, and stops at a missing one.
 */
import { dirname, isAbsolute, join } from "node:path";
import type { JsonObject } from "../object.js";
import { ConfigProblem, type ConfigProblemCode } from "./config-problem.js";
import { impersonationOf } from "./impersonation.js";
import type { ClusterEntry, Target, UserEntry } from "./target.js";
import { parseAddress } from "../../source/address.js";

export interface KubeconfigFile {
  readonly path: string;
  readonly value: JsonObject;
}

type Kind = "context" | "cluster" | "user";

interface Entry {
  readonly value: JsonObject;
  /** Relative paths in it count from here. */
  readonly folder: string;
}

/** `files`: most important first. `context` absent = current-context of the first file that has one. Throws ConfigProblem. */
export function chooseTarget(files: readonly KubeconfigFile[], context?: string): Target {
  const contextName = context ?? currentContext(files);
  if (contextName === undefined)
    throw problem(
      "ContextMissing",
      `The kubeconfig ${pathsOf(files)} names no current context.`,
      hint(files),
    );
  const chosen = entryOf(files, "context", contextName)?.value;
  if (chosen === undefined)
    throw problem(
      "ContextMissing",
      `The kubeconfig ${pathsOf(files)} has no context '${contextName}'.`,
      hint(files),
    );
  const namespace = textOf(chosen, "namespace");
  return {
    contextName,
    ...(namespace === undefined ? {} : { namespace }),
    cluster: clusterOf(
      ...refer(files, { contextName, kind: "cluster", name: textOf(chosen, "cluster") ?? "" }),
    ),
    user: chosenUser(files, { contextName, name: textOf(chosen, "user") }),
  };
}

/** A context without a user is anonymous, as behind `kubectl proxy`. */
function chosenUser(
  files: readonly KubeconfigFile[],
  { contextName, name }: { readonly contextName: string; readonly name: string | undefined },
): UserEntry {
  if (name === undefined) return { name: "", impersonation: {} };
  return userOf(...refer(files, { contextName, kind: "user", name }));
}

interface Reference {
  readonly contextName: string;
  readonly kind: "cluster" | "user";
  readonly name: string;
}

function refer(files: readonly KubeconfigFile[], { contextName, kind, name }: Reference): [Entry, string] {
  const found = entryOf(files, kind, name);
  if (found !== undefined) return [found, name];
  throw problem(
    kind === "cluster" ? "ClusterMissing" : "UserMissing",
    `Context '${contextName}' of the kubeconfig ${pathsOf(files)} names the ${kind} '${name}', which is not in it.`,
  );
}

function pathsOf(files: readonly KubeconfigFile[]): string {
  return files.map(({ path }) => path).join(", ");
}

/** A mapping of YAML or JSON. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function currentContext(files: readonly KubeconfigFile[]): string | undefined {
  return files.map(({ value }) => textOf(value, "current-context")).find((name) => name !== undefined);
}

/** The first file that has an entry of this name wins. */
function entryOf(files: readonly KubeconfigFile[], kind: Kind, name: string): Entry | undefined {
  for (const file of files) {
    const found = named(file, kind).find((entry) => entry["name"] === name);
    if (found === undefined) continue;
    const value = found[kind];
    return { value: isRecord(value) ? value : {}, folder: dirname(file.path) };
  }
  return undefined;
}

function named({ value }: KubeconfigFile, kind: Kind): readonly JsonObject[] {
  const list = value[`${kind}s`];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function clusterOf({ value, folder }: Entry, name: string): ClusterEntry {
  return {
    server: serverOf(textOf(value, "server") ?? "", name),
    ...pick({
      caFile: fileIn(folder, textOf(value, "certificate-authority")),
      caData: decoded(value, "certificate-authority-data", `cluster '${name}'`),
      tlsServerName: textOf(value, "tls-server-name"),
      proxyUrl: textOf(value, "proxy-url"),
    }),
    insecure: value["insecure-skip-tls-verify"] === true,
  };
}

function serverOf(text: string, cluster: string): URL {
  const url = parseAddress(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "")
    return url;
  throw problem(
    "ServerInvalid",
    `The server of cluster '${cluster}' is no address of the form https://host:port.`,
  );
}

function userOf({ value, folder }: Entry, name: string): UserEntry {
  const { exec, "auth-provider": authProvider } = value;
  return {
    name,
    ...pick({
      token: textOf(value, "token"),
      tokenFile: fileIn(folder, textOf(value, "tokenFile")),
      username: textOf(value, "username"),
      password: textOf(value, "password"),
      certFile: fileIn(folder, textOf(value, "client-certificate")),
      certData: decoded(value, "client-certificate-data", `user '${name}'`),
      keyFile: fileIn(folder, textOf(value, "client-key")),
      keyData: decoded(value, "client-key-data", `user '${name}'`),
    }),
    impersonation: impersonationOf(value),
    ...(isRecord(exec) ? { exec: withCommandIn(folder, exec) } : {}),
    ...(isRecord(authProvider) ? { authProvider } : {}),
  };
}

/** A command with a slash counts from the kubeconfig; one without is looked up in PATH (client-go's rule). */
function withCommandIn(folder: string, exec: JsonObject): JsonObject {
  const { command } = exec;
  return typeof command === "string" && command.includes("/")
    ? { ...exec, command: isAbsolute(command) ? command : join(folder, command) }
    : exec;
}

function textOf(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === "string" && found !== "" ? found : undefined;
}

function fileIn(folder: string, path: string | undefined): string | undefined {
  return path === undefined || isAbsolute(path) ? path : join(folder, path);
}

function decoded(value: JsonObject, key: string, whose: string): string | undefined {
  const text = textOf(value, key);
  if (text === undefined) return undefined;
  const pem = Buffer.from(text, "base64").toString("utf8");
  if (pem.includes("-----BEGIN ")) return pem;
  throw problem("CertificateInvalid", `${key} of ${whose} is no PEM text in base64.`);
}

function pick<T extends Readonly<Record<string, string | undefined>>>(
  values: T,
): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}

function hint(files: readonly KubeconfigFile[]): string {
  const names = files.flatMap((file) => named(file, "context")).map(({ name }) => String(name));
  if (names.length === 0) return "It has no contexts at all: is it the right file?";
  const more = names.length > 8 ? `, and ${String(names.length - 8)} more` : "";
  return `Choose one with --context: ${names.slice(0, 8).join(", ")}${more}.`;
}

function problem(code: ConfigProblemCode, sentence: string, remedy?: string): ConfigProblem {
  return new ConfigProblem(code, {
    sentence,
    remedy: remedy ?? "Correct the file, or choose another context or kubeconfig.",
  });
}
