/** Answers of OAI-PMH, read whatever their HTTP status says (case C36): lists and single records. */
import { asFault, Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";
import type { PageEnd, PageItem, RawRecord } from "../../record.js";
import { charsetOf } from "../encoding.js";
import {
  ForeignDocument,
  type Envelope,
  type PageShape,
  type Slice,
  type SplitLimits,
} from "../page-shape.js";
import type { ListQuestion, PageReader, ReadLimits } from "../protocol.js";
import { splitPage } from "../split.js";
import { childrenNamed } from "../xml-reader.js";
import { readOaiDocument, readPageEnd, type OaiDocument } from "./envelope.js";
import { faultOfErrors, faultOfStatus } from "./errors.js";
import { excerptOf, notOai } from "./foreign.js";
import { readBroken, readItem, type ItemContext } from "./record.js";

const RECORD = { item: "record", leading: ["header", "identifier"] };
const HEADER = { item: "header", leading: ["identifier"] };
const shapes = {
  records: { root: "OAI-PMH", containers: { ListRecords: RECORD }, tail: "resumptionToken" },
  headers: { root: "OAI-PMH", containers: { ListIdentifiers: HEADER }, tail: "resumptionToken" },
  record: { root: "OAI-PMH", containers: { GetRecord: RECORD }, tail: "resumptionToken" },
  document: { root: "OAI-PMH", containers: {}, tail: "resumptionToken" },
} satisfies Record<string, PageShape>;

/** Pieces of something else than records in front of the first one. */
const MAX_GARBAGE = 100;
/** Around the records of a page. */
const MAX_ENVELOPE = 1_048_576;
/** Identify, ListSets and ListMetadataFormats are all envelope; a page of sets may have descriptions. */
const MAX_DOCUMENT = 16_777_216;

/** The slices of an answer; a body that is no OAI document becomes the Fault of its status, or `NotOai`. */
async function* slices(
  response: HttpResponse,
  shape: PageShape,
  limits: SplitLimits,
): AsyncGenerator<Slice, Envelope, void> {
  const body = new CountedBody(response.body);
  try {
    return yield* splitPage(body.bytes(), shape, limits);
  } catch (error) {
    if (error instanceof ForeignDocument)
      throw faultOfStatus(response, excerptOf(error.head)) ?? notOai(response, error.head);
    const fault = asFault(error);
    // An empty or cut body says less than the status it came with.
    const byStatus = fault.kind === "transient" ? faultOfStatus(response, "") : undefined;
    throw byStatus ?? (fault.code === "Truncated" ? truncated(response, fault, body.received) : fault);
  }
}

class CountedBody {
  received = 0;
  readonly #body: HttpResponse["body"];

  constructor(body: HttpResponse["body"]) {
    this.#body = body;
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of this.#body) {
      this.received += chunk.byteLength;
      yield chunk;
    }
  }
}

function truncated(response: HttpResponse, fault: Fault, received: number): Fault {
  if (received === 0) return notOai(response, new Uint8Array());
  // Whoever saw the connection break has said where.
  const sentence = fault.message.includes(response.url)
    ? fault.message
    : `The answer of ${response.url} ends after ${String(received)} bytes, before its closing tag.`;
  return new Fault("transient", { ...fault.detail, sentence, status: response.status, cause: fault });
}

/** Throws what the answer's errors mean; true when it said that there is nothing. */
function judged(document: OaiDocument, response: HttpResponse, sentToken: boolean): boolean {
  if (document.errors.length === 0) {
    // A status of failure without an error in the document: the status is believed.
    const fault = faultOfStatus(response, "");
    if (fault !== undefined) throw fault;
    return false;
  }
  const fault = faultOfErrors(document.errors, response, sentToken);
  if (fault !== undefined) throw fault;
  return true;
}

export async function* readList(
  response: HttpResponse,
  question: ListQuestion,
  limits: ReadLimits,
): PageReader {
  const context = contextOf(response, question.want);
  const pages = slices(response, shapes[question.want], { ...limits, maxEnvelopeBytes: MAX_ENVELOPE });
  const envelope = yield* items(pages, context);
  const document = readOaiDocument(envelope, response);
  // Any error outranks the records that came with it (case C37).
  const nothing = judged(document, response, question.token !== undefined);
  return endOf(document, question, nothing);
}

async function* items(
  from: AsyncGenerator<Slice, Envelope, void>,
  context: ItemContext,
): AsyncGenerator<PageItem, Envelope, void> {
  // Garbage in front of the first record is told with it: a page of nothing else is no page.
  const held: PageItem[] = [];
  let whole = false;
  try {
    for (;;) {
      const next = await from.next();
      if (next.done === true) return sound(next.value, whole || held.length === 0);
      const { value } = next;
      whole ||= value.kind === "slice" || value.rule !== "unexpected-content";
      held.push(value.kind === "slice" ? readItem(value, context) : readBroken(value));
      if (whole) yield* held.splice(0);
      if (held.length > MAX_GARBAGE) throw garbled();
    }
  } finally {
    await from.return(undefined as never);
  }
}

/** A list that holds garbage and not one record is no short list: it may hide the rest of it. */
function sound(envelope: Envelope, isSound: boolean): Envelope {
  if (isSound) return envelope;
  throw garbled();
}

function garbled(): Fault {
  return new Fault("transient", {
    code: "Garbled",
    sentence: "Where the records should stand, the page holds something else and not one record.",
    remedy:
      "The page is asked for again; if it stays, the source's server fails in the middle of its answers.",
  });
}

function contextOf(response: HttpResponse, want: ItemContext["want"]): ItemContext {
  const charset = charsetOf(response.headers["content-type"]);
  return { want, ...(charset === undefined ? {} : { charset }) };
}

function endOf(document: OaiDocument, question: ListQuestion, nothing: boolean): PageEnd {
  if (nothing) return readPageEnd(document, undefined);
  const name = question.want === "records" ? "ListRecords" : "ListIdentifiers";
  const list = childrenNamed(document.root, name)[0];
  if (list === undefined) throw noList(name);
  return readPageEnd(document, list);
}

function noList(name: string): Fault {
  return new Fault("protocol", {
    code: "NoList",
    sentence: `The answer is an OAI-PMH document, but holds neither ${name} nor an error.`,
    remedy: "Ask the source's operator: the repository answers another question than it was asked.",
  });
}

/** A whole document without records: Identify, ListSets, ListMetadataFormats. */
export async function readWhole(
  response: HttpResponse,
  sentToken = false,
): Promise<OaiDocument & { readonly nothing: boolean }> {
  const limits = { maxRecordBytes: 0, maxPageBytes: MAX_DOCUMENT, maxEnvelopeBytes: MAX_DOCUMENT };
  const reader = slices(response, shapes.document, limits);
  let next = await reader.next();
  while (next.done !== true) next = await reader.next();
  const document = readOaiDocument(next.value, response);
  return { ...document, nothing: judged(document, response, sentToken) };
}

/** Undefined: the source does not have it (any more). Throws Fault `RecordBroken` when it cannot be read. */
export async function readSingle(response: HttpResponse, limits: ReadLimits): Promise<RawRecord | undefined> {
  const context = contextOf(response, "records");
  const reader = items(
    slices(response, shapes.record, { ...limits, maxEnvelopeBytes: MAX_ENVELOPE }),
    context,
  );
  const found = [];
  let next = await reader.next();
  for (; next.done !== true; next = await reader.next()) if (found.length === 0) found.push(next.value);
  const document = readOaiDocument(next.value, response);
  if (document.errors.some((error) => error.code === "idDoesNotExist")) return undefined;
  const nothing = judged(document, response, false);
  const item = found[0];
  if (nothing || item === undefined) throw noList("GetRecord");
  if (item.kind === "record") return item;
  throw new Fault("protocol", {
    code: "RecordBroken",
    sentence: item.violation.message,
    remedy: "Ask the source's operator to repair the record.",
    excerpt: excerptOf(item.raw),
  });
}
