/** Failures below HTTP as Faults: one table from error codes to sentences. */
import { Fault, type FaultKind } from "../fault.js";
import type { Place } from "./place.js";
import { cleanExcerpt, redactText } from "./redact.js";
import { tlsFault, tlsGroup } from "./tls-fault.js";
import type { TlsSight } from "./tls-probe.js";

interface Told {
  readonly kind: FaultKind;
  readonly code: string;
  /** Completes "The request to X failed: …" or stands after the authority. */
  readonly what: (place: Place) => string;
  readonly remedy: string;
}

const checkHost = "Check the host in spec.baseUrl, and whether this machine can reach it.";
const later = "It is asked again; if it stays like this, tell the operator of the repository.";

const unreachable: Told = {
  kind: "transient",
  code: "Unreachable",
  what: (place) => `There is no route to ${place.authority}.`,
  remedy: checkHost,
};
const reset: Told = {
  kind: "transient",
  code: "ConnectionReset",
  what: (place) => `${place.authority} cut the connection before it answered.`,
  remedy: later,
};
const connectTimeout: Told = {
  kind: "transient",
  code: "ConnectTimeout",
  what: (place) => `No connection to ${place.authority} came about in time.`,
  remedy:
    "If this source is only slow, raise spec.transport.timeouts.connectSeconds; else check that a firewall lets the request out.",
};

const known: Readonly<Record<string, Told>> = {
  ENOTFOUND: {
    kind: "unavailable",
    code: "UnknownHost",
    what: (place) => `The host ${place.host} is not known (DNS has no address for it).`,
    remedy: checkHost,
  },
  EAI_AGAIN: {
    kind: "transient",
    code: "NameLookupFailed",
    what: (place) => `The host ${place.host} could not be looked up: DNS did not answer.`,
    remedy: "Check the DNS of this machine.",
  },
  ECONNREFUSED: {
    kind: "unavailable",
    code: "ConnectionRefused",
    what: (place) => `${place.authority} refused the connection: nothing listens there.`,
    remedy: "Check host and port in spec.baseUrl; the service may be down.",
  },
  ECONNRESET: reset,
  EPIPE: reset,
  UND_ERR_SOCKET: reset,
  ETIMEDOUT: connectTimeout,
  UND_ERR_CONNECT_TIMEOUT: connectTimeout,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  UND_ERR_HEADERS_OVERFLOW: {
    kind: "protocol",
    code: "HeadersTooLarge",
    what: (place) => `${place.authority} answered with more than 16 KiB of headers.`,
    remedy: "Tell the operator of the repository.",
  },
  UND_ERR_INVALID_ARG: {
    kind: "bug",
    code: "RequestInvalid",
    what: (place) => `The request to ${place.url} could not be built.`,
    remedy: "This is a fault of the harvester: please report it with the output of --log-level debug.",
  },
  UND_ERR_DESTROYED: {
    kind: "interrupted",
    code: "ClientClosed",
    what: (place) => `The request to ${place.authority} was stopped: the client was closed.`,
    remedy: "Nothing to do: the next run goes on.",
  },
  UND_ERR_CLOSED: {
    kind: "interrupted",
    code: "ClientClosed",
    what: (place) => `The request to ${place.authority} was not sent: the client was closed.`,
    remedy: "Nothing to do: the next run goes on.",
  },
};

/** `sight`: what a probe saw after a TLS failure. Faults pass unchanged; unknown codes are transient and shown. */
export function networkFault(thrown: unknown, place: Place, sight: TlsSight = {}): Fault {
  if (thrown instanceof Fault) return thrown;
  const code = codeOf(thrown);
  if (place.proxy !== undefined && /Proxy/.test(messageOf(thrown))) return proxyRefused(thrown, place);
  const told = known[code];
  if (told !== undefined) return fault(told, place, thrown);
  if (isParserError(thrown, code)) return notHttp(thrown, place);
  if (tlsGroup(code) !== undefined) return tlsFault({ code, cause: thrown }, place, sight);
  return new Fault("transient", {
    code: "RequestFailed",
    sentence: `The request to ${place.url} failed: ${redactText(messageOf(thrown)).slice(0, 200)}${code === "" ? "" : ` (${code})`}.`,
    remedy: later,
    cause: thrown,
  });
}

export function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** The library's parser gives a code only for some of its complaints. */
function isParserError(thrown: unknown, code: string): boolean {
  return code.startsWith("HPE_") || (thrown instanceof Error && thrown.name === "HTTPParserError");
}

/** Was the connection closed before a single byte of an answer? */
export function closedBeforeAnswer(thrown: unknown): boolean {
  return known[codeOf(thrown)] === reset;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function fault(told: Told, place: Place, cause: unknown): Fault {
  const viaProxy =
    place.proxy === undefined ? "" : ` (Through the proxy ${place.proxy}, which may be the one that failed.)`;
  return new Fault(told.kind, {
    code: told.code,
    sentence: `${told.what(place)}${viaProxy}`,
    remedy: told === reset && mayWantCertificate(place) ? `${told.remedy} ${certificateHint}` : told.remedy,
    cause,
  });
}

const certificateHint =
  "Some servers hang up like this on who has no client certificate: then set spec.transport.mtls: true.";

function mayWantCertificate(place: Place): boolean {
  return place.url.startsWith("https:") && place.clientCertificate === undefined;
}

/** An SSH banner, a mail server, TLS on a port asked in the clear. The parser keeps the bytes it choked on. */
function notHttp(thrown: unknown, place: Place): Fault {
  const data = (thrown as { data?: unknown }).data;
  const excerpt = cleanExcerpt(Buffer.from(typeof data === "string" ? data : "", "utf8"));
  const tls = typeof data === "string" && isTlsRecord(data);
  return new Fault("unavailable", {
    code: "NotHttp",
    sentence: tls
      ? `${place.authority} speaks TLS on this port, but the address says http.`
      : `${place.authority} answers, but not in HTTP${excerpt === "" ? "" : `: '${excerpt.slice(0, 80)}'`}.`,
    remedy: tls ? "Write https:// in spec.baseUrl." : "Check the port in spec.baseUrl.",
    ...(excerpt === "" ? {} : { excerpt }),
    cause: thrown,
  });
}

/** RFC 8446 §5.1: a record type from 20 to 23, then major version 3. */
function isTlsRecord(data: string): boolean {
  const type = data.charCodeAt(0);
  return type >= 20 && type <= 23 && data.charCodeAt(1) === 3;
}

function proxyRefused(thrown: unknown, place: Place): Fault {
  const status = /\d{3}/.exec(messageOf(thrown))?.[0];
  return new Fault("unavailable", {
    code: "ProxyRefused",
    sentence: `The proxy ${place.proxy ?? ""} did not open the way to ${place.authority}${status === undefined ? "" : ` (it answered ${status})`}.`,
    remedy: "Check spec.transport.proxyUrl and what the proxy allows.",
    cause: thrown,
  });
}
