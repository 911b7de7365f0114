/** Errors of the connection: what they say about the request, and a sentence for people. Pure. */
import type { NetworkGroup } from "./retry-decision.js";

export interface NetworkFailure {
  readonly group: NetworkGroup;
  /** Stable, for ApiFault.reason. */
  readonly reason: string;
  /** Follows "The API server at X ". */
  readonly what: string;
  readonly remedy: string;
}

const checkServer =
  "Check that the cluster runs and that this machine can reach it (network, VPN, firewall).";
const passing = "This passes when the API server is back; if it stays, check its health and the network.";

function unsent(reason: string, what: string): NetworkFailure {
  return { group: "unsent", reason, what, remedy: checkServer };
}

const reset: NetworkFailure = {
  group: "cut",
  reason: "ConnectionReset",
  what: "cut the connection before it had answered",
  remedy: passing,
};
const silent: NetworkFailure = {
  group: "silent",
  reason: "Timeout",
  what: "gave no answer in time",
  remedy: passing,
};
const noRoute = unsent("Unreachable", "cannot be reached: there is no route");
const noConnection = unsent("ConnectTimeout", "cannot be reached: no connection came about in time");
const closed: NetworkFailure = {
  group: "unsent",
  reason: "ConnectionClosed",
  what: "was not asked: the connection had just been closed",
  remedy: passing,
};

const known: Readonly<Record<string, NetworkFailure>> = {
  ECONNREFUSED: unsent("ConnectionRefused", "refused the connection: nothing listens there"),
  EAI_AGAIN: unsent("NameLookupFailed", "could not be looked up: DNS did not answer"),
  ENOTFOUND: {
    group: "final",
    reason: "UnknownHost",
    what: "is not known: DNS has no address for its name",
    remedy: "Check the server in the kubeconfig, and the DNS of this machine.",
  },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  UND_ERR_CONNECT_TIMEOUT: noConnection,
  ECONNRESET: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: reset,
  HPE_INVALID_EOF_STATE: reset,
  Z_BUF_ERROR: reset,
  UND_ERR_HEADERS_TIMEOUT: silent,
  UND_ERR_BODY_TIMEOUT: silent,
  ETIMEDOUT: silent,
  UND_ERR_INVALID_ARG: {
    group: "final",
    reason: "RequestInvalid",
    what: "was not asked: the request could not be built",
    remedy: "A token with blanks or control characters in it does this: check the kubeconfig's user.",
  },
  UND_ERR_CLOSED: closed,
  UND_ERR_DESTROYED: closed,
};

/** `error`: as undici or Node threw it. Its message is looked at, never shown. */
export function networkFailure(error: unknown): NetworkFailure {
  const { code: raw, syscall, message = "" } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const code = typeof raw === "string" ? raw : "";
  if (code === "ETIMEDOUT" && syscall === "connect") return noConnection;
  if (code === "ECONNRESET" && message.includes("before secure TLS connection")) return resetInHandshake;
  return known[code] ?? (/proxy/i.test(message) ? proxyFailure : otherFailure(code));
}

function otherFailure(code: string): NetworkFailure {
  if (code.startsWith("HPE_")) return notHttp;
  return tlsFailure(code) ?? unknownFailure(code);
}

const resetInHandshake: NetworkFailure = {
  ...reset,
  group: "unsent",
  what: "cut the connection in the middle of the TLS handshake",
};

const proxyFailure: NetworkFailure = {
  group: "final",
  reason: "ProxyRefused",
  what: "cannot be reached: the proxy of the kubeconfig (proxy-url) did not let the request through",
  remedy: "Check proxy-url and what the proxy allows.",
};

const notHttp: NetworkFailure = {
  group: "final",
  reason: "NotHttp",
  what: "answers, but not in HTTP",
  remedy: "Check scheme and port of the server in the kubeconfig.",
};

const authority =
  "Check certificate-authority of the kubeconfig (in a pod: ca.crt of the service account); verification is not switched off by itself.";

const tlsSentences: readonly (readonly [RegExp, string, string])[] = [
  [
    /CERT_HAS_EXPIRED/,
    "shows a certificate that has expired",
    "The cluster's operator must renew it; check this machine's clock too.",
  ],
  [/CERT_NOT_YET_VALID/, "shows a certificate that is not valid yet", "Check this machine's clock."],
  [
    /ALTNAME_INVALID/,
    "shows a certificate made out to another name",
    "Check the server in the kubeconfig, or set tls-server-name.",
  ],
  [/SELF_SIGNED|UNABLE_TO_|CERT_/, "shows a certificate of an authority that is not trusted", authority],
  [
    /ALERT/,
    "does not accept our client certificate",
    "Renew the client certificate of the kubeconfig's user.",
  ],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH/,
    "does not speak TLS on this port",
    "Check scheme and port of the server in the kubeconfig.",
  ],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, "did not complete the TLS handshake", authority],
];

function tlsFailure(code: string): NetworkFailure | undefined {
  if (!/^(ERR_SSL_|ERR_TLS_|EPROTO|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return undefined;
  const [, what, remedy] = tlsSentences.find(([pattern]) => pattern.test(code)) ?? [];
  if (what === undefined || remedy === undefined) return undefined;
  return { group: "tls", reason: "TlsFailed", what: `${what} (${code})`, remedy };
}

function unknownFailure(code: string): NetworkFailure {
  return {
    group: "cut",
    reason: code === "" ? "RequestFailed" : code,
    what: `could not be asked (${code === "" ? "no code" : code})`,
    remedy: passing,
  };
}
