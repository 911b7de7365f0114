import { describe, expect, it } from "vitest";
import { type Violation } from "../record.js";
import { parseXml } from "../xml/parse.js";
import { compileXsdGate, SchemaRefused } from "./xsd.js";

const XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"';
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

const shapes = `<xs:schema ${XS} targetNamespace="u" xmlns="u" elementFormDefault="qualified">
<xs:element name="r"><xs:complexType><xs:choice maxOccurs="unbounded">
<xs:element name="d" type="xs:decimal"/>
<xs:element name="e"><xs:simpleType><xs:restriction base="xs:string"><xs:enumeration value="a"/><xs:enumeration value="b"/></xs:restriction></xs:simpleType></xs:element>
<xs:element name="m"><xs:simpleType><xs:restriction base="xs:decimal"><xs:maxInclusive value="180"/></xs:restriction></xs:simpleType></xs:element>
<xs:element name="i"><xs:complexType><xs:attribute name="id" type="xs:ID" use="required"/></xs:complexType></xs:element>
<xs:element name="c"><xs:complexType><xs:sequence><xs:element name="x"/><xs:element name="y"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="t" type="xs:date"/>
<xs:element name="w"><xs:complexType><xs:sequence><xs:any namespace="##other" processContents="strict"/></xs:sequence></xs:complexType></xs:element>
</xs:choice></xs:complexType></xs:element>
<xs:element name="abs" abstract="true"/>
</xs:schema>`;

function check(
  record: string,
  schemas: Readonly<Record<string, string>> = { "s.xsd": shapes },
): readonly Violation[] {
  const files = new Map(Object.entries(schemas).map(([path, text]) => [path, Buffer.from(text)]));
  const gate = compileXsdGate(
    Object.keys(schemas).filter((path) => !path.startsWith("lib/")),
    files,
  );
  const parsed = parseXml(Buffer.from(record));
  if (parsed.kind === "broken") throw new Error("broken");
  try {
    return gate.check(parsed.document, 50);
  } finally {
    parsed.document.dispose();
    gate.dispose();
  }
}

describe("what the schema refuses, said so that a publisher can act", () => {
  it.each([
    {
      record: "<d>x</d>",
      rule: "bad-value",
      message: 'd is "x", but must be a decimal number such as 12.5.',
    },
    { record: "<d/>", rule: "bad-value", message: "d is empty, but must be a decimal number such as 12.5." },
    { record: "<e>z</e>", rule: "bad-value", message: "e is \"z\", but must be one of 'a', 'b'." },
    {
      record: "<m>190</m>",
      rule: "bad-value",
      message: "m has a value out of bounds: '190' is greater than the maximum value allowed ('180').",
    },
    {
      record: "<t>31.1.2024</t>",
      rule: "bad-value",
      message: 't is "31.1.2024", but must be a date such as 2024-01-31.',
    },
    { record: "<i/>", rule: "missing-attribute", message: "i has no attribute id." },
    {
      record: '<i id="a" z="1"/>',
      rule: "unexpected-attribute",
      message: "i/@z may not have the attribute z.",
    },
    {
      record: '<i id="1 2"/>',
      rule: "bad-id",
      message: 'i/@id: "1 2" is not a name (letters, digits, _ . -), or is used twice in the record.',
    },
    { record: "<c><x/></c>", rule: "missing-element", message: "c is not complete: y is missing." },
    { record: "<c><y/></c>", rule: "unexpected-element", message: "y is not allowed here; expected x." },
    {
      record: "<c><x/><y/><z/></c>",
      rule: "unexpected-element",
      message: "z is not allowed here; nothing more is expected in this place.",
    },
    {
      record: "<c>text<x/><y/></c>",
      rule: "unexpected-text",
      message: "c has text of its own, but only elements are allowed in it.",
    },
    { record: '<w><a xmlns="v"/></w>', rule: "unknown-element", message: "a is not known to the schema." },
    {
      record: `<d ${XSI} xsi:nil="true"/>`,
      rule: "bad-nil",
      message: "xsi:nil on d is not allowed, or it has content besides.",
    },
    {
      record: `<d ${XSI} xsi:type="foo">1</d>`,
      rule: "unknown-type",
      message: "d/@type names a type in xsi:type that the schema does not know.",
    },
    { record: "", rule: "missing-element", message: "r is not complete: d, e, m, i, c, t or w is missing." },
  ])("$record", ({ record, rule, message }) => {
    expect(check(`<r xmlns="u">${record}</r>`)[0]).toMatchObject({
      gate: "xsd",
      rule,
      severity: "error",
      message,
    });
  });

  it("another root", () => {
    expect(check('<q xmlns="u"/>')).toMatchObject([
      { rule: "unknown-root", message: "q is not an element a record can begin with under this schema." },
    ]);
  });

  it("an abstract root", () => {
    expect(check('<abs xmlns="u"/>')).toMatchObject([{ rule: "abstract-element" }]);
  });

  it("names the place, and one place once", () => {
    expect(check('<r xmlns="u" xmlns:p="u">\n<e>a</e>\n<p:m>190</p:m><e>z</e></r>')).toMatchObject([
      { xpath: "/r/p:m", line: 3 },
      { xpath: "/r/e[2]", line: 3 },
    ]);
  });
});

/** Two generations of one format, told apart by the namespace they import, as ISO 19139 of 2006 and 2007 are. */
function generation(gml: string): string {
  return `<xs:schema ${XS} xmlns:g="${gml}" targetNamespace="gmd" elementFormDefault="qualified"><xs:import namespace="${gml}" schemaLocation="lib/${gml}.xsd"/>
    <xs:element name="m"><xs:complexType><xs:sequence><xs:element ref="g:t" minOccurs="0"/></xs:sequence></xs:complexType></xs:element></xs:schema>`;
}
function library(gml: string): string {
  return `<xs:schema ${XS} targetNamespace="${gml}"><xs:element name="t" type="xs:date"/></xs:schema>`;
}
const generations = {
  "new.xsd": generation("gml32"),
  "old.xsd": generation("gml"),
  "dc.xsd": `<xs:schema ${XS} targetNamespace="dc"><xs:element name="dc"/></xs:schema>`,
  "lib/gml32.xsd": library("gml32"),
  "lib/gml.xsd": library("gml"),
};

describe("several schemas, routed by namespace", () => {
  it.each([
    { name: "the new generation", record: '<m xmlns="gmd"><t xmlns="gml32">2024-01-01</t></m>' },
    { name: "the old generation", record: '<m xmlns="gmd"><t xmlns="gml">2024-01-01</t></m>' },
    { name: "either, where nothing tells", record: '<m xmlns="gmd"/>' },
    { name: "another format", record: '<dc xmlns="dc"/>' },
  ])("$name", ({ record }) => {
    expect(check(record, generations)).toEqual([]);
  });

  it("a schema that only gathers others is for what it imports", () => {
    const gathering = `<xs:schema ${XS}><xs:import namespace="gml" schemaLocation="lib/gml.xsd"/></xs:schema>`;
    expect(
      check('<t xmlns="gml">2024-01-01</t>', { "all.xsd": gathering, "lib/gml.xsd": library("gml") }),
    ).toEqual([]);
  });

  it("says when no schema is for the record", () => {
    expect(check('<x xmlns="urn:else"/>', generations)).toEqual([
      {
        gate: "xsd",
        rule: "no-schema",
        severity: "error",
        message: "None of the source's schemas knows the element x in the namespace urn:else.",
        xpath: "/*",
      },
    ]);
  });

  it("lets everything through where there is no schema", () => {
    expect(check("<x/>", {})).toEqual([]);
  });

  it("refuses a schema that cannot be compiled, with file and line", () => {
    const wrong = { "a.xsd": `<xs:schema ${XS}>\n<xs:element name="a" type="nothing"/></xs:schema>` };
    expect(() => check("<a/>", wrong)).toThrow(SchemaRefused);
    expect(() => check("<a/>", wrong)).toThrow(/^a\.xsd:2: The schema cannot be compiled: /);
  });
});
