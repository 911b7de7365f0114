/** What an OAI error, or the HTTP status of an answer that is not OAI, means to a run. */
import { Fault, type FaultKind } from "../../fault.js";
import type { HttpResponse } from "../../http.js";

export interface OaiError {
  /** As written; "" when missing (case C39). */
  readonly code: string;
  /** Cleaned of control characters, at most 500 characters. */
  readonly text: string;
}

interface Meaning {
  readonly kind: FaultKind;
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

const OUR_ASKING =
  "Check metadataPrefix, sets and delta in the manifest; if they are right, please report the request that was refused.";

/** OAI-PMH §3.6, worst first: of several errors in one answer the first in this order decides. */
const meanings: Readonly<Record<string, Meaning>> = {
  badVerb: {
    kind: "protocol",
    code: "BadVerb",
    says: "The source does not understand the request",
    remedy: OUR_ASKING,
  },
  cannotDisseminateFormat: {
    kind: "config",
    code: "FormatNotSupported",
    says: "The source does not offer the metadata format that was asked for",
    remedy: "Set spec.metadataPrefix to one of the prefixes the source lists with verb=ListMetadataFormats.",
  },
  noSetHierarchy: {
    kind: "config",
    code: "SetsNotSupported",
    says: "The source has no sets",
    remedy: "Remove spec.sets from the manifest to harvest the whole repository.",
  },
  badArgument: {
    kind: "protocol",
    code: "BadArgument",
    says: "The source refuses an argument of the request",
    remedy: OUR_ASKING,
  },
  badResumptionToken: {
    kind: "token-expired",
    code: "TokenExpired",
    says: "The source no longer knows the resumption token",
    remedy:
      "The list is asked for again from its beginning; if it happens again, narrow it with spec.delta.maxWindowDays.",
  },
  idDoesNotExist: {
    kind: "protocol",
    code: "IdDoesNotExist",
    says: "The source does not know the identifier",
    remedy: OUR_ASKING,
  },
  noMetadataFormats: {
    kind: "config",
    code: "FormatNotSupported",
    says: "The source offers no metadata format",
    remedy: "Ask the source's operator.",
  },
  noRecordsMatch: {
    kind: "protocol",
    code: "NoRecordsMatch",
    says: "The source has no matching record",
    remedy: OUR_ASKING,
  },
};

function sentenceOf(says: string, errors: readonly OaiError[]): string {
  const told = errors
    .slice(0, 3)
    .map((error) => [error.code, error.text].filter((part) => part !== "").join(": "));
  return `${says} (${told.join("; ") || "an error without code and text"}).`;
}

/** Undefined when every error says only that there is nothing: success (cases C34, C37). */
export function faultOfErrors(
  errors: readonly OaiError[],
  response: HttpResponse,
  sentToken: boolean,
): Fault | undefined {
  if (errors.length > 0 && errors.every((error) => error.code === "noRecordsMatch")) return undefined;
  const codes = new Set(errors.map((error) => error.code));
  const unknown = errors.some((error) => !Object.hasOwn(meanings, error.code));
  const known = Object.entries(meanings).find(([code]) => codes.has(code))?.[1];
  if (known === undefined || (unknown && known.code === "NoRecordsMatch"))
    return unknownError(errors, response);
  // A token refused that was never sent: nothing to ask anew.
  const kind = known.kind === "token-expired" && !sentToken ? "protocol" : known.kind;
  return new Fault(kind, {
    code: known.code,
    sentence: sentenceOf(known.says, errors),
    remedy: known.remedy,
    status: response.status,
  });
}

/** Outside the closed list of the protocol: perhaps a bad moment of the server, so it may be asked again (case C39). */
function unknownError(errors: readonly OaiError[], response: HttpResponse): Fault {
  const quiet = response.status === 429 || response.status === 503;
  return new Fault(quiet ? "throttled" : "transient", {
    code: "UnknownOaiError",
    sentence: sentenceOf("The source answered with an error that OAI-PMH does not define", errors),
    remedy: "It is asked again; if the error stays, ask the source's operator.",
    status: response.status,
  });
}

interface StatusMeaning {
  readonly kind: FaultKind;
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

const ASK_OPERATOR = "Look at the excerpt; if it stays, ask the source's operator.";
const statusMeanings: Readonly<Record<number, StatusMeaning>> = {
  401: {
    kind: "denied",
    code: "Denied",
    says: "asks for credentials",
    remedy: "Set spec.transport (client certificate or headers secret), or ask the operator for access.",
  },
  403: {
    kind: "denied",
    code: "Denied",
    says: "refuses access",
    remedy: "Ask the operator to admit this harvester; runs stop until someone does.",
  },
  404: { kind: "gone", code: "NotFound", says: "has nothing at this address", remedy: "Check spec.baseUrl." },
  408: {
    kind: "transient",
    code: "HttpStatus",
    says: "waited too long for the request",
    remedy: ASK_OPERATOR,
  },
  410: {
    kind: "gone",
    code: "Gone",
    says: "says that this address is gone for good",
    remedy: "Find the repository's new address and change spec.baseUrl.",
  },
  413: {
    kind: "protocol",
    code: "ListTooLarge",
    says: "finds the list too large",
    remedy: "Narrow the list with spec.delta.maxWindowDays or spec.sets.",
  },
  425: { kind: "transient", code: "HttpStatus", says: "asks to try later", remedy: ASK_OPERATOR },
  429: {
    kind: "throttled",
    code: "Throttled",
    says: "asks for fewer requests",
    remedy: "Lower spec.concurrency.requestsPerSecond.",
  },
  503: {
    kind: "throttled",
    code: "Throttled",
    says: "is not available now",
    remedy: "It is asked again later.",
  },
};

/** The Fault of an answer whose body is not OAI, by its status alone (cases C36, C87). Undefined below 300. */
export function faultOfStatus(response: HttpResponse, excerpt: string): Fault | undefined {
  const { status, url } = response;
  if (status < 300) return undefined;
  const meaning = statusMeanings[status] ?? otherStatus(status);
  return new Fault(meaning.kind, {
    code: meaning.code,
    sentence: `The source ${meaning.says}: HTTP ${String(status)} from ${url}.`,
    remedy: meaning.remedy,
    status,
    ...(excerpt === "" ? {} : { excerpt }),
  });
}

function otherStatus(status: number): StatusMeaning {
  if (status >= 500) return { kind: "transient", code: "HttpStatus", says: "failed", remedy: ASK_OPERATOR };
  if (status < 400)
    return {
      kind: "protocol",
      code: "UnexpectedRedirect",
      says: "points elsewhere without saying where",
      remedy: "Check spec.baseUrl.",
    };
  return { kind: "protocol", code: "HttpStatus", says: "refuses the request", remedy: ASK_OPERATOR };
}
