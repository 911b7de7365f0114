/** The gate profile of ISO 19139 on the fixtures: files, twins, and typical damage. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mutations } from "./mutations.js";
import { compiled, fixture, fixtures, refusals, shippedSchemas } from "./shipped-policy.js";

const ours = compiled(shippedSchemas, "schemas/iso19139.xsd");

/** In UTF-8 only: the pre-gate transcodes the others before a schema sees them. */
const good = fixtures("iso19139/good").filter((path) => !/utf-16|latin-1/.test(path));

describe("the gate profile of ISO 19139", () => {
  it.each(["schemas/iso19139.xsd", "schemas/oai_dc.xsd", "schemas/oai-pmh.xsd"])(
    "%s compiles from its own files alone",
    (entry) => {
      expect(() => compiled(shippedSchemas, entry)).not.toThrow();
    },
  );

  it("declares the same times in both namespaces of GML", () => {
    const read = (name: string) =>
      readFileSync(join(import.meta.dirname, "../../schemas/iso19139", name), "utf8");
    const declarations = (text: string) =>
      text.slice(text.indexOf("</xs:annotation>")).replaceAll("gml32:", "gml:");
    expect(declarations(read("gml-2007.xsd"))).toBe(declarations(read("gml-2006.xsd")));
  });

  it.each(good)("accepts %s", (path) => {
    expect(refusals(ours, fixture(path))).toEqual([]);
  });

  it.each(fixtures("iso19139/bad").filter((path) => path.includes("/xsd-")))("refuses %s", (path) => {
    expect(refusals(ours, fixture(path))).not.toEqual([]);
  });

  describe.each(mutations)("refuses a record with $name", ({ change }) => {
    const damaged = good.flatMap((path) => {
      const xml = change(Buffer.from(fixture(path)).toString("utf8"));
      return xml === undefined ? [] : [{ path, xml }];
    });
    it("has records to damage", () => {
      expect(damaged.length).toBeGreaterThan(0);
    });
    it.each(damaged)("$path", ({ xml }) => {
      expect(refusals(ours, xml)).not.toEqual([]);
    });
  });
});

/** Things official schemas accept and catalogues send: none may be refused. */
describe("what the gate profile lets through", () => {
  const full = Buffer.from(fixture("iso19139/good/dataset-full.xml")).toString("utf8");
  it.each([
    {
      name: "attributes of catalogue software",
      from: "<gmd:contact>",
      to: '<gmd:contact xmlns:cat="urn:cat" cat:row="7">',
    },
    {
      name: "a property by reference",
      from: "<gmd:contact>",
      to: '<gmd:contact xlink:href="https://a.example/c"/><gmd:contact>',
    },
    {
      name: "a reason of its own",
      from: "<gmd:contact>",
      to: '<gmd:contact gco:nilReason="https://a.example/why"/><gmd:contact>',
    },
    {
      name: "a file name in place of text",
      from: /<gmd:fileName>[\s\S]*?<\/gmd:fileName>/,
      to: '<gmd:fileName><gmx:FileName src="https://a.example/i.png">i.png</gmx:FileName></gmd:fileName>',
    },
    {
      name: "a code word in place of text",
      from: /<gmd:purpose>[\s\S]*?<\/gmd:purpose>/,
      to: '<gmd:purpose><gmd:MD_ProgressCode codeList="l" codeListValue="planned"/></gmd:purpose>',
    },
    {
      name: "anything in parts that are not read",
      from: "<gmd:contentInfo>",
      to: "<gmd:contentInfo><gmd:MD_New><gmd:thing>1</gmd:thing></gmd:MD_New>",
    },
    {
      name: "a month or a year as date",
      from: "<gco:Date>2021-02-11</gco:Date>",
      to: "<gco:Date>2021-02</gco:Date>",
    },
    {
      name: "a date with time as dateStamp",
      from: "<gco:Date>2021-02-11</gco:Date>",
      to: "<gco:DateTime>2021-02-11T08:00:00+01:00</gco:DateTime>",
    },
    {
      name: "a time node",
      from: /<gml:TimePeriod [\s\S]*?<\/gml:TimePeriod>/,
      to: '<gml:TimeNode gml:id="n"/>',
    },
    {
      name: "a period of instants",
      from: /<gml:beginPosition>[\s\S]*?<\/gml:beginPosition>/,
      to: '<gml:begin><gml:TimeInstant gml:id="b"><gml:timePosition>1901</gml:timePosition></gml:TimeInstant></gml:begin>',
    },
  ])("$name", ({ from, to }) => {
    const changed = full.replace(from, to);
    expect(changed).not.toBe(full);
    expect(refusals(ours, changed)).toEqual([]);
  });
});
