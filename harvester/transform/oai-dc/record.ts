/** Simple Dublin Core (oai_dc) to the canonical record. */
import type { CanonicalRecord, Constraints, Contact, DatedEvent, Keyword, Link } from "../../canonical.js";
import type { XmlElement } from "../../xml/tree.js";
import { licenceIn } from "../licences.js";
import { capped, cutText, distinct, textLimits } from "../limits.js";
import type { Mapped } from "../mapped.js";
import { present } from "../present.js";
import { oneLine, paragraphs, readableDate, readableUrl } from "../readable.js";
import { quoted, Remarks } from "../remarks.js";
import { readCoverage } from "./coverage.js";

const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
const DC = "http://purl.org/dc/elements/1.1/";
const OAI = "http://www.openarchives.org/OAI/2.0/";

/** Maps one record; a title is the only thing it cannot do without. */
export function mapOaiDc(root: XmlElement): Mapped {
  const record = unwrapped(root);
  if (record === undefined) {
    const namespace =
      root.namespace === "" ? "no namespace" : `the namespace ${root.namespace.slice(0, 200)}`;
    const message = `The root element is <${root.tag.slice(0, 100)}> in ${namespace}, not <dc> of oai_dc.`;
    return { kind: "unmappable", rule: "wrong-root", message, at: root };
  }
  const remarks = new Remarks();
  const fields = fieldsOf(record, remarks);
  const [title, ...alternateTitles] = fields.lines("title");
  if (title === undefined) {
    const message = "The record has no dc:title, so nobody could find it.";
    return { kind: "unmappable", rule: "no-title", message, at: record };
  }
  return { kind: "mapped", canonical: canonicalOf({ title, alternateTitles }, fields, remarks), remarks };
}

function unwrapped(root: XmlElement): XmlElement | undefined {
  if (root.namespace === OAI && root.name === "metadata") return root.children.find(isDc);
  return isDc(root) ? root : undefined;
}

function isDc({ namespace, name }: XmlElement): boolean {
  return namespace === OAI_DC && name === "dc";
}

/** The elements of one name, as elements, as single lines and as prose; empty ones left out. */
interface Fields {
  elements(name: string): readonly XmlElement[];
  lines(name: string): readonly string[];
  prose(name: string): readonly string[];
}

function fieldsOf(record: XmlElement, remarks: Remarks): Fields {
  function elements(name: string): readonly XmlElement[] {
    return capped(
      record.children.filter((element) => element.name === name && element.namespace === DC),
      remarks,
    );
  }
  function read(name: string, fold: (text: string) => string, limit: number): readonly string[] {
    const values = elements(name).map((element) => {
      const folded = fold(element.text);
      if (folded.length > limit)
        remarks.warn("text-too-long", `The first ${String(limit)} characters are kept.`, element);
      return cutText(folded, limit);
    });
    return distinct(values.filter((value) => value !== ""));
  }
  return {
    elements,
    lines: (name) => read(name, oneLine, textLimits.line),
    prose: (name) => read(name, paragraphs, textLimits.prose),
  };
}

interface Titles {
  readonly title: string;
  readonly alternateTitles: readonly string[];
}

function canonicalOf(titles: Titles, fields: Fields, remarks: Remarks): CanonicalRecord {
  const identifiers = bestFirst(fields.lines("identifier"));
  const [type, ...otherTypes] = fields.lines("type");
  const descriptions = fields.prose("description");
  if (descriptions.length > 1) tellOfFirst(remarks, "descriptions", fields.elements("description")[1]);
  if (otherTypes.length > 0) tellOfFirst(remarks, "types", fields.elements("type")[1]);
  const relations = distinct([...fields.lines("relation"), ...fields.lines("source")]);
  return present({
    schema: 1 as const,
    format: "oai_dc",
    identifier: identifiers[0],
    otherIdentifiers: identifiers.slice(1),
    ...titles,
    abstract: descriptions[0],
    type,
    dates: datesOf(fields, remarks),
    ...coverageOf(fields),
    keywords: fields.lines("subject").map(keywordOf),
    topics: [],
    contacts: contactsOf(fields),
    links: identifiers.flatMap(linkOf),
    formats: fields.lines("format"),
    constraints: constraintsOf(fields),
    languages: fields.lines("language"),
    referenceSystems: [],
    relations: relations.length === 0 ? undefined : relations,
  });
}

function tellOfFirst(remarks: Remarks, what: string, at: XmlElement | undefined): void {
  remarks.tell("more-than-one", `There are several ${what}: the first is kept.`, at);
}

/** A DOI identifies best, then a web address, then whatever is written first. */
function bestFirst(identifiers: readonly string[]): readonly string[] {
  const best = identifiers.find(isDoi) ?? identifiers.find((value) => readableUrl(value) !== undefined);
  return best === undefined ? identifiers : distinct([best, ...identifiers]);
}

function isDoi(value: string): boolean {
  return /^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\/\S+$/i.test(value);
}

function linkOf(identifier: string): readonly Link[] {
  const url = readableUrl(identifier);
  return url === undefined ? [] : [{ url }];
}

function keywordOf(value: string): Keyword {
  return present({ value, href: readableUrl(value) });
}

/** Dublin Core does not say which event a date is of. */
function datesOf(fields: Fields, remarks: Remarks): readonly DatedEvent[] {
  return fields.elements("date").flatMap((element) => {
    const date = readableDate(element.text);
    const written = oneLine(element.text);
    if (date === undefined && written !== "") {
      remarks.warn(
        "date-unreadable",
        `${quoted(written)} is not a date that can be read: it is left out.`,
        element,
      );
    }
    return date === undefined ? [] : [{ event: "date", date }];
  });
}

function coverageOf(fields: Fields): Pick<CanonicalRecord, "boundingBoxes" | "places" | "temporal"> {
  const read = fields.lines("coverage").map(readCoverage);
  return {
    boundingBoxes: read.flatMap(({ box }) => box ?? []),
    places: distinct(read.flatMap(({ place }) => place ?? [])),
    temporal: read.flatMap(({ period }) => period ?? []),
  };
}

/** Whether a name is a person's or an organisation's is not said, so it is not decided here. */
function contactsOf(fields: Fields): readonly Contact[] {
  const roles = { creator: "author", contributor: "contributor", publisher: "publisher" } as const;
  return Object.entries(roles).flatMap(([element, role]) =>
    fields.lines(element).map((name) => ({ role, of: "resource" as const, name })),
  );
}

const ACCESS = /^(?:info:eu-repo\/semantics\/|https?:\/\/purl\.org\/coar\/access_right\/)/i;

function constraintsOf(fields: Fields): Constraints {
  const rights = fields.prose("rights");
  const licence = rights.map(licenceIn).find((value) => value !== undefined);
  return present({
    licence,
    access: rights.filter((value) => ACCESS.test(value)),
    use: [],
    texts: rights.filter((value) => !ACCESS.test(value)),
  });
}
