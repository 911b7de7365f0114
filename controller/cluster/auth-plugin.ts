/**
 * Credentials from a program (`exec`) or an identity provider (`auth-provider`), by @kubernetes/client-node. The library as a
 * whole is loaded only for providers: it costs about a second and 70 MB, and a controller in a pod has no use for it.
 */
import type { KubeConfig, User } from "@kubernetes/client-node";
import { ConfigProblem } from "./config-problem.js";
import type { Target, UserEntry } from "./target.js";

export interface PluginCredentials {
  readonly authorization?: string;
  /** PEM. */
  readonly cert?: string;
  readonly key?: string;
}

export interface AuthPlugin {
  /** Asks the program or provider, or takes what it gave while that is valid. Throws ConfigProblem. */
  ask(): Promise<PluginCredentials>;
  /** The next question is a new one, whatever is still valid. */
  forget(): void;
}

/** A plugin may have to wait for a person at a browser. */
const PATIENCE_MS = 120_000;

/** Undefined: the user needs no plugin. */
export function authPluginOf(target: Target): AuthPlugin | undefined {
  const { user } = target;
  if (user.exec === undefined && user.authProvider === undefined) return undefined;
  let asker: Promise<() => Promise<PluginCredentials>> | undefined;
  return {
    async ask() {
      asker ??= createAsker(target);
      try {
        return await withPatience((await asker)());
      } catch (error) {
        throw pluginProblem(user, error);
      }
    },
    forget() {
      asker = undefined;
    },
  };
}

/** What the library's plugins fill in. */
type Options = Parameters<KubeConfig["applyToHTTPSOptions"]>[0];

async function createAsker(target: Target): Promise<() => Promise<PluginCredentials>> {
  const apply = target.user.exec === undefined ? await providerOf(target) : await programOf(target);
  return async () => {
    const options: Options = { headers: {} };
    await apply(options);
    const headers = options.headers as Readonly<Record<string, unknown>>;
    const authorization = headers["Authorization"];
    return {
      ...(typeof authorization === "string" ? { authorization } : {}),
      ...pemOf("cert", options.cert),
      ...pemOf("key", options.key),
    };
  };
}

/** Its one file alone: most people log in this way, and each command would pay for the whole library. */
async function programOf(target: Target): Promise<(options: Options) => Promise<void>> {
  const { ExecAuth } = await import("@kubernetes/client-node/dist/exec_auth.js");
  const program = new ExecAuth();
  const user = libraryUser(target);
  return (options) => program.applyAuthentication(user, options);
}

async function providerOf(target: Target): Promise<(options: Options) => Promise<void>> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  // The library refuses http servers and opens files of its own here: it is told only what the plugin needs.
  config.loadFromClusterAndUser(
    { name: "cluster", server: "https://cluster.invalid", skipTLSVerify: false },
    libraryUser(target),
  );
  return (options) => config.applyToHTTPSOptions(options);
}

function pemOf(name: "cert" | "key", value: unknown): { readonly cert?: string; readonly key?: string } {
  return typeof value === "string" ? { [name]: value } : {};
}

function libraryUser({ user, cluster }: Target): User {
  const { exec } = user;
  if (exec === undefined) return { name: user.name, authProvider: structuredClone(user.authProvider) };
  const env = Array.isArray(exec["env"]) ? exec["env"] : [];
  const info = {
    kind: "ExecCredential",
    apiVersion: exec["apiVersion"] ?? "client.authentication.k8s.io/v1",
    spec: {
      interactive: false,
      ...(exec["provideClusterInfo"] === true ? { cluster: clusterInfo(cluster) } : {}),
    },
  };
  return {
    name: user.name,
    exec: { ...exec, env: [...env, { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }] },
  };
}

function clusterInfo(cluster: Target["cluster"]): Record<string, unknown> {
  const { caData, tlsServerName, proxyUrl } = cluster;
  return {
    server: cluster.server.href,
    "insecure-skip-tls-verify": cluster.insecure,
    ...(caData === undefined ? {} : { "certificate-authority-data": Buffer.from(caData).toString("base64") }),
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
    ...(proxyUrl === undefined ? {} : { "proxy-url": proxyUrl }),
  };
}

async function withPatience<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`it gave no answer in ${String(PATIENCE_MS / 1000)} s`));
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function pluginProblem(user: UserEntry, error: unknown): ConfigProblem {
  const command = user.exec?.["command"];
  const who =
    user.exec === undefined
      ? `identity provider '${String(user.authProvider?.["name"])}'`
      : `login program '${String(command)}'`;
  const hint = user.exec?.["installHint"];
  return new ConfigProblem("PluginFailed", {
    sentence: `The ${who} of user '${user.name}' gave no credentials: ${reasonOf(error)}.`,
    remedy:
      typeof hint === "string" && hint !== ""
        ? hint.trim().slice(0, 500)
        : "Run it by hand to see why, and log in again.",
  });
}

function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (code === "ENOENT") return "there is no such program in PATH";
  if (code === "EACCES") return "it may not be executed";
  // These quote what the plugin printed, and that may be a token.
  if (error instanceof SyntaxError || error instanceof TypeError)
    return "what it printed is no ExecCredential";
  const text = error instanceof Error ? error.message : String(error);
  const [first = ""] = text.trim().split("\n");
  return first === "" ? "it failed without a word" : first.slice(0, 300).replace(/\.$/, "");
}
