import { describe, expect, it } from "vitest";
import { canonicalTree } from "../../../tests/setup/canonical-tree.js";
import type { CanonicalRecord } from "../../canonical.js";
import { transform } from "../index.js";

const NAMESPACES = [
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
function iso(parts: {
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

function string(property: string, value: string): string {
  return `<gmd:${property}><gco:CharacterString>${value}</gco:CharacterString></gmd:${property}>`;
}

function code(property: string, type: string, value: string): string {
  return `<gmd:${property}><gmd:${type} codeList="http://x/list.xml#${type}" codeListValue="${value}"/></gmd:${property}>`;
}

function mapped(xml: string) {
  const result = transform("iso19139", canonicalTree(xml));
  if (result.kind !== "mapped") throw new Error(result.violation.message);
  return result;
}

const EMPTY: CanonicalRecord = {
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

function table(rows: readonly Row[]): void {
  it.each(rows)("$name", (row) => {
    const result = mapped(row.given);
    expect(result.canonical).toStrictEqual({ ...EMPTY, ...row.expect });
    expect(result.remarks.map(({ rule }) => rule)).toEqual(row.remarks ?? []);
  });
}

describe("what the resource is called", () => {
  const anchor = '<gmd:title><gmx:Anchor xlink:href="http://x/1">Lakes</gmx:Anchor></gmd:title>';
  const french =
    '<gmd:PT_FreeText><gmd:textGroup><gmd:LocalisedCharacterString locale="#fr">Lacs</gmd:LocalisedCharacterString></gmd:textGroup>' +
    '<gmd:textGroup><gmd:LocalisedCharacterString locale="#en">Lakes</gmd:LocalisedCharacterString></gmd:textGroup></gmd:PT_FreeText>';
  const locale = (id: string, language: string) =>
    `<gmd:locale><gmd:PT_Locale id="${id}">${code("languageCode", "LanguageCode", language)}</gmd:PT_Locale></gmd:locale>`;
  table([
    { name: "nothing but a title", given: iso({}), expect: {} },
    { name: "a title in an Anchor", given: iso({ title: anchor }), expect: { title: "Lakes" } },
    {
      name: "white space in a title is folded",
      given: iso({ title: string("title", "\n  Lakes \t of\n Ohio ") }),
      expect: { title: "Lakes of Ohio" },
    },
    {
      name: "titles in other languages are alternate titles",
      given: iso({
        title: `<gmd:title><gco:CharacterString>Seen</gco:CharacterString>${french}</gmd:title>`,
      }),
      expect: { title: "Seen", alternateTitles: ["Lacs", "Lakes"] },
    },
    {
      name: "free text alone: the metadata's own language is preferred",
      given: iso({
        title: `<gmd:title>${french}</gmd:title>`,
        metadata: code("language", "LanguageCode", "eng") + locale("fr", "fre") + locale("en", "eng"),
      }),
      expect: { title: "Lakes", alternateTitles: ["Lacs"], metadataLanguage: "eng" },
    },
    {
      name: "free text alone: without a known language the first is taken",
      given: iso({ title: `<gmd:title>${french}</gmd:title>` }),
      expect: { title: "Lacs", alternateTitles: ["Lakes"] },
    },
    {
      name: "alternate titles, each once",
      given: iso({
        citation:
          string("alternateTitle", "A") + string("alternateTitle", "A") + string("alternateTitle", "T"),
      }),
      expect: { alternateTitles: ["A"] },
    },
    {
      name: "an abstract keeps its paragraphs",
      given: iso({ identification: string("abstract", "One  line.\n\n\n\n  Two\tlines. \n Three.") }),
      expect: { abstract: "One line.\n\nTwo lines.\nThree." },
    },
    {
      name: "a nil abstract is absent and no fault",
      given: iso({
        identification: '<gmd:abstract gco:nilReason="missing"><gco:CharacterString/></gmd:abstract>',
      }),
      expect: {},
    },
  ]);
});

describe("identifiers and dates", () => {
  const doi =
    '<gmd:identifier><gmd:MD_Identifier><gmd:code><gmx:Anchor xlink:href="https://doi.org/10.1/x">doi:10.1/x</gmx:Anchor></gmd:code></gmd:MD_Identifier></gmd:identifier>';
  const dated = (date: string, event?: string) =>
    `<gmd:date><gmd:CI_Date><gmd:date>${date}</gmd:date>${event === undefined ? "" : code("dateType", "CI_DateTypeCode", event)}</gmd:CI_Date></gmd:date>`;
  const day = (value: string) => `<gco:Date>${value}</gco:Date>`;
  table([
    {
      name: "the file identifier first, then the citation's code and the address behind it",
      given: iso({ metadata: string("fileIdentifier", "abc"), citation: doi }),
      expect: { identifier: "abc", otherIdentifiers: ["doi:10.1/x", "https://doi.org/10.1/x"] },
    },
    {
      name: "without a file identifier the citation's code identifies",
      given: iso({ citation: doi }),
      expect: { identifier: "doi:10.1/x", otherIdentifiers: ["https://doi.org/10.1/x"] },
    },
    {
      name: "dates as written, with their events",
      given: iso({
        citation:
          dated(day("2020"), "creation") +
          dated(day("2021-02-28"), "publication") +
          dated("<gco:DateTime>2021-03-01T10:00:00Z</gco:DateTime>", "http://x/codes#revision") +
          dated(day("20131114Z")),
      }),
      expect: {
        dates: [
          { event: "creation", date: "2020" },
          { event: "publication", date: "2021-02-28" },
          { event: "revision", date: "2021-03-01T10:00:00Z" },
          { event: "date", date: "20131114Z" },
        ],
      },
    },
    {
      name: "what is no date is left out with a remark, a nil one without",
      given: iso({
        citation:
          dated(day("2009-00-00"), "creation") +
          dated(day("yesterday")) +
          '<gmd:date gco:nilReason="unknown"/>',
      }),
      expect: {},
      remarks: ["date-unreadable", "date-unreadable"],
    },
    {
      name: "the metadata's own date, scope, language and reference systems",
      given: iso({
        metadata:
          code("hierarchyLevel", "MD_ScopeCode", "series") +
          string("language", "eng; USA") +
          `<gmd:dateStamp>${day("2014-04-01")}</gmd:dateStamp>` +
          "<gmd:referenceSystemInfo><gmd:MD_ReferenceSystem><gmd:referenceSystemIdentifier><gmd:RS_Identifier>" +
          string("code", "EPSG:4326") +
          "</gmd:RS_Identifier></gmd:referenceSystemIdentifier></gmd:MD_ReferenceSystem></gmd:referenceSystemInfo>",
        identification: code("language", "LanguageCode", "fre") + string("language", "ger"),
      }),
      expect: {
        type: "series",
        metadataDate: "2014-04-01",
        metadataLanguage: "eng; USA",
        languages: ["fre", "ger"],
        referenceSystems: ["EPSG:4326"],
      },
    },
  ]);
});

describe("where", () => {
  function box(west: string, south: string, east: string, north: string, type = ""): string {
    const side = (name: string, value: string) =>
      `<gmd:${name}><gco:Decimal>${value}</gco:Decimal></gmd:${name}>`;
    return (
      `<gmd:geographicElement><gmd:EX_GeographicBoundingBox>${type}` +
      side("westBoundLongitude", west) +
      side("eastBoundLongitude", east) +
      side("southBoundLatitude", south) +
      side("northBoundLatitude", north) +
      "</gmd:EX_GeographicBoundingBox></gmd:geographicElement>"
    );
  }
  const extent = (inner: string, prefix = "gmd") =>
    `<${prefix}:extent><gmd:EX_Extent>${inner}</gmd:EX_Extent></${prefix}:extent>`;
  const place = `<gmd:geographicElement><gmd:EX_GeographicDescription><gmd:geographicIdentifier><gmd:MD_Identifier>${string("code", "Ohio")}</gmd:MD_Identifier></gmd:geographicIdentifier></gmd:EX_GeographicDescription></gmd:geographicElement>`;
  const nil = (side: string) => `<gmd:${side} gco:nilReason="missing"/>`;
  const nilBox = `<gmd:geographicElement><gmd:EX_GeographicBoundingBox>${nil("westBoundLongitude")}${nil("eastBoundLongitude")}${nil("southBoundLatitude")}${nil("northBoundLatitude")}</gmd:EX_GeographicBoundingBox></gmd:geographicElement>`;
  const polygon =
    "<gmd:geographicElement><gmd:EX_BoundingPolygon><gmd:polygon/></gmd:EX_BoundingPolygon></gmd:geographicElement>";
  table([
    {
      name: "boxes of all extents, one across the antimeridian, and places",
      given: iso({
        identification:
          extent(box("-10", "1", "10.5", "2") + place) + extent(box("170", "-20", "-170", "-10")),
      }),
      expect: {
        boundingBoxes: [
          { west: -10, south: 1, east: 10.5, north: 2 },
          { west: 170, south: -20, east: -170, north: -10 },
        ],
        places: ["Ohio"],
      },
    },
    {
      name: "a service's extent",
      given: iso({ identification: extent(box("1", "2", "3", "4"), "srv") }),
      expect: { boundingBoxes: [{ west: 1, south: 2, east: 3, north: 4 }] },
    },
    {
      name: "a box of a point",
      given: iso({ identification: extent(box("1e1", "+2.", ".5", "2")) }),
      expect: { boundingBoxes: [{ west: 10, south: 2, east: 0.5, north: 2 }] },
    },
    {
      name: "three numbers and a decimal comma are no box",
      given: iso({
        identification:
          extent(box("1", "2", "", "4")) +
          extent(box("1,5", "2", "3", "4")) +
          extent(box("NaN", "2", "Infinity", "0x4")),
      }),
      expect: {},
      remarks: ["box-incomplete", "box-incomplete", "box-incomplete"],
    },
    {
      name: "metres are no degrees",
      given: iso({ identification: extent(box("430000", "120000", "440000", "130000")) }),
      expect: {},
      remarks: ["box-out-of-range"],
    },
    {
      name: "south above north",
      given: iso({ identification: extent(box("1", "4", "3", "2")) }),
      expect: {},
      remarks: ["box-upside-down"],
    },
    { name: "a nil box is absent", given: iso({ identification: extent(nilBox) }), expect: {} },
    {
      name: "a box that says where it is not",
      given: iso({
        identification: extent(
          box("1", "2", "3", "4", "<gmd:extentTypeCode><gco:Boolean>0</gco:Boolean></gmd:extentTypeCode>"),
        ),
      }),
      expect: {},
      remarks: ["box-excludes"],
    },
    {
      name: "a polygon gives no box",
      given: iso({ identification: extent(polygon) }),
      expect: {},
      remarks: ["polygon-not-mapped"],
    },
  ]);
});

describe("when", () => {
  const extent = (time: string) =>
    `<gmd:extent><gmd:EX_Extent><gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent>${time}</gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement></gmd:EX_Extent></gmd:extent>`;
  const period = (begin: string, end: string, gml = "gml") =>
    extent(`<${gml}:TimePeriod>${begin}${end}</${gml}:TimePeriod>`);
  const at = (name: string, value: string, attributes = "") =>
    `<gml:${name}${attributes}>${value}</gml:${name}>`;
  const begins = at("beginPosition", "2001-01-01");
  const instant = (value: string) =>
    `<gml:TimeInstant gml:id="i1">${at("timePosition", value)}</gml:TimeInstant>`;
  const both = [{ start: "2001-01-01", end: "2002" }];
  const open = [{ start: "2001-01-01" }];
  table([
    {
      name: "positions",
      given: iso({ identification: period(begins, at("endPosition", " 2002 ")) }),
      expect: { temporal: both },
    },
    {
      name: "positions in GML 3.1",
      given: iso({
        identification: period(
          "<old:beginPosition>2001-01-01</old:beginPosition>",
          "<old:endPosition>2002</old:endPosition>",
          "old",
        ),
      }),
      expect: { temporal: both },
    },
    {
      name: "instants inside begin and end",
      given: iso({ identification: period(at("begin", instant("2001-01-01")), at("end", instant("2002"))) }),
      expect: { temporal: both },
    },
    {
      name: "an end that refers to an instant of the same record",
      given: iso({ identification: period(begins, '<gml:end xlink:href="#i1"/>') + extent(instant("2002")) }),
      expect: { temporal: [...both, { start: "2002", end: "2002" }] },
    },
    {
      name: "an end that refers elsewhere is open: nothing is fetched",
      given: iso({
        identification:
          period(begins, '<gml:end xlink:href="http://x/#i1"/>') +
          period(begins, '<gml:end xlink:href="#none"/>'),
      }),
      expect: { temporal: [...open, ...open] },
    },
    {
      name: "an instant begins and ends",
      given: iso({ identification: extent(instant("2002-02")) }),
      expect: { temporal: [{ start: "2002-02", end: "2002-02" }] },
    },
    {
      name: "now is an open end",
      given: iso({ identification: period(begins, at("endPosition", "", ' indeterminatePosition="now"')) }),
      expect: { temporal: open },
    },
    {
      name: "the word now is an open end",
      given: iso({ identification: period(begins, at("endPosition", "Present")) }),
      expect: { temporal: open },
    },
    {
      name: "after a date keeps the date",
      given: iso({
        identification: period(begins, at("endPosition", "2002", ' indeterminatePosition="after"')),
      }),
      expect: { temporal: both },
    },
    {
      name: "an unknown start",
      given: iso({
        identification: period(
          at("beginPosition", "", ' indeterminatePosition="unknown"'),
          at("endPosition", "2002"),
        ),
      }),
      expect: { temporal: [{ end: "2002" }] },
    },
    {
      name: "two open ends are nothing",
      given: iso({ identification: period(at("beginPosition", ""), at("endPosition", "")) }),
      expect: {},
    },
    {
      name: "a nil extent",
      given: iso({
        identification: extent("").replace(
          "<gmd:extent></gmd:extent>",
          '<gmd:extent gco:nilReason="missing"/>',
        ),
      }),
      expect: {},
    },
    {
      name: "before our era",
      given: iso({ identification: period(at("beginPosition", "-2150-00-00"), at("endPosition", "2002")) }),
      expect: { temporal: [{ end: "2002" }] },
      remarks: ["date-unreadable"],
    },
    {
      name: "another frame than the calendar",
      given: iso({
        identification: period(
          at("beginPosition", "2500", ' frame="http://x/geologic-ma"'),
          at("endPosition", "2002"),
        ),
      }),
      expect: { temporal: [{ end: "2002" }] },
      remarks: ["date-unreadable"],
    },
    {
      name: "a length is not added up",
      given: iso({ identification: period(begins, "<gml:duration>P1Y</gml:duration>") }),
      expect: { temporal: open },
      remarks: ["duration-not-added"],
    },
  ]);
});

describe("what about", () => {
  const group = (keywords: string, thesaurus = "", type = "") =>
    `<gmd:descriptiveKeywords><gmd:MD_Keywords>${keywords}${type}${thesaurus}</gmd:MD_Keywords></gmd:descriptiveKeywords>`;
  const gcmd = `<gmd:thesaurusName><gmd:CI_Citation>${string("title", "GCMD")}</gmd:CI_Citation></gmd:thesaurusName>`;
  const type = code("type", "MD_KeywordTypeCode", "theme");
  table([
    {
      name: "a keyword is never split",
      given: iso({ identification: group(string("keyword", "OCEANS &gt; Tides, waves; swell"), gcmd, type) }),
      expect: { keywords: [{ value: "OCEANS > Tides, waves; swell", thesaurus: "GCMD", type: "theme" }] },
    },
    {
      name: "an Anchor's address, repeats once within a thesaurus",
      given: iso({
        identification:
          group(
            '<gmd:keyword><gmx:Anchor xlink:href="http://x/k">tide</gmx:Anchor></gmd:keyword>' +
              string("keyword", "tide"),
          ) +
          group(string("keyword", "tide"), gcmd) +
          group(string("keyword", " ") + '<gmd:keyword gco:nilReason="missing"/>'),
      }),
      expect: {
        keywords: [
          { value: "tide", href: "http://x/k" },
          { value: "tide", thesaurus: "GCMD" },
        ],
      },
    },
    {
      name: "topics are element text",
      given: iso({
        identification:
          "<gmd:topicCategory><gmd:MD_TopicCategoryCode> oceans </gmd:MD_TopicCategoryCode></gmd:topicCategory>" +
          code("topicCategory", "MD_TopicCategoryCode", "biota"),
      }),
      expect: { topics: ["oceans", "biota"] },
    },
  ]);
});

describe("who", () => {
  function party(inner: string): string {
    return `<gmd:CI_ResponsibleParty>${inner}</gmd:CI_ResponsibleParty>`;
  }
  const role = code("role", "CI_RoleCode", "owner");
  const address = (...mails: string[]) =>
    `<gmd:address><gmd:CI_Address>${mails.map((mail) => string("electronicMailAddress", mail)).join("")}</gmd:CI_Address></gmd:address>`;
  const full =
    string("individualName", "Jo Example") +
    string("organisationName", "Org") +
    string("positionName", "Chief") +
    "<gmd:contactInfo><gmd:CI_Contact><gmd:phone><gmd:CI_Telephone>" +
    string("voice", "+1 555 0100") +
    "</gmd:CI_Telephone></gmd:phone>" +
    address("None", "MAILTO:jo@example.org") +
    "<gmd:onlineResource><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://example.org/</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></gmd:onlineResource>" +
    "</gmd:CI_Contact></gmd:contactInfo>";
  table([
    {
      name: "everything of a party",
      given: iso({ metadata: `<gmd:contact>${party(full + role)}</gmd:contact>` }),
      expect: {
        contacts: [
          {
            role: "owner",
            of: "metadata",
            organisation: "Org",
            individual: "Jo Example",
            position: "Chief",
            email: "jo@example.org",
            phone: "+1 555 0100",
            url: "https://example.org/",
          },
        ],
      },
    },
    {
      name: "where each party stood",
      given: iso({
        metadata:
          `<gmd:contact>${party(string("organisationName", "M"))}</gmd:contact>` +
          `<gmd:distributionInfo><gmd:MD_Distribution><gmd:distributor><gmd:MD_Distributor><gmd:distributorContact>${party(string("organisationName", "D"))}</gmd:distributorContact></gmd:MD_Distributor></gmd:distributor></gmd:MD_Distribution></gmd:distributionInfo>`,
        citation: `<gmd:citedResponsibleParty>${party(string("organisationName", "C"))}</gmd:citedResponsibleParty>`,
        identification: `<gmd:pointOfContact>${party(string("organisationName", "R") + role)}</gmd:pointOfContact>`,
      }),
      expect: {
        contacts: [
          { of: "metadata", organisation: "M" },
          { role: "owner", of: "resource", organisation: "R" },
          { of: "citation", organisation: "C" },
          { of: "distributor", organisation: "D" },
        ],
      },
    },
    {
      name: "a nil contact is absent; a role alone names nobody",
      given: iso({
        metadata: `<gmd:contact gco:nilReason="missing"/><gmd:contact>${party(string("individualName", "") + role)}</gmd:contact>`,
      }),
      expect: {},
    },
    {
      name: "the e-mail None",
      given: iso({
        metadata: `<gmd:contact>${party(string("organisationName", "O") + `<gmd:contactInfo><gmd:CI_Contact>${address("None")}</gmd:CI_Contact></gmd:contactInfo>`)}</gmd:contact>`,
      }),
      expect: { contacts: [{ of: "metadata", organisation: "O" }] },
      remarks: ["email-unreadable"],
    },
  ]);
});

describe("how to get it and what one may do", () => {
  const online = (inner: string) => `<gmd:CI_OnlineResource>${inner}</gmd:CI_OnlineResource>`;
  const linkage = (url: string) => `<gmd:linkage><gmd:URL>${url}</gmd:URL></gmd:linkage>`;
  const transfer = (...resources: string[]) =>
    `<gmd:MD_DigitalTransferOptions>${resources.map((resource) => `<gmd:onLine>${resource}</gmd:onLine>`).join("")}</gmd:MD_DigitalTransferOptions>`;
  const distribution = (inner: string) =>
    `<gmd:distributionInfo><gmd:MD_Distribution>${inner}</gmd:MD_Distribution></gmd:distributionInfo>`;
  const legal = (inner: string) =>
    `<gmd:resourceConstraints><gmd:MD_LegalConstraints>${inner}</gmd:MD_LegalConstraints></gmd:resourceConstraints>`;
  const restricts = (property: string, value: string) => code(property, "MD_RestrictionCode", value);
  const anchored = (address: string) =>
    `<gmd:otherConstraints><gmx:Anchor xlink:href="${address}">words</gmx:Anchor></gmd:otherConstraints>`;
  const CC = "https://creativecommons.org/licenses/by/4.0/";
  table([
    {
      name: "five transfer options, one format, no distributor",
      given: iso({
        metadata: distribution(
          `<gmd:distributionFormat><gmd:MD_Format>${string("name", "GeoTIFF")}</gmd:MD_Format></gmd:distributionFormat>` +
            [1, 2, 3, 4, 5]
              .map(
                (n) =>
                  `<gmd:transferOptions>${transfer(online(linkage(`http://x/${String(n)}`)))}</gmd:transferOptions>`,
              )
              .join(""),
        ),
      }),
      expect: {
        formats: ["GeoTIFF"],
        links: [
          { url: "http://x/1" },
          { url: "http://x/2" },
          { url: "http://x/3" },
          { url: "http://x/4" },
          { url: "http://x/5" },
        ],
      },
    },
    {
      name: "a distributor's links and format, with everything said of them; repeats once; the data set's address last",
      given: iso({
        metadata:
          "<gmd:dataSetURI><gco:CharacterString>http://x/landing</gco:CharacterString></gmd:dataSetURI>" +
          distribution(
            `<gmd:distributor><gmd:MD_Distributor><gmd:distributorFormat><gmd:MD_Format>${string("name", "CSV")}</gmd:MD_Format></gmd:distributorFormat><gmd:distributorTransferOptions>${transfer(
              online(
                linkage(" https://x/wms?request=GetCapabilities&amp;a={b} ") +
                  string("protocol", "OGC:WMS") +
                  string("name", "layer") +
                  string("description", "A map") +
                  code("function", "CI_OnLineFunctionCode", "download"),
              ),
              online(linkage("ftp://x/f.zip")),
              online(linkage("ftp://x/f.zip")),
            )}</gmd:distributorTransferOptions></gmd:MD_Distributor></gmd:distributor>`,
          ),
      }),
      expect: {
        formats: ["CSV"],
        links: [
          {
            url: "https://x/wms?request=GetCapabilities&a={b}",
            name: "layer",
            description: "A map",
            protocol: "OGC:WMS",
            function: "download",
          },
          { url: "ftp://x/f.zip" },
          { url: "http://x/landing" },
        ],
      },
    },
    {
      name: "what is no web address is no link",
      given: iso({
        metadata: distribution(
          `<gmd:transferOptions>${transfer(
            online(linkage("javascript:alert(1)")),
            online(linkage("www.example.org")),
            online(linkage("http://x/a b")),
            online(linkage("Server=s; User=u; Password=p")),
            online(linkage("")),
            online('<gmd:linkage gco:nilReason="unknown"/>'),
          )}</gmd:transferOptions>`,
        ),
      }),
      expect: {},
      remarks: ["link-unreadable", "link-unreadable", "link-unreadable", "link-unreadable"],
    },
    {
      name: "a licence written as an Anchor in a block about use",
      given: iso({ identification: legal(restricts("useConstraints", "license") + anchored(CC)) }),
      expect: { constraints: { licence: CC, access: [], use: ["license"], texts: ["words"] } },
    },
    {
      name: "a licence named inside a sentence",
      given: iso({ identification: legal(string("useLimitation", `See ${CC}.`)) }),
      expect: { constraints: { licence: CC, access: [], use: [], texts: [`See ${CC}.`] } },
    },
    {
      name: "no licence: words, an address in a sentence, INSPIRE's codes, blocks about access",
      given: iso({
        identification:
          legal(string("useLimitation", "Public domain, CC0. Ask http://example.org/ for more.")) +
          legal(restricts("accessConstraints", "otherRestrictions") + anchored(CC)) +
          legal(
            restricts("useConstraints", "otherRestrictions") +
              anchored(
                "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply",
              ),
          ),
      }),
      expect: {
        constraints: {
          access: ["otherRestrictions"],
          use: ["otherRestrictions"],
          texts: ["Public domain, CC0. Ask http://example.org/ for more.", "words"],
        },
      },
    },
    {
      name: "a security classification is about access",
      given: iso({
        identification: `<gmd:resourceConstraints><gmd:MD_SecurityConstraints>${code("classification", "MD_ClassificationCode", "unclassified")}</gmd:MD_SecurityConstraints></gmd:resourceConstraints>`,
      }),
      expect: { constraints: { access: ["unclassified"], use: [], texts: [] } },
    },
  ]);
});

describe("where it comes from and belongs to", () => {
  const lineage = (statement: string) =>
    `<gmd:dataQualityInfo><gmd:DQ_DataQuality><gmd:lineage><gmd:LI_Lineage>${string("statement", statement)}</gmd:LI_Lineage></gmd:lineage></gmd:DQ_DataQuality></gmd:dataQualityInfo>`;
  const aggregate = (association: string, identifier: string) =>
    `<gmd:aggregationInfo><gmd:MD_AggregateInformation><gmd:aggregateDataSetIdentifier><gmd:MD_Identifier>${string("code", identifier)}</gmd:MD_Identifier></gmd:aggregateDataSetIdentifier>${code("associationType", "DS_AssociationTypeCode", association)}</gmd:MD_AggregateInformation></gmd:aggregationInfo>`;
  table([
    {
      name: "the first lineage statement",
      given: iso({ metadata: lineage("Surveyed.") + lineage("Digitised.") }),
      expect: { lineage: "Surveyed." },
      remarks: ["more-than-one"],
    },
    {
      name: "a parent identifier wins; other resources are relations",
      given: iso({
        metadata: string("parentIdentifier", "P"),
        identification:
          aggregate("largerWorkCitation", "W") +
          aggregate("crossReference", "X") +
          aggregate("isComposedOf", "Y"),
      }),
      expect: { parent: "P", relations: ["X", "Y"] },
    },
    {
      name: "else the larger work",
      given: iso({ identification: aggregate("larger_work_citation", "W") }),
      expect: { parent: "W" },
    },
  ]);
});

describe("finding the record", () => {
  const inner = iso({});
  const wrapped = [
    { name: "ISO 19115-2", given: inner.replaceAll("gmd:MD_Metadata", "gmi:MI_Metadata") },
    {
      name: "a data set wrapper",
      given: `<g:DS_DataSet xmlns:g="http://www.isotc211.org/2005/gmd"><g:has>${inner}</g:has></g:DS_DataSet>`,
    },
    {
      name: "a CSW answer",
      given: `<c:GetRecordByIdResponse xmlns:c="http://www.opengis.net/cat/csw/2.0.2">${inner}</c:GetRecordByIdResponse>`,
    },
    {
      name: "an OAI metadata element",
      given: `<metadata xmlns="http://www.openarchives.org/OAI/2.0/">${inner}</metadata>`,
    },
    {
      name: "a national profile that says what it stands for",
      given: inner
        .replaceAll("gmd:MD_Metadata", "che:CHE_MD_Metadata")
        .replace(
          "xmlns:gmd",
          'xmlns:che="http://www.geocat.ch/2008/che" gco:isoType="gmd:MD_Metadata" xmlns:gmd',
        ),
    },
    {
      name: "other prefixes, declared where they are used",
      given: inner.replaceAll("gmd:", "q:").replaceAll(":gmd=", ":q="),
    },
  ];
  it.each(wrapped)("reads $name", ({ given }) => {
    expect(mapped(given).canonical).toStrictEqual(EMPTY);
  });

  const refused = [
    {
      name: "another format",
      given: '<dc xmlns="urn:x"/>',
      rule: "wrong-root",
      says: /<dc> in the namespace urn:x/,
    },
    { name: "no namespace", given: "<MD_Metadata/>", rule: "wrong-root", says: /in no namespace/ },
    {
      name: "ISO 19115-3",
      given: '<mdb:MD_Metadata xmlns:mdb="http://standards.iso.org/iso/19115/-3/mdb/2.0"/>',
      rule: "wrong-root",
      says: /19115-3/,
    },
    { name: "FGDC", given: "<metadata><idinfo/></metadata>", rule: "wrong-root", says: /FGDC/ },
    {
      name: "an empty wrapper",
      given: '<metadata xmlns="http://www.openarchives.org/OAI/2.0/"/>',
      rule: "wrong-root",
      says: /holds no/,
    },
    {
      name: "no identification",
      given: `<gmd:MD_Metadata ${NAMESPACES}/>`,
      rule: "no-identification",
      says: /identificationInfo/,
    },
    { name: "no title", given: iso({ title: string("title", "  ") }), rule: "no-title", says: /no title/ },
    {
      name: "a nil title",
      given: iso({ title: '<gmd:title gco:nilReason="missing"/>' }),
      rule: "no-title",
      says: /no title/,
    },
  ];
  it.each(refused)("refuses $name and says why", ({ given, rule, says }) => {
    const result = transform("iso19139", canonicalTree(given));
    expect(result).toMatchObject({
      kind: "unmappable",
      violation: { gate: "transform", rule, severity: "error" },
    });
    expect(result.kind === "unmappable" && result.violation.message).toMatch(says);
  });

  it("names the place of a missing title", () => {
    const result = transform("iso19139", canonicalTree(iso({ title: "" })));
    expect(result.kind === "unmappable" && result.violation.xpath).toBe(
      "/gmd:MD_Metadata/gmd:identificationInfo/gmd:MD_DataIdentification/gmd:citation/gmd:CI_Citation",
    );
  });

  it("takes the links of a second identification, and says that the rest is not mapped", () => {
    const service =
      "<gmd:identificationInfo><srv:SV_ServiceIdentification><srv:containsOperations><srv:SV_OperationMetadata><srv:connectPoint><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>http://x/wms</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></srv:connectPoint></srv:SV_OperationMetadata></srv:containsOperations></srv:SV_ServiceIdentification></gmd:identificationInfo></gmd:MD_Metadata>";
    const result = mapped(iso({}).replace("</gmd:MD_Metadata>", service));
    expect(result.canonical.links).toEqual([{ url: "http://x/wms" }]);
    expect(result.remarks).toMatchObject([
      {
        rule: "more-than-one",
        severity: "info",
        xpath: "/gmd:MD_Metadata/gmd:identificationInfo[2]/srv:SV_ServiceIdentification",
      },
    ]);
  });
});
