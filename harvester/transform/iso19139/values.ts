/** How ISO 19139 writes a value: text in one of several elements, codes, references, dates, nothing with a reason. */
import { all, child } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, cutText, textLimits } from "../limits.js";
import { oneLine, paragraphs, readableDate, readableUrl } from "../readable.js";
import { quoted, type Remarks } from "../remarks.js";
import { attributeNames, GMD, path, TEXT_NAMESPACES } from "./names.js";

/** What reading one record needs everywhere. */
export interface Reading {
  readonly remarks: Remarks;
  /** Locales of free text, best first, as `#id`: the metadata's own language, then English. */
  readonly preferredLocales: readonly string[];
  /** gml:TimeInstant elements of the record by their gml:id. */
  readonly instants: () => ReadonlyMap<string, XmlElement>;
}

/** gco:nilReason: the publisher says there is no value, and that is no fault. */
export function isNil(property: XmlElement): boolean {
  return property.attributes.has(attributeNames.nilReason);
}

/** The text of a property, unfolded; undefined when there is none. */
function rawText(property: XmlElement | undefined, reading: Reading): string | undefined {
  if (property === undefined || isNil(property)) return undefined;
  for (const element of property.children) {
    if (TEXT_NAMESPACES.includes(element.namespace) && element.text.trim() !== "") return element.text;
  }
  return localisedText(property, reading.preferredLocales);
}

const LOCALISED = path("gmd:PT_FreeText/gmd:textGroup/gmd:LocalisedCharacterString");

function localisedText(property: XmlElement, preferred: readonly string[]): string | undefined {
  if (child(property, [GMD], "PT_FreeText") === undefined) return undefined;
  const written = all(property, LOCALISED).filter((element) => element.text.trim() !== "");
  for (const locale of preferred) {
    const best = written.find((element) => element.attributes.get("locale") === locale);
    if (best !== undefined) return best.text;
  }
  return written[0]?.text;
}

/** Texts in other languages than the one `text` answers, one line each. */
export function localisedTexts(property: XmlElement | undefined): readonly string[] {
  if (property === undefined || isNil(property)) return [];
  return all(property, LOCALISED)
    .map((element) => cutText(oneLine(element.text), textLimits.line))
    .filter((text) => text !== "");
}

/** The kinds of text, by how white space is kept and how long they may be. */
export type TextKind = keyof typeof textLimits;

/** TEXT(x): the first text that is not empty. */
export function text(property: XmlElement | undefined, kind: TextKind, reading: Reading): string | undefined {
  const raw = rawText(property, reading);
  if (raw === undefined) return undefined;
  const folded = kind === "prose" ? paragraphs(raw) : oneLine(raw);
  const limit = textLimits[kind];
  if (folded.length > limit) {
    const message = `The text has ${String(folded.length)} characters: the first ${String(limit)} are kept.`;
    reading.remarks.warn("text-too-long", message, property);
  }
  return cutText(folded, limit) || undefined;
}

/** TEXT(x) of each property that has one; at most a list's length of them. */
export function texts(
  properties: readonly XmlElement[],
  kind: TextKind,
  reading: Reading,
): readonly string[] {
  return capped(properties, reading.remarks).flatMap((property) => text(property, kind, reading) ?? []);
}

/** HREF(x): the address behind an Anchor, as written; it need not be a web address. */
export function href(property: XmlElement | undefined): string | undefined {
  if (property === undefined || isNil(property)) return undefined;
  const anchor = property.children.find((element) => element.name === "Anchor");
  const written = anchor?.attributes.get(attributeNames.href)?.trim();
  return written === undefined || written === "" || written.length > textLimits.line ? undefined : written;
}

/** CODE(x): codeListValue, else the element's text, without the address of its list. */
export function code(property: XmlElement | undefined): string | undefined {
  if (property === undefined || isNil(property)) return undefined;
  const element = property.children[0];
  if (element === undefined) return undefined;
  const listed = element.attributes.get(attributeNames.codeListValue)?.trim() ?? "";
  const written = oneLine(listed === "" ? element.text : listed);
  const bare = /^[a-z]+:\S*[#/]/i.test(written) ? written.replace(/^.*[#/]/, "") : written;
  return cutText(bare, textLimits.word) || undefined;
}

/** CODE(x) of each property that has one. */
export function codes(properties: readonly XmlElement[], remarks: Remarks): readonly string[] {
  return capped(properties, remarks).flatMap((property) => code(property) ?? []);
}

/** DATE(x): gco:Date or gco:DateTime; dropped with a remark when it is no date. */
export function date(property: XmlElement | undefined, remarks: Remarks): string | undefined {
  if (property === undefined || isNil(property)) return undefined;
  const written = property.children.find(
    (element) => element.name === "Date" || element.name === "DateTime",
  )?.text;
  return written === undefined ? undefined : checkedDate(written, remarks, property);
}

/** The text as a date; a remark when something is written that is none. */
export function checkedDate(written: string, remarks: Remarks, at: XmlElement): string | undefined {
  const readable = readableDate(written);
  if (readable === undefined && written.trim() !== "") {
    remarks.warn(
      "date-unreadable",
      `${quoted(written.trim())} is not a date that can be read: it is left out.`,
      at,
    );
  }
  return readable;
}

/** URL(x) of a CI_OnlineResource; dropped with a remark when it is no absolute web address. */
export function linkage(onlineResource: XmlElement | undefined, remarks: Remarks): string | undefined {
  const property = onlineResource && child(onlineResource, [GMD], "linkage");
  if (property === undefined || isNil(property)) return undefined;
  const written = property.children[0]?.text.trim() ?? "";
  const url = readableUrl(written);
  if (url === undefined && written !== "") {
    // Not quoted: what stands here instead of an address is often a connection string with its password.
    remarks.warn(
      "link-unreadable",
      "The linkage is not an absolute web address: the link is left out.",
      property,
    );
  }
  return url;
}
