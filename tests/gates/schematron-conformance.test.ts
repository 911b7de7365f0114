/** The public suite Schematron/schematron-conformance, where it is at hand. The expected outcomes are the suite's own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { XmlC14NMode, XmlDocument, type XmlElement } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { testData } from "../setup/test-data.js";
import { parseXml } from "../../harvester/xml/parse.js";
import { loadRuleSet } from "../../harvester/gate/schematron/load-rule-set.js";
import { RuleSetRefused } from "../../harvester/gate/schematron/refused.js";

const SUITE = "tag:dmaus@dmaus.name,2019:Schematron:Testsuite";
const NAMESPACES = { t: SUITE, sch: "http://purl.oclc.org/dsdl/schematron" };

/** Cases this engine answers otherwise, and why. A case that begins to pass fails here, so that the list stays true. */
const KNOWN: Readonly<Record<string, { readonly outcome: Outcome; readonly why: string }>> = {
  "let-name-collision-error-05": {
    outcome: "valid",
    why: "a pattern's variable may hide one of the schema, as the case let-scope-pattern-01 asks",
  },
  "let-name-collision-error-06": {
    outcome: "valid",
    why: "a phase's variable may hide one of the schema, as the case let-scope-phase-01 asks",
  },
  "pattern-subordinate-document-01": {
    outcome: "error",
    why: "@documents is refused: a record is judged by itself",
  },
  "pattern-subordinate-document-02": {
    outcome: "error",
    why: "@documents is refused: a record is judged by itself",
  },
  "xslt-key-01": { outcome: "error", why: "xsl:key is refused: XPath 1.0 without XSLT" },
  "xslt-key-element-content-01": { outcome: "error", why: "xsl:key is refused: XPath 1.0 without XSLT" },
  "svrl-property-copy-of": { outcome: "error", why: "XSLT inside a property is refused" },
};

type Outcome = "valid" | "invalid" | "error";

interface Case {
  readonly name: string;
  readonly expected: Outcome;
  readonly phase: string | undefined;
  readonly record: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

function readCase(path: string, name: string): Case {
  const document = XmlDocument.fromBuffer(readFileSync(path));
  function one(xpath: string): XmlElement {
    return document.get(xpath, NAMESPACES) as XmlElement;
  }
  const secondary = document.find("//t:secondary", NAMESPACES) as XmlElement[];
  const files = secondary.map((element): [string, Uint8Array] => [
    `main/${element.attr("filename")!.content}`,
    Buffer.from(text(element.get("*") as XmlElement)),
  ]);
  // Where a case has one schema for each binding, the last is the one for xslt.
  const schema: [string, Uint8Array] = [
    "main/main.sch",
    Buffer.from(text(one("//t:schemas/sch:schema[last()]"))),
  ];
  const result: Case = {
    name,
    expected: one("/t:testcase").attr("expect")!.content as Outcome,
    phase: one("//t:schemas").attr("phase")?.content,
    record: text(one("//t:primary/*")),
    files: new Map([...files, schema]),
  };
  document.dispose();
  return result;
}

function text(element: XmlElement): string {
  return element.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, withComments: true });
}

function outcome(given: Case): Outcome {
  try {
    const ruleSet = loadRuleSet({
      entry: "main/main.sch",
      files: given.files,
      ...(given.phase !== undefined && { phase: given.phase }),
    });
    const parsed = parseXml(Buffer.from(given.record));
    if (parsed.kind === "broken") throw new Error(parsed.problems[0]?.message);
    const found = ruleSet.check(parsed.document, 100);
    parsed.document.dispose();
    ruleSet.dispose();
    if (found.some((violation) => violation.rule === "rule-error")) return "error";
    return found.length === 0 ? "valid" : "invalid";
  } catch (thrown) {
    if (thrown instanceof RuleSetRefused) return "error";
    throw thrown;
  }
}

const folder = testData("schematron-conformance", "src", "main", "resources", "tests");

describe.skipIf(folder === undefined)(
  "Schematron conformance suite (skipped where schematron-conformance is not in HARVEST_TEST_DATA)",
  () => {
    const cases =
      folder === undefined
        ? []
        : ["core", "svrl"].flatMap((group) =>
            readdirSync(join(folder, group)).map((file) => join(folder, group, file)),
          );
    it.each(cases.map((path) => ({ name: path.replace(/^.*\/|\.xml$/g, ""), path })))(
      "$name",
      ({ name, path }) => {
        const given = readCase(path, name);
        expect(outcome(given)).toBe(KNOWN[name]?.outcome ?? given.expected);
        if (KNOWN[name] !== undefined) expect(given.expected).not.toBe(KNOWN[name].outcome);
      },
    );
  },
);
