/** Where a rule changes its mind: values just on either side of a decision, through the whole judge. */
import { describe, expect, it } from "vitest";
import { loadRuleSet } from "../../harvester/gate/schematron/load-rule-set.js";
import { parseXml } from "../../harvester/xml/parse.js";
import { fixture, shippedRules } from "./shipped-policy.js";

const rules = loadRuleSet({ entry: "rules/geo-business-rules.sch", files: shippedRules });
const dublin = loadRuleSet({ entry: "rules/oai-dc-rules.sch", files: shippedRules });
const small = Buffer.from(fixture("iso19139/good/dataset-small.xml")).toString("utf8");
const core = Buffer.from(fixture("oai_dc/good/full.xml")).toString("utf8");

function failing(xml: string, set = rules): readonly string[] {
  const parsed = parseXml(Buffer.from(xml));
  if (parsed.kind === "broken") throw new Error("The test's own record is broken.");
  try {
    return set.check(parsed.document, 50).map(({ rule }) => rule);
  } finally {
    parsed.document.dispose();
  }
}

function withBox(box: { w: string; e: string; s: string; n: string }): string {
  const sides = {
    westBoundLongitude: box.w,
    eastBoundLongitude: box.e,
    southBoundLatitude: box.s,
    northBoundLatitude: box.n,
  };
  return Object.entries(sides).reduce(
    (xml, [name, value]) => xml.replace(new RegExp(`(<gmd:${name}>\\s*<gco:Decimal>)[^<]*`), `$1 ${value}`),
    small,
  );
}

describe("boxes", () => {
  it.each([
    { name: "a point", w: "10", e: "10", s: "50", n: "50", expect: [] },
    { name: "the whole globe", w: "-180", e: "180", s: "-90", n: "90", expect: [] },
    { name: "up to the antimeridian", w: "170", e: "180", s: "0", n: "1", expect: [] },
    { name: "from the antimeridian", w: "-180", e: "-170", s: "0", n: "1", expect: [] },
    {
      name: "across it, written with 180",
      w: "180",
      e: "-170",
      s: "0",
      n: "1",
      expect: ["bbox-antimeridian"],
    },
    { name: "across it, 20 degrees", w: "170", e: "-170", s: "0", n: "1", expect: ["bbox-antimeridian"] },
    { name: "across it, 179.9 degrees", w: "90.1", e: "-90", s: "0", n: "1", expect: ["bbox-antimeridian"] },
    { name: "across it, 180 degrees", w: "90", e: "-90", s: "0", n: "1", expect: ["bbox-order"] },
    { name: "exchanged around Greenwich", w: "10", e: "-10", s: "0", n: "1", expect: ["bbox-order"] },
    { name: "exchanged in the east", w: "175", e: "170", s: "0", n: "1", expect: ["bbox-order"] },
    { name: "exchanged in the west", w: "-96.1", e: "-98.4", s: "0", n: "1", expect: ["bbox-order"] },
    { name: "exchanged by a hair", w: "10.0000001", e: "10", s: "0", n: "1", expect: ["bbox-order"] },
    { name: "0 to 360", w: "350", e: "359", s: "0", n: "1", expect: ["bbox-range"] },
    { name: "beyond the pole", w: "1", e: "2", s: "0", n: "90.01", expect: ["bbox-range"] },
    { name: "upside down", w: "1", e: "2", s: "1", n: "0.99", expect: ["bbox-latitude-order"] },
    { name: "four zeros", w: "0", e: "0.0", s: "-0", n: "0", expect: ["bbox-not-null"] },
    {
      name: "wrong in all ways",
      w: "200",
      e: "190",
      s: "95",
      n: "91",
      expect: ["bbox-range", "bbox-order", "bbox-latitude-order"],
    },
  ])("$name: $w $e $s $n", ({ expect: expected, ...box }) => {
    expect(failing(withBox(box))).toEqual(expected);
  });
});

describe("periods", () => {
  it.each([
    { begin: "2003", end: "2003", expect: [] },
    { begin: "2003-06", end: "2003", expect: [] },
    { begin: "2003", end: "2003-01", expect: [] },
    { begin: "2004", end: "2003-12", expect: ["temporal-order"] },
    { begin: "2004-01-01", end: "2003-12-31", expect: ["temporal-order"] },
    { begin: "2003-02", end: "2003-01", expect: ["temporal-order"] },
    { begin: "20030201", end: "20030131", expect: ["temporal-order"] },
    { begin: "2003-02-01Z", end: "2003-02-01Z", expect: [] },
    { begin: "2003-02-01+02:00", end: "2003-02-01", expect: [] },
    { begin: "-2150", end: "1980", expect: [] },
    { begin: "-2150", end: "-2151", expect: ["temporal-order"] },
    { begin: "-0010", end: "-0009", expect: [] },
    { begin: "1980", end: "-2150", expect: ["temporal-order"] },
    { begin: "2003-02-01T10:00:00Z", end: "2003-02-01T09:59:59Z", expect: ["temporal-order"] },
    { begin: "2003-02-01T10:00:00Z", end: "2003-02-01T10:00:00Z", expect: [] },
    { begin: "2003-02-01T10:00:00Z", end: "2003-02-01", expect: [] },
    // The same instant or later, though the calendar seems to go backwards.
    { begin: "2003-03-01T01:00:00+12:00", end: "2003-02-28T14:00:00Z", expect: [] },
    { begin: "2003-03-09T01:00:00+12:00", end: "2003-02-28T14:00:00Z", expect: ["temporal-order"] },
    { begin: "2003-00-00", end: "2004", expect: ["temporal-begin-readable"] },
    { begin: "2003-13", end: "2004", expect: ["temporal-begin-readable"] },
    { begin: "2003", end: "2004-01-32", expect: ["temporal-end-readable"] },
    { begin: "2003", end: "present", expect: ["temporal-end-readable"] },
    { begin: "1.1.2003", end: "2004", expect: ["temporal-begin-readable"] },
    { begin: "03", end: "2004", expect: ["temporal-begin-readable"] },
    { begin: "", end: "2004", expect: ["temporal-begin-present"] },
    { begin: " ", end: " ", expect: ["temporal-begin-present", "temporal-end-present"] },
  ])("$begin to $end", ({ begin, end, expect: expected }) => {
    const changed = small
      .replace(/<gml:beginPosition>[^<]*/, `<gml:beginPosition>${begin}`)
      .replace(/<gml:endPosition>[^<]*/, `<gml:endPosition>${end}`);
    expect(failing(changed)).toEqual(expected);
    const older = changed.replace("http://www.opengis.net/gml/3.2", "http://www.opengis.net/gml");
    expect(failing(older)).toEqual(expected);
  });

  it.each([
    { begin: "2003", word: "now", expect: [] },
    { begin: "2003", word: "after", expect: [] },
    { begin: "2003", word: "unknown", expect: ["temporal-end-unknown"] },
  ])("$begin to the word $word", ({ begin, word, expect: expected }) => {
    const changed = small
      .replace(/<gml:beginPosition>[^<]*/, `<gml:beginPosition>${begin}`)
      .replace(
        /<gml:endPosition>[\s\S]*?<\/gml:endPosition>/,
        `<gml:endPosition indeterminatePosition="${word}"/>`,
      );
    expect(failing(changed)).toEqual(expected);
  });
});

describe("levels and what they may leave out", () => {
  const timeless = small.replace(/<gmd:temporalElement>[\s\S]*?<\/gmd:temporalElement>/, "");
  const level = (word: string) =>
    timeless.replace(/(<gmd:MD_ScopeCode [^>]*codeListValue=")[^"]*/, `$1${word}`);
  it.each([
    { word: "dataset", expect: ["temporal-present"] },
    { word: "series", expect: ["temporal-present"] },
    { word: "service", expect: [] },
    { word: "software", expect: [] },
    { word: "nonGeographicDataset", expect: ["temporal-present"] },
    { word: "https://lists.example/ScopeCode#dataset", expect: ["temporal-present"] },
    { word: "layer", expect: ["hierarchy-level-known", "temporal-present"] },
  ])("$word without a temporal extent", ({ word, expect: expected }) => {
    expect(failing(level(word))).toEqual(expected);
  });
});

describe("dates of Dublin Core", () => {
  it.each([
    { date: "1999", expect: [] },
    { date: "1999-04", expect: [] },
    { date: "1999-04-12T10:00:00Z", expect: [] },
    { date: "1996/1998", expect: [] },
    { date: "1998/1996-05", expect: ["dc-date-order"] },
    { date: "April 1999", expect: ["dc-date-readable"] },
    { date: "1999-14-01", expect: ["dc-date-readable"] },
  ])("$date", ({ date, expect: expected }) => {
    expect(failing(core.replace(/<dc:date>[^<]*/, `<dc:date>${date}`), dublin)).toEqual(expected);
  });
});
