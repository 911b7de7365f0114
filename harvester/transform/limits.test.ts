import { describe, expect, it } from "vitest";
import { readTree } from "../xml/tree.js";
import { prefixes, transform } from "./index.js";
import { cutText } from "./limits.js";

const GMD = "http://www.isotc211.org/2005/gmd";
const GCO = "http://www.isotc211.org/2005/gco";

function iso(identification: string, metadata = "") {
  return new TextEncoder().encode(
    `<gmd:MD_Metadata xmlns:gmd="${GMD}" xmlns:gco="${GCO}" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink">${metadata}<gmd:identificationInfo><gmd:MD_DataIdentification><gmd:citation><gmd:CI_Citation><gmd:title><gco:CharacterString>T</gco:CharacterString></gmd:title></gmd:CI_Citation></gmd:citation>${identification}</gmd:MD_DataIdentification></gmd:identificationInfo></gmd:MD_Metadata>`,
  );
}

function mapped(bytes: Uint8Array) {
  const result = transform("iso19139", readTree(bytes));
  if (result.kind !== "mapped") throw new Error(result.violation.message);
  return result;
}

function string(property: string, value: string): string {
  return `<gmd:${property}><gco:CharacterString>${value}</gco:CharacterString></gmd:${property}>`;
}

describe("a hostile record costs little", () => {
  it("34,000 keywords: the first thousand are kept, with a remark", () => {
    const many = Array.from({ length: 34_000 }, (_, n) => string("keyword", `k${String(n)}`)).join("");
    const { canonical, remarks } = mapped(
      iso(`<gmd:descriptiveKeywords><gmd:MD_Keywords>${many}</gmd:MD_Keywords></gmd:descriptiveKeywords>`),
    );
    expect(canonical.keywords.length).toBe(1_000);
    expect(canonical.keywords.at(-1)).toEqual({ value: "k999" });
    expect(remarks).toMatchObject([{ rule: "list-too-long", severity: "warning" }]);
    expect(remarks[0]?.message).toBe("There are 34000 <gmd:keyword>: the first 1000 are kept.");
    expect(remarks[0]?.xpath).toMatch(/\/gmd:keyword\[1001\]$/);
  });

  it("a long abstract is cut, with a remark", () => {
    const { canonical, remarks } = mapped(iso(string("abstract", "x".repeat(100_001))));
    expect(canonical.abstract?.length).toBe(100_000);
    expect(remarks).toMatchObject([{ rule: "text-too-long" }]);
  });

  it("a long address is dropped: cut, it would lead elsewhere", () => {
    const linkage = `<gmd:linkage><gmd:URL>http://x/${"y".repeat(5_000)}</gmd:URL></gmd:linkage>`;
    const metadata = `<gmd:distributionInfo><gmd:MD_Distribution><gmd:transferOptions><gmd:MD_DigitalTransferOptions><gmd:onLine><gmd:CI_OnlineResource>${linkage}</gmd:CI_OnlineResource></gmd:onLine></gmd:MD_DigitalTransferOptions></gmd:transferOptions></gmd:MD_Distribution></gmd:distributionInfo>`;
    const { canonical, remarks } = mapped(iso("", metadata));
    expect(canonical.links).toEqual([]);
    expect(remarks).toMatchObject([{ rule: "link-unreadable" }]);
  });

  it("remarks themselves are bounded", () => {
    const bad =
      "<gmd:date><gmd:CI_Date><gmd:date><gco:Date>never</gco:Date></gmd:date></gmd:CI_Date></gmd:date>";
    const text = new TextDecoder()
      .decode(iso(""))
      .replace("</gmd:CI_Citation>", `${bad.repeat(200)}</gmd:CI_Citation>`);
    const { remarks } = mapped(new TextEncoder().encode(text));
    expect(remarks.length).toBe(51);
    expect(remarks.at(-1)).toMatchObject({
      rule: "more-remarks",
      message: "150 more remarks on this record were not kept.",
    });
  });

  it("a thousand references to instants walk the record once", () => {
    const reference =
      '<gml:TimePeriod><gml:begin xlink:href="#none"></gml:begin><gml:end xlink:href="#i"></gml:end></gml:TimePeriod>';
    const extents = `<gmd:extent><gmd:EX_Extent><gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent>${reference}</gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement></gmd:EX_Extent></gmd:extent>`;
    const padding = "<gmd:x></gmd:x>".repeat(50_000);
    const instant = '<gml:TimeInstant gml:id="i"><gml:timePosition>2000</gml:timePosition></gml:TimeInstant>';
    const { canonical } = mapped(iso(extents.repeat(1_000), padding + instant));
    expect(canonical.temporal.length).toBe(1_000);
    expect(canonical.temporal[0]).toEqual({ end: "2000" });
  });
});

describe("cutText", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["ab😀", 3, "ab"],
    ["a😀b", 3, "a😀"],
    ["ab cd", 3, "ab"],
  ])("cuts %j at %i to %j", (value, limit, cut) => {
    expect(cutText(value, limit)).toBe(cut);
  });
});

it("a prefix without a mapping is refused by name", () => {
  expect(prefixes).toEqual(["iso19139", "oai_dc"]);
  for (const prefix of ["marc21", "constructor", "__proto__", ""]) {
    expect(transform(prefix, readTree(iso("")))).toMatchObject({
      kind: "unmappable",
      violation: { rule: "unknown-prefix", gate: "transform", severity: "error" },
    });
  }
});
