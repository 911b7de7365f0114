import { describe, expect, it } from "vitest";
import { parseXml } from "./parse.js";
import { compileSchema } from "./schema.js";

function files(texts: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([path, text = ""]) => [path, Buffer.from(text)]));
}

const XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"';
const outer = `<xs:schema ${XS} xmlns:v="v" targetNamespace="u" elementFormDefault="qualified">
  <xs:import namespace="v" schemaLocation="../other%20dir/v.xsd"/>
  <xs:element name="a"><xs:complexType><xs:sequence><xs:element ref="v:n" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
</xs:schema>`;
const inner = `<xs:schema ${XS} targetNamespace="v"><xs:element name="n" type="xs:integer"/></xs:schema>`;

describe("schemas from a bundle in memory", () => {
  it("compiles once with what it imports, and answers with place", () => {
    const result = compileSchema(files({ "s/u.xsd": outer, "other dir/v.xsd": inner }), "s/u.xsd");
    if (result.kind === "broken") throw new Error(result.problems[0]?.message);
    const parsed = parseXml(Buffer.from('<a xmlns="u" xmlns:v="v">\n<v:n>1</v:n>\n<v:n>x</v:n></a>'));
    if (parsed.kind === "broken") throw new Error("broken");
    expect(result.schema.validate(parsed.document, 10)).toEqual([
      {
        message: "Element '{v}n': 'x' is not a valid value of the atomic type 'xs:integer'.",
        line: 3,
        xpath: "/a/v:n[2]",
      },
    ]);
    parsed.document.dispose();
    result.schema.dispose();
  });

  it("stops collecting at the limit", () => {
    const result = compileSchema(files({ "s/u.xsd": outer, "other dir/v.xsd": inner }), "s/u.xsd");
    const parsed = parseXml(Buffer.from(`<a xmlns="u" xmlns:v="v">${"<v:n>x</v:n>".repeat(5000)}</a>`));
    if (result.kind === "broken" || parsed.kind === "broken") throw new Error("broken");
    expect(result.schema.validate(parsed.document, 3)).toHaveLength(3);
    parsed.document.dispose();
    result.schema.dispose();
  });

  it.each([
    {
      name: "an import that is not there",
      given: { "s/u.xsd": outer },
      why: "other dir/v.xsd is imported but is not in the policy bundle.",
    },
    {
      name: "an unused import that is not there, which XSD itself would forgive",
      given: {
        "s/u.xsd": `<xs:schema ${XS}><xs:import namespace="z" schemaLocation="z.xsd"/><xs:element name="a"/></xs:schema>`,
      },
      why: "s/z.xsd is imported but is not in the policy bundle.",
    },
    {
      name: "an import from the network",
      given: {
        "s/u.xsd": `<xs:schema ${XS}><xs:import namespace="z" schemaLocation="http://example.org/z.xsd"/></xs:schema>`,
      },
      why: "http://example.org/z.xsd is imported but is not in the policy bundle.",
    },
    {
      name: "an import from the disk",
      given: {
        "s/u.xsd": `<xs:schema ${XS}><xs:import namespace="z" schemaLocation="file:///etc/hostname"/></xs:schema>`,
      },
      why: "file:///etc/hostname is imported but is not in the policy bundle.",
    },
    { name: "the entry itself missing", given: {}, why: "The file is not in the policy bundle." },
    {
      name: "no XML",
      given: { "s/u.xsd": "<xs:schema" },
      why: "Namespace prefix xs on schema is not defined",
    },
  ])("refuses $name", ({ given, why }) => {
    const result = compileSchema(files(given), "s/u.xsd");
    expect(result.kind === "broken" && result.problems[0]?.message).toContain(why);
  });

  it("names file and line of a mistake in an imported schema", () => {
    const wrong = inner.replace("xs:integer", "xs:integr");
    const result = compileSchema(files({ "s/u.xsd": outer, "other dir/v.xsd": `\n\n${wrong}` }), "s/u.xsd");
    expect(result.kind === "broken" && result.problems[0]).toMatchObject({
      file: "other dir/v.xsd",
      line: 3,
    });
  });

  it("C134 follows no schemaLocation of a record", () => {
    const result = compileSchema(files({ "s/u.xsd": outer, "other dir/v.xsd": inner }), "s/u.xsd");
    const hint =
      'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="w file:///etc/hostname"';
    const parsed = parseXml(Buffer.from(`<a xmlns="u" xmlns:v="v" ${hint}><v:n>1</v:n></a>`));
    if (result.kind === "broken" || parsed.kind === "broken") throw new Error("broken");
    expect(result.schema.validate(parsed.document, 10)).toEqual([]);
    parsed.document.dispose();
    result.schema.dispose();
  });
});
