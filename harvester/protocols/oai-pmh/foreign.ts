/** A body that is no OAI-PMH document: what it looks like, told in words a person can act on (case C65). */
import { Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";

const EXCERPT_BYTES = 2048;

/** At most 2 KiB, without control characters. */
export function excerptOf(head: Uint8Array): string {
  const text = Buffer.from(head.subarray(0, EXCERPT_BYTES)).toString("utf8");
  return cleaned(text);
}

/** Without control characters, white space run together. */
export function cleaned(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

interface Look {
  readonly marks: RegExp;
  readonly what: string;
  readonly remedy: string;
}

const looks: readonly Look[] = [
  {
    marks:
      /captcha|cf-chl|challenge-platform|just a moment|checking your browser|are you (a )?(human|robot)|enable javascript and cookies|ddos/i,
    what: "a challenge meant for browsers (a bot check)",
    remedy: "Ask the operator to exempt this harvester's address or User-Agent on the OAI path.",
  },
  {
    marks: /maintenance|temporarily unavailable|be back soon|wartung|under construction/i,
    what: "a maintenance notice",
    remedy: "It is asked again; the next scheduled run will try too.",
  },
  {
    marks: /type=["']?password|log ?in|sign ?in|anmelden|shibboleth|samlrequest|openid/i,
    what: "a login page",
    remedy:
      "Set credentials in spec.transport (headers secret or client certificate), or ask for an address without login.",
  },
  {
    marks: /<(?:\w+:)?(ExceptionReport|Capabilities|GetRecordsResponse)\b/,
    what: "an answer of a CSW service",
    remedy: "Check spec.protocol and spec.baseUrl.",
  },
  { marks: /<(rss|feed)\b/i, what: "a news feed", remedy: "Check spec.baseUrl." },
  {
    marks: /<(!doctype\s+)?html\b|<head\b|<body\b/i,
    what: "an HTML page",
    remedy: "Open spec.baseUrl?verb=Identify in a browser and correct the address.",
  },
  { marks: /^\s*[{[]/, what: "JSON", remedy: "Check spec.protocol and spec.baseUrl." },
  {
    marks: /^\s*<\?xml|^\s*<[A-Za-z]/,
    what: "XML of another kind",
    remedy: "Check spec.protocol and spec.baseUrl.",
  },
];

/** The Fault for a body that is not OAI-PMH although the status says success: it may be a passing state. */
export function notOai(response: HttpResponse, head: Uint8Array): Fault {
  const excerpt = excerptOf(head);
  const look = looks.find((candidate) => candidate.marks.test(excerpt));
  const what = excerpt === "" ? "nothing at all" : (look?.what ?? "something that is not XML");
  return new Fault("transient", {
    code: excerpt === "" ? "EmptyBody" : "NotOai",
    sentence: `Instead of an OAI-PMH document ${response.url} answered with ${what} (HTTP ${String(response.status)}).`,
    remedy: look?.remedy ?? "Open spec.baseUrl?verb=Identify in a browser and correct the address.",
    status: response.status,
    ...(excerpt === "" ? {} : { excerpt }),
  });
}
