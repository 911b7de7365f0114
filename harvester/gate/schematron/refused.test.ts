import { describe, expect, it } from "vitest";
import { loadRuleSet } from "./load-rule-set.js";
import { RuleSetRefused } from "./refused.js";

function refusal(text: string, phase?: string): RuleSetRefused {
  try {
    loadRuleSet({
      entry: "r.sch",
      files: new Map([["r.sch", Buffer.from(text)]]),
      ...(phase !== undefined && { phase }),
    }).dispose();
  } catch (thrown) {
    if (thrown instanceof RuleSetRefused) return thrown;
    throw thrown;
  }
  throw new Error("The rule set was accepted.");
}

function schema(body: string, attributes = ""): string {
  return `<schema xmlns="http://purl.oclc.org/dsdl/schematron" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ${attributes}>\n${body}\n</schema>`;
}

function test(expression: string): string {
  return schema(`<pattern>\n<rule context="a">\n<assert test="${expression}">x</assert></rule></pattern>`);
}

const rows = [
  {
    name: "XSLT 2",
    given: schema("", 'queryBinding="xslt2"'),
    line: 1,
    why: 'The query binding "xslt2" is not supported',
  },
  {
    name: "a binding named like a built-in property",
    given: schema("", 'queryBinding="constructor"'),
    line: 1,
    why: 'The query binding "constructor" is not supported',
  },
  {
    name: "functions of XSLT",
    given: schema('<xsl:function name="f"/>'),
    line: 2,
    why: "xsl:function is not supported",
  },
  {
    name: "keys",
    given: schema('<xsl:key name="k" match="*" use="@x"/>'),
    line: 2,
    why: "xsl:key is not supported",
  },
  { name: "key()", given: test("key('k', 1)"), line: 4, why: "key() is a function of XSLT" },
  { name: "current()", given: test("b[. = current()]"), line: 4, why: "current() is a function of XSLT" },
  { name: "document()", given: test("document('x.xml')"), line: 4, why: "document() is a function of XSLT" },
  {
    name: "functions of XPath 2",
    given: test("matches(b, 'x')"),
    line: 4,
    why: "matches() is not a function of XPath 1.0",
  },
  {
    name: "functions named like a built-in property",
    given: test("toString()"),
    line: 4,
    why: "toString() is not a function of XPath 1.0",
  },
  {
    name: "syntax of XPath 2",
    given: test("for $x in b return $x"),
    line: 4,
    why: "is not expected where it stands",
  },
  {
    name: "a wrong number of arguments",
    given: test("contains(b)"),
    line: 4,
    why: "contains() does not take 1 arguments",
  },
  {
    name: "an undeclared prefix",
    given: test("gmd:title"),
    line: 4,
    why: 'the prefix "gmd" is not declared; add <ns prefix="gmd" uri="…"/>',
  },
  {
    name: "an undefined variable",
    given: test("$nothing = 1"),
    line: 4,
    why: "The variable $nothing is not defined here.",
  },
  {
    name: "position() where it means nothing",
    given: test("position() = 1"),
    line: 4,
    why: "position() and last() mean nothing outside a predicate",
  },
  {
    name: "an undefined variable in a context",
    given: schema('<pattern><rule context="a[$v]"><assert test="1">x</assert></rule></pattern>'),
    line: 2,
    why: "The variable $v is not defined here.",
  },
  {
    name: "a context that selects no nodes",
    given: schema('<pattern><rule context="1 + 1"><assert test="1">x</assert></rule></pattern>'),
    line: 2,
    why: "a rule context must select nodes",
  },
  {
    name: "a variable defined twice",
    given: schema('<let name="v" value="1"/>\n<let name="v" value="2"/>'),
    line: 3,
    why: 'The variable "v" is defined twice in the same schema.',
  },
  {
    name: "variables in a circle",
    given: schema(
      '<let name="v" value="$w"/>\n<let name="w" value="$v"/><pattern><rule context="a"><assert test="$v">x</assert></rule></pattern>',
    ),
    line: 2,
    why: 'The variable "v" is defined by itself.',
  },
  {
    name: "variables that double and double",
    given: schema(
      `<let name="v0" value="//abcdefghijklmnopqrstuvwxyz"/>${Array.from({ length: 14 }, (_, n) => `<let name="v${String(n + 1)}" value="$v${String(n)} + $v${String(n)}"/>`).join("")}<pattern><let name="q" value="$v14"/></pattern>`,
    ),
    line: 2,
    why: "grows beyond 65536 characters",
  },
  {
    name: "an unknown abstract pattern",
    given: schema('<pattern is-a="x"/>'),
    line: 2,
    why: 'The pattern is-a "x", but no abstract pattern has that id.',
  },
  {
    name: "an unknown abstract rule",
    given: schema('<pattern><rule context="a"><extends rule="x"/></rule></pattern>'),
    line: 2,
    why: 'The rule extends "x", but this pattern has no abstract rule with that id.',
  },
  {
    name: "a rule that extends itself",
    given: schema(
      '<pattern><rule abstract="true" id="x"><extends rule="x"/></rule><rule context="a"><extends rule="x"/></rule></pattern>',
    ),
    line: 2,
    why: 'The abstract rule "x" extends itself.',
  },
  {
    name: "other documents",
    given: schema('<pattern documents="/a/@b"/>'),
    line: 2,
    why: "A pattern over other documents (@documents) is not supported",
  },
  {
    name: "an include that is not there",
    given: schema('<include href="x.sch"/>'),
    line: 2,
    why: "x.sch is included, but there is no such file in the policy folder.",
  },
  {
    name: "an include from outside",
    given: schema('<include href="../x.sch"/>'),
    line: 2,
    why: '"../x.sch" is not a path inside the policy folder',
  },
  {
    name: "an include from the network",
    given: schema('<include href="http://x/y.sch"/>'),
    line: 2,
    why: '"http://x/y.sch" is not a path inside the policy folder',
  },
  {
    name: "a file that includes itself",
    given: schema('<include href="r.sch"/>'),
    line: 1,
    why: "Includes lie more than 20 deep",
  },
  {
    name: "an unknown active pattern",
    given: schema('<phase id="p"><active pattern="x"/></phase>', 'defaultPhase="p"'),
    line: 1,
    why: 'The phase "p" makes the pattern "x" active, but there is none.',
  },
  {
    name: "a rule without context",
    given: schema("<pattern><rule/></pattern>"),
    line: 2,
    why: "The rule has no context.",
  },
  {
    name: "an assert without test",
    given: schema('<pattern><rule context="a"><assert/></rule></pattern>'),
    line: 2,
    why: "The assert has no test.",
  },
  {
    name: "Schematron 1.5",
    given: '<schema xmlns="http://www.ascc.net/xml/schematron"/>',
    line: 1,
    why: "This is Schematron 1.5.",
  },
  {
    name: "something else",
    given: '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>',
    line: 1,
    why: 'The root element is "schema", but a rule set begins with',
  },
  { name: "no XML", given: "<schema>\n<a></schema>", line: 2, why: "The file is not well-formed XML" },
];

describe("rule sets that cannot be run are refused when they are loaded, with the place", () => {
  it.each(rows)("$name", ({ given, line, why }) => {
    const found = refusal(given);
    expect(found.message).toContain(why);
    expect({ file: found.file, line: found.line }).toEqual({ file: "r.sch", line });
    expect(found.message.startsWith(`r.sch:${String(line)}: `)).toBe(true);
  });

  it("an unknown phase", () => {
    expect(refusal(schema('<phase id="ingest"/>'), "ingst").message).toContain(
      'There is no phase "ingst" in this rule set; it has: ingest.',
    );
  });
});
