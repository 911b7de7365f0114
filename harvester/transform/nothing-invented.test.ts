/** The law of the transform: nothing in the canonical record that is not in the source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalTree } from "../../tests/setup/canonical-tree.js";
import { testData } from "../../tests/setup/test-data.js";
import type { CanonicalRecord } from "../canonical.js";
import { descendants } from "../xml/tree-path.js";
import { readTree, type XmlElement } from "../xml/tree.js";
import { transform } from "./index.js";

/** Where a fixed word of ours stands, and which words those are (docs/canonical-record.md). */
const ours: readonly { readonly place: RegExp; readonly words: readonly unknown[] }[] = [
  { place: /^\/schema$/, words: [1] },
  { place: /^\/format$/, words: ["iso19139", "oai_dc"] },
  { place: /^\/contacts\/\d+\/of$/, words: ["metadata", "resource", "citation", "distributor"] },
  { place: /^\/contacts\/\d+\/role$/, words: ["author", "contributor", "publisher"] },
  { place: /^\/dates\/\d+\/event$/, words: ["date"] },
];

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Leaves of the record that the source does not hold, with their places. */
function invented(record: CanonicalRecord, source: XmlElement): readonly string[] {
  const written: string[] = [];
  for (const element of descendants(source))
    written.push(fold(element.text), ...[...element.attributes.values()].map(fold));
  const everything = written.join("\n");
  const numbers = new Set(everything.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi)?.map(Number));
  const found: string[] = [];
  walk(record, "", (place, leaf) => {
    if (ours.some((ourself) => ourself.place.test(place) && ourself.words.includes(leaf))) return;
    const known = typeof leaf === "number" ? numbers.has(leaf) : everything.includes(fold(String(leaf)));
    if (!known || leaf === "") found.push(`${place}: ${String(leaf)}`);
  });
  return found;
}

function walk(value: unknown, place: string, visit: (place: string, leaf: unknown) => void): void {
  if (typeof value !== "object" || value === null) {
    visit(place, value);
    return;
  }
  for (const [key, inner] of Object.entries(value)) walk(inner, `${place}/${key}`, visit);
}

/** Mapped twice from trees of their own: the same answer, and nothing in it that the source lacks. */
function expectFaithful(prefix: string, tree: () => XmlElement): void {
  const source = tree();
  const result = transform(prefix, source);
  expect(JSON.stringify(transform(prefix, tree()))).toBe(JSON.stringify(result));
  if (result.kind === "mapped") {
    expect(invented(result.canonical, source)).toEqual([]);
    expect(JSON.parse(JSON.stringify(result.canonical))).toStrictEqual(result.canonical);
  }
}

const namespaces: Readonly<Record<string, string>> = {
  gmd: "http://www.isotc211.org/2005/gmd",
  gmi: "http://www.isotc211.org/2005/gmi",
  gco: "http://www.isotc211.org/2005/gco",
  gmx: "http://www.isotc211.org/2005/gmx",
  srv: "http://www.isotc211.org/2005/srv",
  gml: "http://www.opengis.net/gml/3.2",
  xlink: "http://www.w3.org/1999/xlink",
  oai_dc: "http://www.openarchives.org/OAI/2.0/oai_dc/",
  dc: "http://purl.org/dc/elements/1.1/",
};
const declarations = Object.entries(namespaces)
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join("");

function escaped(text: string): string {
  return text.replace(/[&<>"\r\t\n]/g, (c) => `&#x${c.charCodeAt(0).toString(16).toUpperCase()};`);
}

/** Values that publishers write, values that look like them, and anything XML can hold. */
const value = fc.oneof(
  fc.constantFrom(
    "2001-01-01",
    "2001-02-30",
    "1998",
    "now",
    "-180",
    "181",
    "52.5",
    "1,5",
    "NaN",
    "",
    " ",
    "eng",
    "true",
    "0",
  ),
  fc.constantFrom(
    "http://x/y",
    "doi:10.1234/x",
    "https://creativecommons.org/licenses/by/4.0/.",
    "a@example.org",
    "urn:x:y#z",
    "http://l/c#code",
  ),
  fc.constantFrom(
    "-124.5,32.5,-114.1,42",
    "10,20,30,40",
    "northlimit=2; southlimit=1; eastlimit=4; westlimit=3; name=n",
    "start=1999; end=x",
  ),
  fc.double({ noNaN: true, min: -200, max: 200 }).map(String),
  fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replace(/\p{C}/gu, "")),
  fc.string({ maxLength: 30 }).map((text) => `  ${text.replace(/[^\x20-\x7e]/g, "")}\n\t and more  `),
);

const attribute = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ' gco:nilReason="missing"',
      ' indeterminatePosition="now"',
      ' locale="#en"',
      ' gml:id="i"',
      ' xlink:href="#i"',
    ),
  },
  {
    weight: 2,
    arbitrary: value.map(
      (written) => ` codeListValue="${escaped(written)}" xlink:href="${escaped(written)}"`,
    ),
  },
);

function leaf(name: string) {
  return fc
    .tuple(attribute, value)
    .map(([attributes, text]) => `<${name}${attributes}>${escaped(text)}</${name}>`);
}

/** One thing a mapping looks for, as a path of elements down to a leaf; steps before `|` are shared by what follows. */
function chain(steps: string) {
  const names = steps.split("/");
  return leaf(names.at(-1) ?? "").map((inner) =>
    names.slice(0, -1).reduceRight((content, name) => `<${name}>${content}</${name}>`, inner),
  );
}

const string = "gco:CharacterString";
const party = [
  `organisationName/${string}`,
  `individualName/${string}`,
  "role/gmd:CI_RoleCode",
  `contactInfo/gmd:CI_Contact/gmd:address/gmd:CI_Address/gmd:electronicMailAddress/${string}`,
];
const parties = (holder: string) =>
  party.map((steps) => chain(`gmd:${holder}/gmd:CI_ResponsibleParty/gmd:${steps}`));
const box = fc
  .tuple(
    ...["westBoundLongitude", "eastBoundLongitude", "southBoundLatitude", "northBoundLatitude"].map((side) =>
      chain(`gmd:${side}/gco:Decimal`),
    ),
  )
  .map(
    (sides) =>
      `<gmd:extent><gmd:EX_Extent><gmd:geographicElement><gmd:EX_GeographicBoundingBox>${sides.join("")}</gmd:EX_GeographicBoundingBox></gmd:geographicElement></gmd:EX_Extent></gmd:extent>`,
  );
const time = "gmd:extent/gmd:EX_Extent/gmd:temporalElement/gmd:EX_TemporalExtent/gmd:extent/gml:TimePeriod";
const online = "gmd:transferOptions/gmd:MD_DigitalTransferOptions/gmd:onLine/gmd:CI_OnlineResource";

const citationPart = fc.oneof(
  chain(`gmd:alternateTitle/${string}`),
  chain(`gmd:title/gmd:PT_FreeText/gmd:textGroup/gmd:LocalisedCharacterString`),
  chain("gmd:identifier/gmd:MD_Identifier/gmd:code/gmx:Anchor"),
  chain("gmd:date/gmd:CI_Date/gmd:date/gco:Date"),
  ...parties("citedResponsibleParty"),
);
const identificationPart = fc.oneof(
  box,
  chain(`gmd:abstract/${string}`),
  chain("gmd:language/gmd:LanguageCode"),
  chain("gmd:topicCategory/gmd:MD_TopicCategoryCode"),
  chain("gmd:descriptiveKeywords/gmd:MD_Keywords/gmd:keyword/gmx:Anchor"),
  chain(`gmd:descriptiveKeywords/gmd:MD_Keywords/gmd:thesaurusName/gmd:CI_Citation/gmd:title/${string}`),
  chain(`gmd:resourceConstraints/gmd:MD_LegalConstraints/gmd:useLimitation/${string}`),
  chain("gmd:resourceConstraints/gmd:MD_LegalConstraints/gmd:useConstraints/gmd:MD_RestrictionCode"),
  chain(`${time}/gml:beginPosition`),
  chain(`${time}/gml:end/gml:TimeInstant/gml:timePosition`),
  chain(
    `gmd:aggregationInfo/gmd:MD_AggregateInformation/gmd:aggregateDataSetName/gmd:CI_Citation/gmd:title/${string}`,
  ),
  ...parties("pointOfContact"),
);
const metadataPart = fc.oneof(
  chain(`gmd:fileIdentifier/${string}`),
  chain(`gmd:parentIdentifier/${string}`),
  chain(`gmd:language/${string}`),
  chain("gmd:hierarchyLevel/gmd:MD_ScopeCode"),
  chain("gmd:dateStamp/gco:DateTime"),
  chain(`gmd:distributionInfo/gmd:MD_Distribution/${online}/gmd:linkage/gmd:URL`),
  chain(`gmd:dataQualityInfo/gmd:DQ_DataQuality/gmd:lineage/gmd:LI_Lineage/gmd:statement/${string}`),
  chain(
    `gmd:referenceSystemInfo/gmd:MD_ReferenceSystem/gmd:referenceSystemIdentifier/gmd:RS_Identifier/gmd:code/${string}`,
  ),
  ...parties("contact"),
);
const many = { maxLength: 8 };
const isoRecord = fc
  .tuple(fc.array(metadataPart, many), fc.array(citationPart, many), fc.array(identificationPart, many))
  .map(
    ([metadata, citation, identification]) =>
      `<gmd:MD_Metadata${declarations}>${metadata.join("")}<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation>` +
      `<gmd:title><gco:CharacterString>Title</gco:CharacterString></gmd:title>${citation.join("")}</gmd:CI_Citation></gmd:citation>` +
      `${identification.join("")}</gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>`,
  );

const dcElements = [
  "title",
  "creator",
  "subject",
  "description",
  "publisher",
  "contributor",
  "date",
  "type",
  "format",
  "identifier",
  "source",
  "language",
  "relation",
  "coverage",
  "rights",
];
const dcRecord = fc
  .array(fc.oneof(...dcElements.map((name) => leaf(`dc:${name}`))), { maxLength: 20 })
  .map((inner) => `<oai_dc:dc${declarations}><dc:title>Title</dc:title>${inner.join("")}</oai_dc:dc>`);

/** Any vocabulary in any order and depth: nothing may make a mapping throw. */
const vocabulary = [
  "gmd:MD_Metadata",
  "gmd:identificationInfo",
  "gmd:citation",
  "gmd:CI_Citation",
  "gmd:title",
  "gmd:date",
  "gmd:extent",
  "gml:TimePeriod",
  "gml:begin",
  "gmd:contact",
  "gmd:keyword",
  "gmd:descriptiveKeywords",
  "gco:CharacterString",
  "gmx:Anchor",
  "gmd:PT_FreeText",
  "oai_dc:dc",
  "dc:title",
  "dc:coverage",
];
const { nonsense } = fc.letrec<{ nonsense: string }>((tie) => ({
  nonsense: fc
    .tuple(
      fc.constantFrom(...vocabulary),
      attribute,
      fc.oneof(
        { maxDepth: 6 },
        value.map(escaped),
        fc.array(tie("nonsense"), { maxLength: 4 }).map((inner) => inner.join("")),
      ),
    )
    .map(([name, attributes, inner]) => `<${name}${attributes}>${inner}</${name}>`),
}));

describe("nothing is invented", () => {
  const kinds = [
    { prefix: "iso19139", record: isoRecord },
    { prefix: "oai_dc", record: dcRecord },
    {
      prefix: "iso19139",
      record: nonsense.map((inner) => `<gmd:MD_Metadata${declarations}>${inner}</gmd:MD_Metadata>`),
    },
    { prefix: "oai_dc", record: nonsense.map((inner) => `<oai_dc:dc${declarations}>${inner}</oai_dc:dc>`) },
  ];
  it.each(kinds)("in generated records of $prefix", ({ prefix, record }) => {
    fc.assert(
      fc.property(record, (xml) => {
        expectFaithful(prefix, () => canonicalTree(xml));
      }),
      { numRuns: 150 },
    );
  });

  const folder = testData("records");
  const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".xml"));
  it.skipIf(files.length === 0)(
    "in real records (skipped without the test data: HARVEST_TEST_DATA/records)",
    () => {
      for (const file of files)
        expectFaithful("iso19139", () => canonicalTree(readFileSync(join(folder ?? "", file))));
    },
  );

  it.skipIf(files.length === 0)("every real record maps, or says why not", () => {
    const refused = files.flatMap((file) => {
      const result = transform("iso19139", canonicalTree(readFileSync(join(folder ?? "", file))));
      return result.kind === "unmappable" ? `${file} ${result.violation.rule}` : [];
    });
    expect(refused).toEqual(["054.xml no-title", "120.xml no-title", "125.xml no-title"]);
  });
});

it("the check itself finds what is invented", () => {
  const source = readTree(new TextEncoder().encode('<a b="x">1.50</a>'));
  const record = {
    title: "1.50",
    abstract: "y",
    type: "x",
    boundingBoxes: [{ west: 1.5, south: 2 }],
  } as unknown as CanonicalRecord;
  expect(invented(record, source)).toEqual(["/abstract: y", "/boundingBoxes/0/south: 2"]);
});
