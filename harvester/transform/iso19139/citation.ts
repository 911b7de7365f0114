/** Who the resource is: identifiers, titles, dates (dcat facts: rows 1, 3, 6–8). */
import type { DatedEvent } from "../../canonical.js";
import { all, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, distinct } from "../limits.js";
import { path } from "./names.js";
import { code, date, href, localisedTexts, text, texts, type Reading } from "./values.js";

const CITATION = path("gmd:citation/*");
const TITLE = path("gmd:title");
const ALTERNATE_TITLE = path("gmd:alternateTitle");
const IDENTIFIER_CODE = path("gmd:identifier/*/gmd:code");
const FILE_IDENTIFIER = path("gmd:fileIdentifier");
const DATE = path("gmd:date/*");
const DATE_VALUE = path("gmd:date");
const DATE_TYPE = path("gmd:dateType");

/** The CI_Citation of an identification, where there is one. */
export function citationOf(identification: XmlElement): XmlElement | undefined {
  return first(identification, CITATION);
}

export function titleOf(citation: XmlElement, reading: Reading): string | undefined {
  return text(first(citation, TITLE), "line", reading);
}

/** Alternate titles, and the title in the record's other languages. */
export function alternateTitlesOf(citation: XmlElement, title: string, reading: Reading): readonly string[] {
  const written = all(citation, ALTERNATE_TITLE);
  const titles = [
    ...localisedTexts(first(citation, TITLE)),
    ...texts(written, "line", reading),
    ...capped(written, reading.remarks).flatMap(localisedTexts),
  ];
  return distinct(titles).filter((other) => other !== title);
}

/** The file identifier first, then what the citation is known by: codes, and the addresses behind them. */
export function identifiersOf(
  metadata: XmlElement,
  citation: XmlElement | undefined,
  reading: Reading,
): readonly string[] {
  const codes = citation === undefined ? [] : capped(all(citation, IDENTIFIER_CODE), reading.remarks);
  const cited = codes.flatMap((property) => [text(property, "word", reading), href(property)]);
  return distinct(
    [text(first(metadata, FILE_IDENTIFIER), "word", reading), ...cited].flatMap((value) => value ?? []),
  );
}

export function datesOf(citation: XmlElement, reading: Reading): readonly DatedEvent[] {
  return capped(all(citation, DATE), reading.remarks).flatMap((element) => {
    const readable = date(first(element, DATE_VALUE), reading.remarks);
    return readable === undefined
      ? []
      : [{ event: code(first(element, DATE_TYPE)) ?? "date", date: readable }];
  });
}
