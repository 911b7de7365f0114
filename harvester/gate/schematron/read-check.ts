/** Asserts, reports and the texts they say. */
import { type SourceElement } from "../../xml/source-tree.js";
import { type Check, type MessagePart, type Severity } from "./model.js";
import { RuleSetRefused } from "./refused.js";
import { SCHEMATRON } from "./resolve.js";

/** Words of the field for how bad it is; what is in none of the lists is an error. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  warning: "warning",
  warn: "warning",
  caution: "warning",
  info: "info",
  information: "info",
  informational: "info",
  hint: "info",
};

/** `derivedId`: used when the element has none of its own. */
export function readCheck(element: SourceElement, rule: SourceElement, derivedId: string): Check {
  const test = element.attributes.get("test");
  if (test === undefined || test.trim() === "")
    throw new RuleSetRefused(element, `The ${element.name} has no test.`);
  return {
    id: element.attributes.get("id") ?? derivedId,
    test: { text: test, file: element.file, line: element.line },
    violatedWhen: element.name === "report",
    severity: severity(element, rule),
    message: readMessage(element),
    diagnostics: (element.attributes.get("diagnostics") ?? "").split(/\s+/).filter((id) => id !== ""),
  };
}

/** The role, else the rule's role, else a flag that says how bad it is. */
function severity(element: SourceElement, rule: SourceElement): Severity {
  const word =
    element.attributes.get("role") ??
    rule.attributes.get("role") ??
    element.attributes.get("flag") ??
    rule.attributes.get("flag");
  return SEVERITIES[word?.trim().toLowerCase() ?? ""] ?? "error";
}

/** Mixed content: text, value-of, name; emph, dir and span give their text. */
export function readMessage(element: SourceElement): readonly MessagePart[] {
  return element.children.flatMap((child): readonly MessagePart[] => {
    if (typeof child === "string") return [{ kind: "text", text: child }];
    if (child.namespace !== SCHEMATRON) return readMessage(child);
    if (child.name === "value-of") return [valueOf(child)];
    return child.name === "name" ? [nameOf(child)] : readMessage(child);
  });
}

function valueOf(element: SourceElement): MessagePart {
  const select = element.attributes.get("select");
  if (select === undefined) throw new RuleSetRefused(element, "The value-of has no select.");
  return { kind: "value", select: { text: select, file: element.file, line: element.line } };
}

function nameOf(element: SourceElement): MessagePart {
  const path = element.attributes.get("path");
  return path === undefined
    ? { kind: "name" }
    : { kind: "name", path: { text: path, file: element.file, line: element.line } };
}
