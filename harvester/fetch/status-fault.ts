/** What an HTTP status means when the body was nothing the protocol knows (the protocol reads first: rule 4 of the case log). */
import { Fault, type FaultDetail, type FaultKind } from "../fault.js";
import type { HttpResponse } from "../http.js";
import { retryAfterOf } from "./retry-after.js";

interface Meaning {
  readonly kind: FaultKind;
  readonly code: string;
  readonly what: string;
  readonly remedy: string;
}

const askOperator =
  "Open the address in a browser; if it fails there too, tell the operator of the repository.";

const meanings: Readonly<Record<number, Meaning>> = {
  401: {
    kind: "denied",
    code: "Unauthorized",
    what: "wants credentials (401)",
    remedy:
      "Put the header it wants into the secret named by spec.transport.headersSecretName, or ask the agency for access.",
  },
  403: {
    kind: "denied",
    code: "Forbidden",
    what: "forbids the request (403)",
    remedy: "Ask the agency whether this harvester's address and User-Agent are allowed.",
  },
  404: {
    kind: "gone",
    code: "NotFound",
    what: "knows nothing at this address (404)",
    remedy: "Check spec.baseUrl; the repository may have moved.",
  },
  407: {
    kind: "denied",
    code: "ProxyDenied",
    what: "is behind a proxy that wants credentials (407)",
    remedy: "Check spec.transport.proxyUrl and what the proxy allows.",
  },
  408: {
    kind: "transient",
    code: "ServerTimeout",
    what: "gave up waiting for the request (408)",
    remedy: askOperator,
  },
  410: {
    kind: "gone",
    code: "Gone",
    what: "says the repository is gone for good (410)",
    remedy: "Ask the agency for the new address, or suspend the source.",
  },
  425: { kind: "transient", code: "TooEarly", what: "asks to try again (425)", remedy: askOperator },
  429: {
    kind: "throttled",
    code: "TooManyRequests",
    what: "says there were too many requests (429)",
    remedy: "Lower spec.concurrency.maxRequests or set requestsPerSecond.",
  },
  495: {
    kind: "denied",
    code: "ClientCertRejected",
    what: "refuses the client certificate (495)",
    remedy: "Check that the certificate is valid and registered with the agency.",
  },
  496: {
    kind: "denied",
    code: "ClientCertRejected",
    what: "wants a client certificate (496)",
    remedy: "Set spec.transport.mtls: true and provide the certificate.",
  },
  501: {
    kind: "protocol",
    code: "NotImplemented",
    what: "does not support the request (501)",
    remedy: askOperator,
  },
  503: {
    kind: "throttled",
    code: "ServiceUnavailable",
    what: "is not available just now (503)",
    remedy: "It may be under maintenance or load; the next run asks again.",
  },
};

/** `excerpt`: the beginning of the body where somebody read it (cleaned), which some servers need to be understood. */
export function statusFault(
  response: HttpResponse,
  context: { readonly now: number; readonly excerpt?: string | undefined },
): Fault {
  const meaning =
    meanings[response.status] ?? certificatePage(response, context.excerpt) ?? meaningOf(response.status);
  const retryAfterMs = retryAfterOf(response, context.now);
  const quiet =
    retryAfterMs === undefined ? "" : ` and asks for ${String(Math.ceil(retryAfterMs / 1000))} s of quiet`;
  const detail: FaultDetail = {
    code: meaning.code,
    sentence: `${response.url} ${meaning.what}${quiet}.`,
    remedy: meaning.remedy,
    status: response.status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(context.excerpt === undefined || context.excerpt === "" ? {} : { excerpt: context.excerpt }),
  };
  return new Fault(meaning.kind, detail);
}

/** Servers that ask for the certificate but shake hands without it say so in a page with status 400 (case C90). */
function certificatePage(response: HttpResponse, excerpt: string | undefined): Meaning | undefined {
  if (response.status !== 400 || excerpt === undefined) return undefined;
  const told = /SSL certificate|client certificate|certificate (?:is )?required/i.test(excerpt);
  return told
    ? { ...(meanings[496] as Meaning), what: "wants a client certificate it accepts (400)" }
    : undefined;
}

function meaningOf(status: number): Meaning {
  const shown = String(status);
  if (status >= 500)
    return {
      kind: "transient",
      code: "ServerError",
      what: `failed with status ${shown}`,
      remedy: askOperator,
    };
  if (status >= 400)
    return {
      kind: "protocol",
      code: "RequestRefused",
      what: `refused the request with status ${shown}`,
      remedy: askOperator,
    };
  if (status >= 300)
    return {
      kind: "protocol",
      code: "UnexpectedRedirect",
      what: `answered with status ${shown} but not where to go`,
      remedy: askOperator,
    };
  return {
    kind: "protocol",
    code: "UnexpectedAnswer",
    what: `answered with status ${shown}, but not in the protocol of the manifest`,
    remedy: askOperator,
  };
}
