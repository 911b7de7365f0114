import { describe, expect, it } from "vitest";
import { type Violation } from "../../record.js";
import { parseXml } from "../../xml/parse.js";
import { loadRuleSet } from "./load-rule-set.js";

function schema(body: string, attributes = ""): string {
  return `<schema xmlns="http://purl.oclc.org/dsdl/schematron" ${attributes}>${body}</schema>`;
}

interface Given {
  readonly rules: string;
  readonly record?: string;
  readonly attributes?: string;
  readonly phase?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function check(given: Given): readonly Violation[] {
  const files = new Map([["r/main.sch", Buffer.from(schema(given.rules, given.attributes))]]);
  for (const [path, text] of Object.entries(given.files ?? {})) files.set(path, Buffer.from(text));
  const ruleSet = loadRuleSet({
    entry: "r/main.sch",
    files,
    ...(given.phase !== undefined && { phase: given.phase }),
  });
  const parsed = parseXml(Buffer.from(given.record ?? '<a x="1"><b>1</b><b>2</b><c>3</c></a>'));
  if (parsed.kind === "broken") throw new Error("broken");
  try {
    return ruleSet.check(parsed.document, 100);
  } finally {
    parsed.document.dispose();
    ruleSet.dispose();
  }
}

function messages(given: Given): readonly string[] {
  return check(given).map((violation) => violation.message);
}

describe("asserts and reports", () => {
  it("gives rule, severity, message, path and line", () => {
    const rules =
      '<pattern><rule context="b"><assert id="one" role="warning" test=". = 1">b is <value-of select="."/>, not 1</assert></rule></pattern>';
    expect(check({ rules, record: "<a>\n<b>1</b>\n<b>2</b></a>" })).toEqual([
      {
        gate: "schematron",
        rule: "one",
        severity: "warning",
        message: "b is 2, not 1",
        xpath: "/a/b[2]",
        line: 3,
      },
    ]);
  });

  it.each([
    { role: undefined, severity: "error" },
    { role: "error", severity: "error" },
    { role: "fatal", severity: "error" },
    { role: "WARN", severity: "warning" },
    { role: "info", severity: "info" },
    { role: "bounding box", severity: "error" },
  ])("the role $role means $severity", ({ role, severity }) => {
    const rules = `<pattern><rule context="a"><report test="true()"${role === undefined ? "" : ` role="${role}"`}>x</report></rule></pattern>`;
    expect(check({ rules })[0]?.severity).toBe(severity);
  });

  it("derives an id where there is none", () => {
    const rules =
      '<pattern id="p"><rule context="a"><report test="true()">x</report></rule><rule id="r" context="b"><assert test="true()">y</assert><assert test="false()">z</assert></rule></pattern>';
    expect(check({ rules }).map((violation) => violation.rule)).toEqual([
      "p/rule-1/report-1",
      "p/r/assert-2",
      "p/r/assert-2",
    ]);
  });

  it("a node belongs to the first rule that has it, pattern by pattern", () => {
    const rules = `<pattern><rule context="b[1]"><assert test="true()">first</assert></rule><rule context="b"><assert test="false()">second</assert></rule></pattern>
      <pattern><rule context="b[1]"><assert test="false()">third</assert></rule></pattern>`;
    expect(messages({ rules })).toEqual(["second", "third"]);
  });

  it.each([
    { context: "/", path: "/" },
    { context: "@x", path: "/a/@x" },
    { context: "a/@*", path: "/a/@x" },
    { context: "c/text()", path: "/a/c/text()" },
    { context: "comment()", path: "/a/comment()" },
    { context: "processing-instruction('p')", path: "/a/processing-instruction()" },
    { context: "/a/c | nothing", path: "/a/c" },
    { context: "//c", path: "/a/c" },
    { context: "*[. = 3][not(*)]", path: "/a/c" },
  ])("the context $context finds $path", ({ context, path }) => {
    const rules = `<pattern><rule context="${context}"><report test="true()">x</report></rule></pattern>`;
    const record = '<a x="1"><!-- y --><?p q?><c>3</c></a>';
    expect(check({ rules, record }).map((violation) => violation.xpath)).toEqual([path]);
  });

  it("says name, path value and diagnostics in the message", () => {
    const rules = `<ns prefix="n" uri="urn:n"/><pattern><rule context="n:a"><report test="n:b" diagnostics="d e"><name/> has <emph>a</emph> <name path="name(n:b)"/>:
      <value-of select="count(n:b) + 0.5"/></report></rule></pattern>
      <diagnostics><diagnostic id="d">It is <value-of select="n:b"/>.</diagnostic><diagnostic id="e"> Remove it. </diagnostic></diagnostics>`;
    expect(messages({ rules, record: '<q:a xmlns:q="urn:n"><q:b>5</q:b></q:a>' })).toEqual([
      "q:a has a q:b: 1.5 It is 5. Remove it.",
    ]);
  });
});

describe("variables", () => {
  it.each([
    {
      name: "of a rule",
      rules:
        '<pattern><rule context="b"><let name="v" value=". * 2"/><report test="$v = 4">4</report></rule></pattern>',
      expect: ["4"],
    },
    {
      name: "of a rule by another",
      rules:
        '<pattern><rule context="b"><let name="v" value=". * 2"/><let name="w" value="$v + 1"/><report test="$w = 5">5</report></rule></pattern>',
      expect: ["5"],
    },
    {
      name: "of a pattern, seen from the document",
      rules:
        '<pattern><let name="v" value="a/c"/><rule context="b"><report test="$v = . + 1">x</report></rule></pattern>',
      expect: ["x"],
    },
    {
      name: "of the schema, in a predicate and a context",
      rules:
        '<let name="v" value="count(//b)"/><pattern><rule context="b[$v]"><report test="../b[. = $v]">x</report></rule></pattern>',
      expect: ["x"],
    },
    {
      name: "that are hidden by nearer ones",
      rules:
        '<let name="v" value="1"/><pattern><let name="v" value="2"/><rule context="a"><let name="v" value="3"/><report test="$v = 3">3</report></rule></pattern>',
      expect: ["3"],
    },
    {
      name: "with text content",
      rules:
        '<let name="v">it\'s "so"</let><pattern><rule context="a"><report test="true()"><value-of select="$v"/></report></rule></pattern>',
      expect: ['it\'s "so"'],
    },
    {
      name: "of a rule inside a predicate: the value of this node, not of the node looked at",
      rules:
        '<pattern><rule context="b"><let name="v" value="."/><report test="../c[. = $v + 1]">b <value-of select="$v"/></report></rule></pattern>',
      expect: ["b 2"],
    },
    {
      name: "of every type inside a predicate",
      rules: `<pattern><rule context="a"><let name="s" value="concat('2', '')"/><let name="n" value="-0.5"/><let name="t" value="not(zzz)"/><let name="e" value="@nothing"/><let name="x" value="@x"/>
        <report test="b[. = $s and $n &lt; 0 and $t and not($e) and $x = 1]">x</report></rule></pattern>`,
      expect: ["x"],
    },
  ])("$name", ({ rules, expect: expected }) => {
    expect(messages({ rules })).toEqual(expected);
  });
});

describe("phases", () => {
  const rules = `<phase id="p"><let name="v" value="7"/><active pattern="one"/></phase><phase id="q"><active pattern="two"/></phase>
    <pattern id="one"><let name="w" value="1"/><rule context="a"><report test="true()">one</report></rule></pattern>
    <pattern id="two"><rule context="a"><report test="true()">two</report></rule></pattern>`;
  it.each([
    { phase: undefined, attributes: "", expect: ["one", "two"] },
    { phase: "q", attributes: "", expect: ["two"] },
    { phase: "#ALL", attributes: 'defaultPhase="q"', expect: ["one", "two"] },
    { phase: "#DEFAULT", attributes: 'defaultPhase="q"', expect: ["two"] },
    { phase: undefined, attributes: 'defaultPhase="p"', expect: ["one"] },
  ])("asked $phase with $attributes", ({ phase, attributes, expect: expected }) => {
    expect(messages({ rules, attributes, ...(phase !== undefined && { phase }) })).toEqual(expected);
  });

  it("adds its variables", () => {
    expect(messages({ rules: rules.replace('test="true()">one', 'test="$v = 7">one'), phase: "p" })).toEqual([
      "one",
    ]);
  });
});

describe("abstract patterns, abstract rules and included files", () => {
  it("fills parameters into every attribute, longest name first", () => {
    const rules = `<pattern abstract="true" id="t"><rule context="$el"><report test="$el-more = 3"><value-of select="$el-more"/></report></rule></pattern>
      <pattern is-a="t" id="i"><param name="el" value="a"/><param name="el-more" value="c"/></pattern>`;
    expect(check({ rules })).toMatchObject([{ message: "3", rule: "i/rule-1/report-1" }]);
  });

  it("extends abstract rules, also over another", () => {
    const rules = `<pattern><rule abstract="true" id="x"><report test="true()">x</report></rule>
      <rule abstract="true" id="y"><extends rule="x"/><report test="true()">y</report></rule>
      <rule context="c"><extends rule="y"/><report test="true()">z</report></rule></pattern>`;
    expect(messages({ rules })).toEqual(["x", "y", "z"]);
  });

  it("includes files relative to the file that names them, and one element by its id", () => {
    const files = {
      "r/sub/p.sch":
        '<pattern xmlns="http://purl.oclc.org/dsdl/schematron"><rule context="c"><extends href="more.sch#two"/></rule></pattern>',
      "r/sub/more.sch":
        '<pattern xmlns="http://purl.oclc.org/dsdl/schematron"><rule id="one" context="c"><report test="true()">1</report></rule><rule id="two" context="c"><report test="true()">2</report></rule></pattern>',
    };
    expect(messages({ rules: '<include href="sub/p.sch"/>', files })).toEqual(["2"]);
  });
});

describe("a rule that fails to run is a violation, never a pass", () => {
  it("in a test", () => {
    const rules =
      '<pattern><rule context="a"><assert id="t" test="count(\'x\') = 0">x</assert></rule></pattern>';
    expect(check({ rules })).toEqual([
      {
        gate: "schematron",
        rule: "rule-error",
        severity: "error",
        message: expect.stringContaining("The rule t could not be evaluated on this record") as string,
        xpath: "/a",
        line: 1,
      },
    ]);
  });

  it("in a message", () => {
    const rules =
      '<pattern><rule context="a"><assert test="false()"><value-of select="sum(1)"/></assert></rule></pattern>';
    expect(check({ rules })).toMatchObject([{ rule: "rule-error" }]);
  });
});
