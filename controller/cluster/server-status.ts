/** The API server's Status object, read with mistrust. Pure. */

export interface ServerStatus {
  /** Status.reason; made up from the HTTP status where the server gave none. */
  readonly reason: string;
  /** The server's own words, without control characters, at most 2,000 characters; "" for none. */
  readonly message: string;
  readonly causes: readonly StatusCause[];
  /** details.retryAfterSeconds. */
  readonly retryAfterSeconds?: number;
  /** details.kind, e.g. namespaces. */
  readonly kind?: string;
  readonly name?: string;
  /** False: the body was no Status, as from a proxy, or from a path the server does not know. */
  readonly genuine: boolean;
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

const MAX_MESSAGE = 2000;
const MAX_CAUSES = 50;

const usualReasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Expired",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** `body`: as received, any text. */
export function readServerStatus(status: number, body: string): ServerStatus {
  const json = recordOf(parsed(body));
  const genuine = json["kind"] === "Status";
  const details = recordOf(json["details"]);
  const causes = Array.isArray(details["causes"]) ? details["causes"].slice(0, MAX_CAUSES) : [];
  const seconds = details["retryAfterSeconds"];
  const reason = genuine ? textOf(json["reason"]) : "";
  return {
    reason: reason === "" ? (usualReasons[status] ?? `Http${String(status)}`) : reason,
    message: genuine ? textOf(json["message"]) : "",
    causes: causes.map(recordOf).map(causeOf),
    ...(typeof seconds === "number" && seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    ...named("kind", textOf(details["kind"])),
    ...named("name", textOf(details["name"])),
    genuine,
  };
}

function causeOf(cause: Readonly<Record<string, unknown>>): StatusCause {
  return {
    reason: textOf(cause["reason"]),
    message: textOf(cause["message"]),
    field: textOf(cause["field"]),
  };
}

function named(key: "kind" | "name", value: string): { readonly kind?: string; readonly name?: string } {
  return value === "" ? {} : { [key]: value };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return value.replace(/\p{Cc}+/gu, " ").slice(0, MAX_MESSAGE);
}
