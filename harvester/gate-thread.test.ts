import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { GatePolicy } from "./gate/gate.js";
import { createGates } from "./gate-thread.js";
import type { Verdict } from "./record.js";

const RULES = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><ns prefix="dc" uri="http://purl.org/dc/elements/1.1/"/>
<pattern><rule context="/*"><assert id="title" test="normalize-space(dc:title) != ''">No title.</assert><assert id="creator" role="warning" test="dc:creator">No creator.</assert></rule></pattern></schema>`;

const policy: GatePolicy = {
  prefix: "oai_dc",
  xsd: [],
  schematron: ["rules.sch"],
  files: [{ path: "rules.sch", bytes: Buffer.from(RULES) }],
  limits: { maxRecordBytes: 12_000_000, deadlineMs: 5000, maxViolations: 50 },
};

function record(inside: string, attributes = ""): Buffer {
  return Buffer.from(
    `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"${attributes}>${inside}</oai_dc:dc>`,
  );
}

const gates = createGates(policy);

function check(body: Uint8Array, knownChecksum?: Uint8Array): Promise<Verdict> {
  return gates.check({ body, ...(knownChecksum !== undefined && { knownChecksum }) });
}

function rule(verdict: Verdict): string {
  return verdict.kind === "refused"
    ? `${verdict.violations[0]!.gate}:${verdict.violations[0]!.rule}`
    : verdict.kind;
}

describe("one record through all gates", () => {
  it("passes with checksum, canonical record, packed bytes and remarks", async () => {
    const body = record("<dc:title>Ice</dc:title>\n<dc:identifier>x</dc:identifier>");
    const verdict = await check(body);
    if (verdict.kind !== "pass") throw new Error(rule(verdict));
    expect(verdict.canonical).toMatchObject({ schema: 1, format: "oai_dc", title: "Ice" });
    expect(gunzipSync(verdict.packed).equals(body)).toBe(true);
    expect(verdict.remarks).toContainEqual(
      expect.objectContaining({ rule: "creator", severity: "warning", message: "No creator." }),
    );
    // Exclusive C14N declares a prefix where it is used.
    const dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
    const content = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"><dc:title ${dc}>Ice</dc:title><dc:identifier ${dc}>x</dc:identifier></oai_dc:dc>`;
    expect(Buffer.from(verdict.checksum).toString("hex")).toBe(
      createHash("sha256").update(content).digest("hex"),
    );
  });

  it("is unchanged when the content is, whatever its dress", async () => {
    const first = await check(record("<dc:title>Ice</dc:title>"));
    if (first.kind !== "pass") throw new Error(rule(first));
    const again = await check(
      record("\n <!-- x --><dc:title><![CDATA[Ice]]></dc:title>\n", ' xmlns:unused="urn:u"'),
      first.checksum,
    );
    expect(again).toEqual({ kind: "unchanged", checksum: first.checksum });
    expect(rule(await check(record("<dc:title>Ices</dc:title>"), first.checksum))).toBe("pass");
  });

  it("gives lines of the payload, blank lines in front counted", async () => {
    const verdict = await check(Buffer.concat([Buffer.from("\n\n"), record("<dc:title/>")]));
    expect(verdict).toMatchObject({
      kind: "refused",
      violations: [{ rule: "title", line: 3, xpath: "/oai_dc:dc" }, { rule: "creator" }],
    });
  });

  it("refuses what cannot be mapped as transform", async () => {
    const verdict = await check(
      Buffer.from('<x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>a</dc:title></x>'),
    );
    expect(rule(verdict)).toMatch(/^transform:/);
  });

  it("says when a record has no canonical form", async () => {
    const verdict = await check(record("<dc:title>Ice</dc:title>", ' xmlns:bad="relative"'));
    expect(["pass", "transform:not-canonical"]).toContain(rule(verdict));
    if (verdict.kind === "pass")
      expect(verdict.remarks).toContainEqual(expect.objectContaining({ rule: "relative-namespace" }));
  });

  it("C136 a bad record between two good ones costs itself", async () => {
    const good = record("<dc:title>Ice</dc:title>");
    const verdicts = await Promise.all([good, Buffer.from("<a"), good].map((body) => check(body)));
    expect(verdicts.map(rule)).toEqual(["pass", "well-formed:broken-tag", "pass"]);
  });

  it("throws for a policy that cannot be used", () => {
    expect(() => createGates({ ...policy, schematron: ["other.sch"] })).toThrow(
      "other.sch:0: The file is not in the policy folder.",
    );
  });
});

const long = "x".repeat(10_500_000);
const hostile = [
  {
    name: "C67 billion laughs",
    given: '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;&l;&l;&l;&l;&l;&l;">]><a>&m;</a>',
    rule: "doctype-forbidden",
  },
  {
    name: "C67 an entity from the disk",
    given: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    rule: "doctype-forbidden",
  },
  {
    name: "C67 an external DTD",
    given: '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>',
    rule: "doctype-forbidden",
  },
  {
    name: "C67 quadratic entities",
    given: `<!DOCTYPE a [<!ENTITY x "${"y".repeat(200_000)}">]><a>${"&x;".repeat(5000)}</a>`,
    rule: "doctype-forbidden",
  },
  { name: "an entity without DOCTYPE", given: "<a>&x;</a>", rule: "undefined-entity" },
  {
    name: "100,000 elements inside one another",
    given: `${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}`,
    rule: "nesting-too-deep",
  },
  { name: "a text of 10.5 MB", given: `<a>${long}</a>`, rule: "text-too-long" },
  { name: "an attribute of 10.5 MB", given: `<a b="${long}"/>`, rule: "text-too-long" },
  { name: "C70 13 MB", given: `<a>${"<b/>".repeat(3_250_000)}</a>`, rule: "too-large" },
  { name: "C54 a control character", given: "<a>a\u000bb</a>", rule: "control-character" },
  { name: "C54 a control character as a reference", given: "<a>a&#11;b</a>", rule: "control-character" },
  { name: "a NUL", given: "<a>\u0000</a>", rule: "control-character" },
  { name: "a bare &", given: "<a>A & B</a>", rule: "bare-ampersand" },
  { name: "a < in an attribute", given: '<a b="<"/>', rule: "bare-less-than" },
  { name: "C60 an attribute twice", given: '<a b="1" b="2"/>', rule: "duplicate-attribute" },
  { name: "C60 xmlns twice", given: '<a xmlns="u" xmlns="u"/>', rule: "duplicate-attribute" },
  { name: "an undeclared prefix", given: "<x:a/>", rule: "undefined-prefix" },
  { name: "a wrong end tag", given: "<a><b></a>", rule: "tag-mismatch" },
  { name: "a cut-off record", given: "<a><b>", rule: "cut-off" },
  { name: "something behind the end", given: "<a/><b/>", rule: "trailing-content" },
  { name: "no XML", given: "hello", rule: "empty" },
  { name: "an unfinished comment", given: "<a><!-- </a>", rule: "not-well-formed" },
];

describe("hostile records", () => {
  it.each(hostile)("$name", async ({ given, rule: expected }) => {
    expect(rule(await check(Buffer.from(given)))).toBe(`well-formed:${expected}`);
  });

  it("C56 bytes that are not UTF-8", async () => {
    expect(rule(await check(Buffer.from("<a>\xe9</a>", "latin1")))).toBe("well-formed:bad-encoding");
  });

  it("100,000 namespaces are read and judged like any record", async () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `xmlns:n${String(n)}="urn:${String(n)}"`).join(
      " ",
    );
    expect(rule(await check(Buffer.from(`<a ${names}/>`)))).toBe("schematron:title");
  });

  it("and after all of them the engine still works", async () => {
    expect(rule(await check(record("<dc:title>Ice</dc:title>")))).toBe("pass");
  });
});
