import { describe } from "vitest";
import { code, iso, string, table } from "../../../tests/setup/iso-record.js";

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
