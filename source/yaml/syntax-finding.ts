import type { YAMLError } from "yaml";
import type { Finding } from "../finding.js";
import type { TextMap } from "./text-map.js";

type Code = YAMLError["code"];

interface Saying {
  readonly rule?: string;
  readonly sentence: string;
  readonly remedy?: string;
}

/** What the parser's codes mean for somebody who writes a manifest; codes not listed keep the parser's own words. */
const sayings: Partial<Readonly<Record<Code, Saying>>> = {
  TAB_AS_INDENT: {
    rule: "yaml/tab",
    sentence: "A tab is used as indentation, which YAML does not allow.",
    remedy: "Indent with spaces.",
  },
  BAD_ALIAS: {
    rule: "yaml/alias",
    sentence: "A text that begins with * is an alias in YAML.",
    remedy: 'Put it in quotes, e.g. schedule: "*/30 * * * *".',
  },
  BAD_SCALAR_START: {
    sentence: "A text without quotes cannot begin with @, ` or %.",
    remedy: 'Put it in quotes, e.g. schedule: "@every 6h".',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    sentence: "A second ': ' stands on this line, or the next line is indented too far.",
    remedy: "Put a text that contains ': ' in quotes, and line fields of one map up.",
  },
  MULTILINE_IMPLICIT_KEY: {
    sentence: "This line is neither 'field: value' nor a list item.",
    remedy: "Is this a YAML file? Look for a missing colon or quote.",
  },
  MISSING_CHAR: {
    sentence: "A quote, bracket or colon is missing here.",
    remedy: "Close what was opened: quotes, [ ] and { } come in pairs.",
  },
  BAD_INDENT: {
    sentence: "The indentation does not fit, or a bracket before it was not closed.",
    remedy: "Line fields of one map up with spaces, and close every [ and {.",
  },
  TAG_RESOLVE_FAILED: {
    rule: "yaml/tag",
    sentence: "The tag on this value is not known.",
    remedy: "Remove the word that begins with !, or put the value in quotes.",
  },
};

/** A complaint of the YAML parser as a finding with a remedy. */
export function syntaxFinding(problem: YAMLError, map: TextMap): Finding {
  const [start, end] = problem.pos;
  // A complaint about the end of the file is shown at the last thing that stands there.
  const last = Math.max(0, map.text.trimEnd().length - 1);
  const place = map.place(Math.min(start, last), end);
  const saying = aliasAtValue(problem, map) ?? sayings[problem.code];
  return {
    rule: saying?.rule ?? "yaml/syntax",
    severity: "error",
    place,
    sentence: saying?.sentence ?? `This is not YAML: ${problem.message.slice(0, 200)}.`,
    remedy: saying?.remedy ?? "Compare the line with docs/harvest-source.md.",
  };
}

/** `schedule: * * * * *` without quotes is read as aliases, and complained about at the second star. */
function aliasAtValue(problem: YAMLError, map: TextMap): Saying | undefined {
  return problem.code === "UNEXPECTED_TOKEN" && map.text[problem.pos[0]] === "*"
    ? sayings["BAD_ALIAS"]
    : undefined;
}
