/** From the resolved element tree to the model; refuses what this engine cannot do honestly. */
import { childElements, type SourceElement } from "../../xml/source-tree.js";
import { concretePatterns } from "./abstract.js";
import { type Let, type Pattern, type Phase, type Rule, type RuleSetModel, type Source } from "./model.js";
import { readCheck, readMessage } from "./read-check.js";
import { RuleSetRefused } from "./refused.js";
import { SCHEMATRON } from "./resolve.js";

const OLD_SCHEMATRON = "http://www.ascc.net/xml/schematron";
const XSLT = "http://www.w3.org/1999/XSL/Transform";

/** Throws RuleSetRefused. `schema`: the root with its includes in place. */
export function readModel(schema: SourceElement): RuleSetModel {
  refuseOtherRoots(schema);
  refuseXslt(schema);
  const diagnostics = all(schema, "diagnostics").flatMap((group) => all(group, "diagnostic"));
  const defaultPhase = schema.attributes.get("defaultPhase");
  return {
    file: schema.file,
    line: schema.line,
    queryBinding: (schema.attributes.get("queryBinding") ?? "").toLowerCase(),
    namespaces: new Map(all(schema, "ns").map((ns) => [required(ns, "prefix"), required(ns, "uri")])),
    lets: lets(schema),
    phases: new Map(all(schema, "phase").map((phase) => [required(phase, "id"), readPhase(phase)])),
    ...(defaultPhase !== undefined && { defaultPhase }),
    patterns: concretePatterns(schema).map(readPattern),
    diagnostics: new Map(
      diagnostics.map((diagnostic) => [required(diagnostic, "id"), readMessage(diagnostic)]),
    ),
  };
}

function refuseOtherRoots(schema: SourceElement): void {
  if (schema.namespace === OLD_SCHEMATRON) {
    throw new RuleSetRefused(
      schema,
      `This is Schematron 1.5. Change the namespace to ${SCHEMATRON} (ISO Schematron) and check the rules.`,
    );
  }
  if (schema.namespace !== SCHEMATRON || schema.name !== "schema") {
    throw new RuleSetRefused(
      schema,
      `The root element is "${schema.name}", but a rule set begins with "schema" in ${SCHEMATRON}.`,
    );
  }
}

function refuseXslt(element: SourceElement): void {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.namespace === XSLT) {
      throw new RuleSetRefused(
        child,
        `xsl:${child.name} is not supported: rules may use XPath 1.0 alone. Write it as a let or into the tests.`,
      );
    }
    refuseXslt(child);
  }
}

function readPhase(phase: SourceElement): Phase {
  return {
    lets: lets(phase),
    patterns: new Set(all(phase, "active").map((active) => required(active, "pattern"))),
  };
}

function readPattern(pattern: SourceElement, index: number): Pattern {
  if (pattern.attributes.has("documents")) {
    throw new RuleSetRefused(
      pattern,
      "A pattern over other documents (@documents) is not supported: a record is judged by itself.",
    );
  }
  const id = pattern.attributes.get("id") ?? `pattern-${String(index + 1)}`;
  return {
    id,
    file: pattern.file,
    line: pattern.line,
    lets: lets(pattern),
    rules: all(pattern, "rule").map((rule, at) =>
      readRule(rule, `${id}/${rule.attributes.get("id") ?? `rule-${String(at + 1)}`}`),
    ),
  };
}

function readRule(rule: SourceElement, id: string): Rule {
  const checks = childElements(rule, SCHEMATRON).filter(
    (child) => child.name === "assert" || child.name === "report",
  );
  return {
    file: rule.file,
    line: rule.line,
    context: expression(rule, "context"),
    lets: lets(rule),
    checks: checks.map((check, at) => readCheck(check, rule, `${id}/${check.name}-${String(at + 1)}`)),
  };
}

function lets(parent: SourceElement): readonly Let[] {
  const found = new Map<string, Let>();
  for (const child of all(parent, "let")) {
    const name = required(child, "name");
    if (found.has(name))
      throw new RuleSetRefused(child, `The variable "${name}" is defined twice in the same ${parent.name}.`);
    found.set(name, { name, place: { file: child.file, line: child.line }, value: letValue(child) });
  }
  return [...found.values()];
}

function letValue(element: SourceElement): Let["value"] {
  if (element.attributes.has("value")) return { kind: "expression", source: expression(element, "value") };
  return { kind: "text", text: textOf(element) };
}

function textOf(element: SourceElement): string {
  return element.children.map((child) => (typeof child === "string" ? child : textOf(child))).join("");
}

function all(parent: SourceElement, name: string): readonly SourceElement[] {
  return childElements(parent, SCHEMATRON).filter((child) => child.name === name);
}

function expression(element: SourceElement, attribute: string): Source {
  return { text: required(element, attribute), file: element.file, line: element.line };
}

function required(element: SourceElement, attribute: string): string {
  const value = element.attributes.get(attribute);
  if (value === undefined || value.trim() === "") {
    throw new RuleSetRefused(element, `The ${element.name} has no ${attribute}.`);
  }
  return value;
}
