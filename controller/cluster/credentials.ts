/** Who we are for the API server, kept fresh: tokens, certificates and plugins are asked again when their time has come. */
import { createHash } from "node:crypto";
import { authPluginOf, type PluginCredentials } from "./auth-plugin.js";
import type { Target } from "./target.js";
import { watchFile, type WatchedFile } from "./watched-file.js";

/** Kubelets and secret stores replace files long before the old ones expire (client-go's interval). */
const TOKEN_AGE_MS = 60_000;
/** A look at a certificate file is a stat; a burst of requests needs one. */
const CERTIFICATE_AGE_MS = 1_000;

/** What a TLS connection is made of. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Differs when any of these does; tells nothing of them. */
  readonly fingerprint: string;
}

export interface Credentials {
  /** Throws ConfigProblem. */
  headers(): Promise<Record<string, string | string[]>>;
  /** Throws ConfigProblem. */
  tls(): Promise<TlsMaterial>;
  /** Nothing that is remembered is trusted any more: files are read and plugins asked anew. */
  renew(): void;
}

/** `now`: a clock in ms that only goes forward. */
export function createCredentials(target: Target, now: () => number): Credentials {
  const { user, cluster } = target;
  function watched(path: string | undefined, what: string): WatchedFile | undefined {
    return path === undefined ? undefined : watchFile(path, what, now);
  }
  const files = {
    token: watched(user.tokenFile, "token file"),
    ca: watched(cluster.caFile, "certificate authority"),
    cert: watched(user.certFile, "client certificate"),
    key: watched(user.keyFile, "key of the client certificate"),
  };
  const plugin = rememberPlugin(target, now);

  return {
    async headers() {
      const token = (await files.token?.read(TOKEN_AGE_MS)) ?? user.token;
      const authorization = authorizationOf(token, target) ?? (await plugin.ask()).authorization;
      return { ...user.impersonation, ...(authorization === undefined ? {} : { authorization }) };
    },
    async tls() {
      const given = await plugin.ask();
      return fingerprinted({
        ca: (await files.ca?.read(CERTIFICATE_AGE_MS)) ?? cluster.caData,
        cert: given.cert ?? (await files.cert?.read(CERTIFICATE_AGE_MS)) ?? user.certData,
        key: given.key ?? (await files.key?.read(CERTIFICATE_AGE_MS)) ?? user.keyData,
      });
    },
    renew() {
      for (const file of Object.values(files)) file?.forget();
      plugin.forget();
    },
  };
}

function authorizationOf(token: string | undefined, { user }: Target): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (user.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}`;
}

/** One question at a time, and its answer for a while: a burst of requests starts one program. */
function rememberPlugin(
  target: Target,
  now: () => number,
): { ask(): Promise<PluginCredentials>; forget(): void } {
  const plugin = authPluginOf(target);
  let answer: { readonly given: Promise<PluginCredentials>; readonly at: number } | undefined;
  return {
    async ask() {
      if (plugin === undefined) return {};
      if (answer !== undefined && now() - answer.at < TOKEN_AGE_MS) return answer.given;
      const asked = { given: plugin.ask(), at: now() };
      answer = asked;
      try {
        return await asked.given;
      } catch (problem) {
        if (answer === asked) answer = undefined;
        throw problem;
      }
    },
    forget() {
      answer = undefined;
      plugin?.forget();
    },
  };
}

function fingerprinted(parts: Readonly<Record<"ca" | "cert" | "key", string | undefined>>): TlsMaterial {
  const hash = createHash("sha256").update(JSON.stringify([parts.ca, parts.cert, parts.key]));
  return {
    ...(parts.ca === undefined ? {} : { ca: parts.ca }),
    ...(parts.cert === undefined ? {} : { cert: parts.cert }),
    ...(parts.key === undefined ? {} : { key: parts.key }),
    fingerprint: hash.digest("hex"),
  };
}
