import { describe, expect, it } from "vitest";
import { canonicalize } from "./canonicalize.js";
import { parseXml } from "./parse.js";
import { compileXPath, xpathContext } from "./xpath.js";

function canonical(xml: string): string | undefined {
  const parsed = parseXml(Buffer.from(xml));
  if (parsed.kind === "broken") throw new Error(parsed.problems[0]?.message);
  try {
    const bytes = canonicalize(parsed.document, Buffer.from(xml));
    return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
  } finally {
    parsed.document.dispose();
  }
}

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

describe("records that mean the same give the same bytes", () => {
  it.each([
    { name: "order of attributes", given: '<a c="1" b="2"/>', expect: '<a b="2" c="1"></a>' },
    { name: "comments", given: "<a>x<!-- y -->z</a>", expect: "<a>xz</a>" },
    { name: "CDATA", given: "<a><![CDATA[1 < 2]]></a>", expect: "<a>1 &lt; 2</a>" },
    {
      name: "unused namespaces",
      given: '<a xmlns:u="urn:u" xmlns="urn:d"/>',
      expect: '<a xmlns="urn:d"></a>',
    },
    { name: "indentation", given: "<a>\n\t<b>x</b>\n  <c/>\n</a>", expect: "<a><b>x</b><c></c></a>" },
    {
      name: "C64 schemaLocation",
      given: `<a ${XSI} xsi:schemaLocation="u http://x/y.xsd"><b/></a>`,
      expect: "<a><b></b></a>",
    },
    {
      name: "C64 schemaLocation further in",
      given: `<a><b ${XSI} xsi:noNamespaceSchemaLocation="y.xsd" c="1"/></a>`,
      expect: '<a><b c="1"></b></a>',
    },
    { name: "xsi:nil stays", given: `<a ${XSI} xsi:nil="true"/>`, expect: `<a ${XSI} xsi:nil="true"></a>` },
  ])("$name", (row) => {
    expect(canonical(row.given)).toBe(row.expect);
  });

  it.each([
    { name: "blanks that are the whole content", given: "<a> <b>  </b> </a>", expect: "<a><b>  </b></a>" },
    { name: "blanks beside text", given: "<a>x <b>y</b> z</a>", expect: "<a>x <b>y</b> z</a>" },
    { name: "a > inside an attribute", given: '<a b="1 > 0"> <c/> </a>', expect: '<a b="1 > 0"><c></c></a>' },
    {
      name: "an instruction with a > in it",
      given: "<a><?p 1 > 0?> <b/></a>",
      expect: "<a><?p 1 > 0?><b></b></a>",
    },
    {
      name: "a carriage return written as a reference",
      given: "<a>&#13;<b/></a>",
      expect: "<a>&#xD;<b></b></a>",
    },
  ])("keeps $name", (row) => {
    expect(canonical(row.given)).toBe(row.expect);
  });

  it("leaves the document as it was: schemaLocation is still there for the gates", () => {
    const xml = Buffer.from(`<a ${XSI} xsi:schemaLocation="u v" b="1"/>`);
    const parsed = parseXml(xml);
    if (parsed.kind === "broken") throw new Error("broken");
    canonicalize(parsed.document, xml);
    const count = compileXPath("count(/a/@*)");
    const context = xpathContext(parsed.document, new Map());
    expect(context.evaluate(count, parsed.document.node)).toBe(2);
    context.dispose();
    count.dispose();
    parsed.document.dispose();
  });

  it("is undefined for relative namespace names, as the specification has it", () => {
    expect(canonical('<a xmlns="foo"/>')).toBeUndefined();
  });
});
