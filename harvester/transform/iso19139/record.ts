/** ISO 19139 (2006 and 2007) and ISO 19115-2 to the canonical record: one line a field. */
import type { CanonicalRecord } from "../../canonical.js";
import { all, child, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, distinct } from "../limits.js";
import type { Mapped } from "../mapped.js";
import { present } from "../present.js";
import { Remarks } from "../remarks.js";
import { alternateTitlesOf, citationOf, datesOf, identifiersOf, titleOf } from "./citation.js";
import { constraintsOf } from "./constraints.js";
import { contactsOf } from "./contacts.js";
import { formatsOf, linksOf } from "./distribution.js";
import { spatialExtentsOf } from "./extents.js";
import { keywordsOf, topicsOf } from "./keywords.js";
import { GMD, path } from "./names.js";
import { relationsOf } from "./relations.js";
import { findMetadata } from "./root.js";
import { instantIndex, temporalExtentsOf } from "./temporal.js";
import { code, date, isNil, text, texts, type Reading } from "./values.js";

const IDENTIFICATION = path("gmd:identificationInfo/*");
const ABSTRACT = path("gmd:abstract");
const LANGUAGE = path("gmd:language");
const SCOPE = path("gmd:hierarchyLevel");
const DATE_STAMP = path("gmd:dateStamp");
const LINEAGE = path("gmd:dataQualityInfo/*/gmd:lineage/*/gmd:statement");
const REFERENCE_SYSTEM = path("gmd:referenceSystemInfo/*/gmd:referenceSystemIdentifier/*/gmd:code");
const LOCALE = path("gmd:locale/*");

/** Maps one record; a title is the only thing it cannot do without. */
export function mapIso19139(root: XmlElement): Mapped {
  const found = findMetadata(root);
  if ("reason" in found) return { kind: "unmappable", rule: "wrong-root", message: found.reason, at: root };
  const { metadata } = found;
  const identification = first(metadata, IDENTIFICATION);
  if (identification === undefined) {
    const message = "The record has no identificationInfo, so it describes nothing.";
    return { kind: "unmappable", rule: "no-identification", message, at: metadata };
  }
  const remarks = new Remarks();
  const reading = { remarks, preferredLocales: localesOf(metadata), instants: instantIndex(metadata) };
  const citation = citationOf(identification);
  const title = citation && titleOf(citation, reading);
  if (citation === undefined || title === undefined) {
    const message = "The record has no title (identificationInfo/citation/title), so nobody could find it.";
    return { kind: "unmappable", rule: "no-title", message, at: citation ?? identification };
  }
  tellOfOthers(metadata, remarks);
  const canonical = present({
    ...citedAs({ metadata, citation, title }, reading),
    ...describedAs(metadata, identification, reading),
  });
  return { kind: "mapped", canonical, remarks };
}

interface Cited {
  readonly metadata: XmlElement;
  readonly citation: XmlElement;
  readonly title: string;
}

function citedAs({ metadata, citation, title }: Cited, reading: Reading) {
  const [identifier, ...otherIdentifiers] = identifiersOf(metadata, citation, reading);
  return {
    schema: 1,
    format: "iso19139",
    identifier,
    otherIdentifiers,
    title,
    alternateTitles: alternateTitlesOf(citation, title, reading),
    type: code(first(metadata, SCOPE)),
    dates: datesOf(citation, reading),
    metadataDate: date(first(metadata, DATE_STAMP), reading.remarks),
    metadataLanguage: languageOf(first(metadata, LANGUAGE), reading),
    lineage: lineageOf(metadata, reading),
    referenceSystems: distinct(texts(all(metadata, REFERENCE_SYSTEM), "word", reading)),
    formats: formatsOf(metadata, reading),
  } satisfies Partial<CanonicalRecord>;
}

function describedAs(metadata: XmlElement, identification: XmlElement, reading: Reading) {
  const languages = capped(all(identification, LANGUAGE), reading.remarks);
  return {
    abstract: text(first(identification, ABSTRACT), "prose", reading),
    ...spatialExtentsOf(identification, reading),
    temporal: temporalExtentsOf(identification, reading),
    keywords: keywordsOf(identification, reading),
    topics: topicsOf(identification, reading),
    contacts: contactsOf(metadata, identification, reading),
    links: linksOf(metadata, reading),
    constraints: constraintsOf(identification, reading),
    languages: distinct(languages.flatMap((property) => languageOf(property, reading) ?? [])),
    ...relationsOf(metadata, identification, reading),
  } satisfies Partial<CanonicalRecord>;
}

/** A LanguageCode, or any text: `eng; USA` stays as written. */
function languageOf(property: XmlElement | undefined, reading: Reading): string | undefined {
  return text(property, "word", reading) ?? code(property);
}

function lineageOf(metadata: XmlElement, reading: Reading): string | undefined {
  const statements = texts(all(metadata, LINEAGE), "prose", reading);
  if (statements.length > 1) {
    const message = `There are ${String(statements.length)} lineage statements: the first is kept.`;
    reading.remarks.tell("more-than-one", message, all(metadata, LINEAGE)[1]);
  }
  return statements[0];
}

/** References to the locales of free text, best first: the metadata's own language, then English. */
function localesOf(metadata: XmlElement): readonly string[] {
  const language = code(first(metadata, LANGUAGE))?.slice(0, 3).toLowerCase();
  const locales = all(metadata, LOCALE).slice(0, 100);
  const wanted = [language, "eng"].filter((value) => value !== undefined);
  return wanted.flatMap((value) =>
    locales
      .filter((locale) => code(child(locale, [GMD], "languageCode"))?.toLowerCase() === value)
      .map((locale) => `#${locale.attributes.get("id") ?? ""}`),
  );
}

function tellOfOthers(metadata: XmlElement, remarks: Remarks): void {
  const others = all(metadata, IDENTIFICATION);
  const second = others[1];
  if (second === undefined || isNil(second)) return;
  const message = `The record identifies ${String(others.length)} resources: the first is mapped.`;
  remarks.tell("more-than-one", message, second);
}
