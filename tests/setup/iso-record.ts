import { expect, it } from "vitest";
import { canonicalTree } from "./canonical-tree.js";
import type { CanonicalRecord } from "../../harvester/canonical.js";
import { transform, type Transformed } from "../../harvester/transform/index.js";

export const NAMESPACES = [
  'xmlns:gmd="http://www.isotc211.org/2005/gmd"',
  'xmlns:gmi="http://www.isotc211.org/2005/gmi"',
  'xmlns:gco="http://www.isotc211.org/2005/gco"',
  'xmlns:gmx="http://www.isotc211.org/2005/gmx"',
  'xmlns:srv="http://www.isotc211.org/2005/srv"',
  'xmlns:gml="http://www.opengis.net/gml/3.2"',
  'xmlns:old="http://www.opengis.net/gml"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(" ");

/** A record out of pieces: what stands in the metadata, its identification and its citation. */
export function iso(parts: {
  metadata?: string;
  identification?: string;
  citation?: string;
  title?: string;
}): string {
  const title = parts.title ?? "<gmd:title><gco:CharacterString>T</gco:CharacterString></gmd:title>";
  return (
    `<gmd:MD_Metadata ${NAMESPACES}>${parts.metadata ?? ""}<gmd:identificationInfo><gmd:MD_DataIdentification>` +
    `<gmd:citation><gmd:CI_Citation>${title}${parts.citation ?? ""}</gmd:CI_Citation></gmd:citation>` +
    `${parts.identification ?? ""}</gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>`
  );
}

/** A property with a character string. */
export function string(property: string, value: string): string {
  return `<gmd:${property}><gco:CharacterString>${value}</gco:CharacterString></gmd:${property}>`;
}

/** A property with a code of a list. */
export function code(property: string, type: string, value: string): string {
  return `<gmd:${property}><gmd:${type} codeList="http://x/list.xml#${type}" codeListValue="${value}"/></gmd:${property}>`;
}

/** Maps a record that must map. */
export function mapped(xml: string): Extract<Transformed, { kind: "mapped" }> {
  const result = transform("iso19139", canonicalTree(xml));
  if (result.kind !== "mapped") throw new Error(result.violation.message);
  return result;
}

/** What a record with nothing but the title T is mapped to. */
export const EMPTY: CanonicalRecord = {
  schema: 1,
  format: "iso19139",
  otherIdentifiers: [],
  title: "T",
  alternateTitles: [],
  dates: [],
  boundingBoxes: [],
  places: [],
  temporal: [],
  keywords: [],
  topics: [],
  contacts: [],
  links: [],
  formats: [],
  constraints: { access: [], use: [], texts: [] },
  languages: [],
  referenceSystems: [],
};

interface Row {
  readonly name: string;
  readonly given: string;
  readonly expect: Partial<CanonicalRecord>;
  readonly remarks?: readonly string[];
}

/** One test a row: the canonical record must be EMPTY with `expect`, and the rules of the remarks as listed. */
export function table(rows: readonly Row[]): void {
  it.each(rows)("$name", (row) => {
    const result = mapped(row.given);
    expect(result.canonical).toStrictEqual({ ...EMPTY, ...row.expect });
    expect(result.remarks.map(({ rule }) => rule)).toEqual(row.remarks ?? []);
  });
}
