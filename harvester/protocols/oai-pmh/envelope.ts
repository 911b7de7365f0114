/** What an OAI-PMH answer says around its records: the time, errors, the resumption token. */
import { Fault } from "../../fault.js";
import type { HttpResponse } from "../../http.js";
import type { Instant, PageEnd, Warning } from "../../record.js";
import { charsetOf, foreignLabel, toUtf8 } from "../encoding.js";
import type { Envelope } from "../page-shape.js";
import { present } from "../present.js";
import { sanitise } from "../sanitise.js";
import { childrenNamed, childText, readDocument, trimXml, type XmlElement } from "../xml-reader.js";
import { XmlError } from "../xml-tag.js";
import { readDatestamp, readHttpDate } from "./datestamp.js";
import type { OaiError } from "./errors.js";
import { cleaned } from "./foreign.js";

export interface OaiDocument {
  readonly root: XmlElement;
  readonly responseDate?: Instant;
  readonly errors: readonly OaiError[];
  readonly warnings: readonly Warning[];
}

const OAI_NAMESPACE = "http://www.openarchives.org/OAI/2.0/";
const MAX_TOKEN = 65_536;

/** Throws Fault `Malformed`. */
export function readOaiDocument(envelope: Envelope, response: HttpResponse): OaiDocument {
  // The response's own warnings are told by whoever sent the request.
  const warnings = labelWarnings(envelope, response);
  const root = parsed(envelopeBytes(envelope, response, warnings));
  if (root.namespace !== OAI_NAMESPACE) {
    warnings.push({
      code: "wrong-namespace",
      sentence: `The answer stands in the namespace '${cleaned(root.namespace).slice(0, 200)}', not in that of OAI-PMH 2.0.`,
    });
  }
  const written = readDatestamp(childText(root, "responseDate"));
  const responseDate = written ?? readHttpDate(response.headers["date"]);
  if (written === undefined) {
    warnings.push({
      code: "no-response-date",
      sentence: "The answer has no readable responseDate; the Date header of HTTP serves instead.",
    });
  }
  const errors = childrenNamed(root, "error").map((error) => ({
    code: trimXml(error.attributes.get("code") ?? "").slice(0, 100),
    text: cleaned(error.text).slice(0, 500),
  }));
  return present<OaiDocument>({ root, errors, warnings, responseDate });
}

function labelWarnings(envelope: Envelope, response: HttpResponse): Warning[] {
  const contentType = response.headers["content-type"];
  const warnings: Warning[] = [];
  if (contentType !== undefined && !/[/+]xml\b/i.test(contentType)) {
    const label = cleaned(contentType).slice(0, 100);
    warnings.push({
      code: "content-type",
      sentence: `The answer is OAI-PMH but is labelled '${label}' instead of text/xml.`,
    });
  }
  const label = foreignLabel({ charset: charsetOf(contentType), declared: envelope.declaredEncoding });
  const encoding = envelope.transcodedFrom ?? label;
  if (encoding !== undefined) {
    warnings.push({
      code: "not-utf8",
      sentence: `The answer is or calls itself ${encoding}; OAI-PMH demands UTF-8.`,
    });
  }
  return warnings;
}

/** Damage here costs the page only when it makes the envelope unreadable. */
function envelopeBytes(envelope: Envelope, response: HttpResponse, warnings: Warning[]): Buffer {
  const charset = charsetOf(response.headers["content-type"]);
  const utf8 = toUtf8(envelope.bytes, { charset, declared: envelope.declaredEncoding });
  if (utf8 === undefined) {
    warnings.push({
      code: "envelope-encoding",
      sentence: "Around the records stand bytes that are not UTF-8; they were replaced.",
    });
  }
  const bytes = utf8?.bytes ?? Buffer.from(new TextDecoder().decode(envelope.bytes), "utf8");
  const clean = sanitise(bytes);
  if (clean !== undefined) {
    warnings.push({
      code: "envelope-sanitised",
      sentence: "Around the records stood characters that XML forbids; they were taken out.",
    });
  }
  return Buffer.from(clean?.bytes ?? bytes);
}

function parsed(bytes: Buffer): XmlElement {
  try {
    return readDocument(bytes);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new Fault("protocol", {
      code: "Malformed",
      sentence: `The answer is not well-formed XML outside its records: ${error.message}.`,
      remedy: "The window is narrowed to save what can be read; the source's operator should be told.",
      cause: error,
    });
  }
}

/** The end of a page. `list` is the element around the records; absent: the source said there is nothing. */
export function readPageEnd(document: OaiDocument, list: XmlElement | undefined): PageEnd {
  const element = list === undefined ? undefined : childrenNamed(list, "resumptionToken")[0];
  const token = trimXml(element?.text ?? "");
  if (token.length > MAX_TOKEN || token.includes("\uFFFD")) throw unusableToken();
  return present<PageEnd>({
    nothing: list === undefined,
    warnings: document.warnings,
    responseDate: document.responseDate,
    token: token === "" ? undefined : token,
    tokenExpires: readDatestamp(element?.attributes.get("expirationDate")),
    listSize: count(element, "completeListSize"),
    offset: count(element, "cursor"),
  });
}

/** Estimates, often wrong, never believed further than they go (case C16). */
function count(element: XmlElement | undefined, name: string): number | undefined {
  const text = trimXml(element?.attributes.get(name) ?? "");
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function unusableToken(): Fault {
  return new Fault("protocol", {
    code: "TokenUnusable",
    sentence: "The resumption token is damaged or longer than 64 KiB, so the next page cannot be asked for.",
    remedy: "Ask the source's operator.",
  });
}
