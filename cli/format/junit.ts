import type { Finding } from "../../source/finding.js";
import { groupBy } from "../../source/group-by.js";
import type { Suppressed } from "../../source/lint/suppression.js";
import { oneLine } from "./words.js";

export interface JunitInput {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  /** Every file that was looked at: one without a finding is a test that passed. */
  readonly files: readonly string[];
  /** True: a warning fails too. */
  readonly strict: boolean;
  readonly path: (file: string) => string;
}

/** Findings in the XML that JUnit readers of CI servers agree on: a suite for each file, a test for each finding. */
export function junitText(input: JunitInput): string {
  const found = groupBy(input.findings, ({ place }) => place.file);
  const held = groupBy(input.suppressed, ({ finding }) => finding.place.file);
  const files = [...new Set([...input.files, ...found.keys(), ...held.keys()])].sort();
  const suites = files.map((file) => suite(file, { found: found.get(file), held: held.get(file) }, input));
  const head = `<testsuites name="harvestctl lint" tests="${sum(suites, "tests")}" failures="${sum(suites, "failures")}" errors="0" skipped="${sum(suites, "skipped")}" time="0">`;
  const lines = suites.map(({ xml }) => xml);
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, "</testsuites>", ""].join("\n");
}

function sum(suites: readonly Suite[], what: "tests" | "failures" | "skipped"): string {
  return String(suites.reduce((total, each) => total + each[what], 0));
}

interface OfFile {
  readonly found: readonly Finding[] | undefined;
  readonly held: readonly Suppressed[] | undefined;
}

interface Suite {
  readonly xml: string;
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
}

function suite(file: string, { found = [], held = [] }: OfFile, input: JunitInput): Suite {
  const name = input.path(file);
  const failed = found.filter((finding) => fails(finding, input.strict));
  const cases = [
    ...found.map((finding) => testCase(finding, name, told(finding, input))),
    ...held.map(({ finding, reason, until }) =>
      testCase(finding, name, `<skipped message="${escape(`until ${until}: ${reason}`)}"/>`),
    ),
  ];
  const shown =
    cases.length > 0 ? cases : [`    <testcase name="no finding" classname="${escape(name)}" time="0"/>`];
  const counts = `tests="${String(shown.length)}" failures="${String(failed.length)}" errors="0" skipped="${String(held.length)}"`;
  return {
    xml: [`  <testsuite name="${escape(name)}" ${counts} time="0">`, ...shown, "  </testsuite>"].join("\n"),
    tests: shown.length,
    failures: failed.length,
    skipped: held.length,
  };
}

function fails({ severity }: Finding, strict: boolean): boolean {
  return severity === "error" || (strict && severity === "warning");
}

function told(finding: Finding, { strict, path }: JunitInput): string {
  const { place, severity, rule, sentence, remedy } = finding;
  const at = `${path(place.file)}:${String(place.line)}:${String(place.column)}`;
  const words = escape([`${at} ${severity} ${rule}`, sentence, remedy ?? ""].join("\n").trim());
  if (!fails(finding, strict)) return `<system-out>${words}</system-out>`;
  return `<failure type="${escape(rule)}" message="${escape(oneLine(sentence, 500))}">${words}</failure>`;
}

function testCase({ rule, place }: Finding, classname: string, inside: string): string {
  const name = `${rule} at line ${String(place.line)}, column ${String(place.column)}`;
  return `    <testcase name="${escape(name)}" classname="${escape(classname)}" time="0">\n      ${inside}\n    </testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** For texts and attributes. Characters that XML 1.0 cannot hold (§2.2), and those that turn text around, become U+FFFD. */
function escape(text: string): string {
  return text
    .replace(
      /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu,
      "\ufffd",
    )
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
