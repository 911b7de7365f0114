/** What a repository can get wrong as a server, as data; one record's faults are in content/record-faults.ts. */
import type { Verb } from "../oai/question.js";

export type ServerFaultKind =
  | "status"
  | "redirect"
  | "html-page"
  | "empty-body"
  | "oai-error"
  | "no-answer"
  | "drop-connection"
  | "reset"
  | "truncated-body"
  | "truncated-gzip"
  | "cut-document"
  | "slow-drip"
  | "stall"
  | "endless-body"
  | "gzip-unannounced"
  | "gzip-announced-only"
  | "x-gzip"
  | "double-gzip"
  | "deflate"
  | "raw-deflate"
  | "content-type"
  | "wrong-charset"
  | "doctype"
  | "byte-order-mark"
  | "blank-line-first"
  | "prefixed-envelope"
  | "no-schema-location"
  | "malformed-record"
  | "huge-record"
  | "odd-datestamps"
  | "empty-page"
  | "page-overlap"
  | "list-cut-short"
  | "expired-token"
  | "repeated-token"
  | "wrap-around"
  | "trailing-token"
  | "zero-token"
  | "spaced-token"
  | "awkward-token"
  | "token-needs-prefix"
  | "wrong-list-size"
  | "ignores-from"
  | "refuses-future"
  | "list-too-large"
  | "poison-record"
  | "earliest-datestamp"
  | "base-url"
  | "deleted-record"
  | "granularity";

/** A fault to switch on, when it strikes, and its parameters (each kind's `uses` says which it reads). */
export interface ServerFault {
  readonly kind: ServerFaultKind;
  /** How many matching requests it strikes; 1 by default, 0 = until it is switched off. */
  readonly times?: number;
  /** How many matching requests pass first; 0 by default. */
  readonly after?: number;
  /** Only requests with this verb. */
  readonly verb?: Verb;
  /** Only this page of a list; the first is 1. */
  readonly page?: number;
  readonly status?: number;
  /** Seconds from now, for the Retry-After header; absent = no header. */
  readonly retryAfter?: number;
  /** `junk`: neither of the two forms. */
  readonly retryAfterAs?: "seconds" | "date" | "junk";
  /** OAI error code; "" is allowed (case C39). */
  readonly code?: string;
  readonly value?: string;
  readonly bytes?: number;
  readonly pauseMs?: number;
  /** Which record of the page, the first is 1; default the middle one. */
  readonly record?: number;
}

interface Explained {
  readonly kind: ServerFaultKind;
  readonly does: string;
  readonly uses?: readonly (keyof ServerFault)[];
}

export const serverFaults: readonly Explained[] = [
  {
    kind: "status",
    does: "answers with an HTTP status and a short text instead of XML (default 503)",
    uses: ["status", "retryAfter", "retryAfterAs"],
  },
  {
    kind: "redirect",
    does: 'sends the client to `value` with the query kept, or round in a circle when `value` is "loop" (default 302)',
    uses: ["status", "value"],
  },
  { kind: "html-page", does: "answers 200 with a login page" },
  { kind: "empty-body", does: "answers 200 with nothing" },
  {
    kind: "oai-error",
    does: "answers with an OAI error of any code, under any status",
    uses: ["code", "value", "status", "retryAfter", "retryAfterAs"],
  },
  { kind: "no-answer", does: "reads the request and never answers" },
  { kind: "drop-connection", does: "closes the connection without an answer" },
  {
    kind: "reset",
    does: "resets the connection (RST) after `bytes`, by default after half of the body",
    uses: ["bytes"],
  },
  {
    kind: "truncated-body",
    does: 'ends the connection before the announced length; with `value` "chunked" before the last chunk',
    uses: ["bytes", "value"],
  },
  { kind: "truncated-gzip", does: "sends a complete answer whose gzip stream ends in the middle" },
  { kind: "cut-document", does: "sends a complete answer whose XML ends in the middle" },
  { kind: "slow-drip", does: "sends `bytes` (16) every `pauseMs` (100)", uses: ["bytes", "pauseMs"] },
  {
    kind: "stall",
    does: "sends `bytes`, by default half of the body, and then nothing more",
    uses: ["bytes"],
  },
  { kind: "endless-body", does: "sends records until `bytes` are out (default 10 GB)", uses: ["bytes"] },
  { kind: "gzip-unannounced", does: "sends gzip without Content-Encoding" },
  { kind: "gzip-announced-only", does: "says Content-Encoding: gzip and sends plain XML" },
  { kind: "x-gzip", does: "labels gzip as x-gzip" },
  { kind: "double-gzip", does: "compresses twice and says gzip once" },
  { kind: "deflate", does: "sends zlib as deflate" },
  { kind: "raw-deflate", does: "sends raw deflate as deflate" },
  { kind: "content-type", does: "labels the answer `value` (default text/html)", uses: ["value"] },
  { kind: "wrong-charset", does: "sends Latin-1 bytes under UTF-8" },
  { kind: "doctype", does: "puts a DOCTYPE with an external entity before the envelope" },
  { kind: "byte-order-mark", does: "starts with EF BB BF" },
  { kind: "blank-line-first", does: "starts with a blank line" },
  { kind: "prefixed-envelope", does: "writes the envelope with the prefix oai:" },
  { kind: "no-schema-location", does: "leaves xsi:schemaLocation out" },
  { kind: "malformed-record", does: "breaks the markup of one record of the page", uses: ["record"] },
  {
    kind: "huge-record",
    does: "blows one record of the page up to `bytes` (default 20 MB)",
    uses: ["record", "bytes"],
  },
  {
    kind: "odd-datestamps",
    does: 'writes header datestamps with a `value` of "fraction" (default), "offset", "empty", or any text',
    uses: ["value"],
  },
  { kind: "empty-page", does: "sends a page without records and a token for what it kept back" },
  { kind: "page-overlap", does: "begins the next page with the last record of this one" },
  { kind: "list-cut-short", does: "says the list is over though more is there" },
  { kind: "expired-token", does: "answers a token with badResumptionToken" },
  { kind: "repeated-token", does: "answers a token with its page and the same token again" },
  { kind: "wrap-around", does: "goes on with the first page after the last" },
  { kind: "trailing-token", does: "gives a token after the last page, which leads to noRecordsMatch" },
  { kind: "zero-token", does: "gives out the token 0" },
  { kind: "spaced-token", does: "writes blanks and line breaks round the token" },
  { kind: "awkward-token", does: "gives out a token with + / = & # | and a blank" },
  { kind: "token-needs-prefix", does: "refuses a token that comes without metadataPrefix" },
  {
    kind: "wrong-list-size",
    does: 'says completeListSize is `value` (default abc); "" leaves it out',
    uses: ["value"],
  },
  { kind: "ignores-from", does: "lists everything whatever `from` says" },
  { kind: "refuses-future", does: "refuses an `until` that lies ahead of its clock" },
  {
    kind: "list-too-large",
    does: "answers a list of more than `value` (default 1000) records with `status` (413)",
    uses: ["value", "status"],
  },
  {
    kind: "poison-record",
    does: "fails with `status` (500) on every page that holds the record with the identifier `value`; headers are fine",
    uses: ["value", "status"],
  },
  {
    kind: "earliest-datestamp",
    does: "Identify tells `value` (default 0000-00-00) as earliestDatestamp",
    uses: ["value"],
  },
  {
    kind: "base-url",
    does: "Identify tells `value` (default http://localhost:8080/oai) as baseURL",
    uses: ["value"],
  },
  { kind: "deleted-record", does: "Identify tells `value` as deletedRecord", uses: ["value"] },
  { kind: "granularity", does: "Identify tells `value` as granularity", uses: ["value"] },
];

export function isServerFault(kind: string): kind is ServerFaultKind {
  return serverFaults.some((each) => each.kind === kind);
}
