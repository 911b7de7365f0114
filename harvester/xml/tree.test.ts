import { describe, expect, it } from "vitest";
import { readTree } from "./tree.js";

function read(xml: string) {
  return readTree(new TextEncoder().encode(xml));
}

describe("readTree", () => {
  it("reads names, namespaces, attributes, children and text", () => {
    const tree = read(
      '<a:r xmlns:a="urn:a" id="1"><b xmlns="urn:b" xmlns:x="urn:x" x:href="h">one</b><a:c></a:c>\n  <d>&lt;&amp;&gt;&#xD;</d></a:r>',
    );
    expect(tree).toEqual({
      namespace: "urn:a",
      name: "r",
      tag: "a:r",
      attributes: new Map([["id", "1"]]),
      text: "",
      children: [
        {
          namespace: "urn:b",
          name: "b",
          tag: "b",
          attributes: new Map([["{urn:x}href", "h"]]),
          text: "one",
          children: [],
        },
        { namespace: "urn:a", name: "c", tag: "a:c", attributes: new Map(), text: "", children: [] },
        { namespace: "", name: "d", tag: "d", attributes: new Map(), text: "<&>\r", children: [] },
      ],
    });
  });

  it("gives a prefix back its outer meaning when the element ends", () => {
    const tree = read('<p:a xmlns:p="urn:1"><p:b xmlns:p="urn:2"><p:c></p:c></p:b><p:d></p:d></p:a>');
    expect(tree.children.map((child) => child.namespace)).toEqual(["urn:2", "urn:1"]);
    expect(tree.children[0]?.children[0]?.namespace).toBe("urn:2");
  });

  it("lets an empty default namespace undo an outer one", () => {
    expect(read('<a xmlns="urn:a"><b xmlns=""></b></a>').children[0]?.namespace).toBe("");
  });

  it("reads escapes and '>' inside attribute values", () => {
    expect(read('<a b="1&quot;2&#x9;&#xA;&#xD;&lt;>"></a>').attributes.get("b")).toBe('1"2\t\n\r<>');
  });

  it("keeps the white space of a leaf and of mixed text, not that between elements", () => {
    expect(read("<a> x </a>").text).toBe(" x ");
    expect(read("<a>one <b>two</b> three</a>").text).toBe("one  three");
    expect(read("<a>\n  <b>two</b>\n</a>").text).toBe("");
  });

  it("steps over processing instructions, inside and outside the root", () => {
    const tree = read("<?one?>\n<a>x<?two y?>z</a>\n<?three?>");
    expect(tree.text).toBe("xz");
  });

  it("knows xml: without a declaration", () => {
    expect(read('<a xml:lang="fr"></a>').attributes.get("{http://www.w3.org/XML/1998/namespace}lang")).toBe(
      "fr",
    );
  });

  it("reads characters beyond the basic plane", () => {
    expect(read("<a>é😀</a>").text).toBe("é😀");
  });

  const wrong = [
    { name: "nothing", given: "" },
    { name: "an empty element tag", given: "<a/>" },
    { name: "a comment", given: "<a><!-- x --></a>" },
    { name: "CDATA", given: "<a><![CDATA[x]]></a>" },
    { name: "a DOCTYPE", given: "<!DOCTYPE a><a></a>" },
    { name: "single quotes", given: "<a b='1'></a>" },
    { name: "a missing quote", given: '<a b="1></a>' },
    { name: "an attribute without value", given: '<a b><c d="1"></c></a>' },
    { name: "a named entity", given: "<a>&nbsp;</a>" },
    { name: "a bare ampersand", given: "<a>R & D</a>" },
    { name: "crossed tags", given: "<a><b></a></b>" },
    { name: "an end tag too much", given: "<a></a></b>" },
    { name: "an open element", given: "<a><b></b>" },
    { name: "two roots", given: "<a></a><b></b>" },
    { name: "text after the root", given: "<a></a>x" },
    { name: "an unknown prefix", given: "<p:a></p:a>" },
    { name: "a tag cut in the middle", given: "<a" },
    { name: "a name that is missing", given: "< a></a>" },
  ];
  it.each(wrong)("refuses $name", ({ given }) => {
    expect(() => read(given)).toThrow(/^Not canonical XML: /);
  });

  it("refuses bytes that are not UTF-8", () => {
    expect(() => readTree(new Uint8Array([60, 97, 62, 0xff, 60, 47, 97, 62]))).toThrow(/not UTF-8/);
  });

  it("reads 256 levels and refuses 257", () => {
    expect(read("<a>".repeat(256) + "</a>".repeat(256)).name).toBe("a");
    expect(() => read("<a>".repeat(257) + "</a>".repeat(257))).toThrow(/deeper than 256/);
  });

  it("reads bytes that are a view into a larger buffer", () => {
    const bytes = new TextEncoder().encode("xx<a>1</a>yy");
    expect(readTree(bytes.subarray(2, 10)).text).toBe("1");
  });
});
