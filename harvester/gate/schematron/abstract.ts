/** Abstract patterns and abstract rules: the rule set as if it had been written out (ISO 19757-3 §5.4.8, §5.4.12). */
import { childElements, type SourceElement } from "../../xml/source-tree.js";
import { RuleSetRefused } from "./refused.js";
import { SCHEMATRON } from "./resolve.js";

/** The concrete patterns of a schema element, in order. */
export function concretePatterns(schema: SourceElement): readonly SourceElement[] {
  const patterns = childElements(schema, SCHEMATRON).filter((child) => child.name === "pattern");
  const abstract = new Map(
    patterns.filter(isAbstract).map((pattern) => [pattern.attributes.get("id") ?? "", pattern]),
  );
  return patterns
    .filter((pattern) => !isAbstract(pattern))
    .map((pattern) => withRulesExtended(instance(pattern, abstract)));
}

function isAbstract(element: SourceElement): boolean {
  return element.attributes.get("abstract") === "true";
}

function instance(pattern: SourceElement, abstract: ReadonlyMap<string, SourceElement>): SourceElement {
  const name = pattern.attributes.get("is-a");
  if (name === undefined) return pattern;
  const template = abstract.get(name);
  if (template === undefined)
    throw new RuleSetRefused(pattern, `The pattern is-a "${name}", but no abstract pattern has that id.`);
  const parameters = childElements(pattern, SCHEMATRON)
    .filter((child) => child.name === "param")
    .map((child): [string, string] => [
      child.attributes.get("name") ?? "",
      child.attributes.get("value") ?? "",
    ]);
  const filled = withParameters(template, new Map(parameters));
  return { ...filled, attributes: pattern.attributes, file: pattern.file, line: pattern.line };
}

const REFERENCE = /\$([A-Za-z_][\w.-]*)/g;

/** Parameters are text put into attributes; what is no parameter is a variable and stays. */
function withParameters(element: SourceElement, parameters: ReadonlyMap<string, string>): SourceElement {
  const attributes = new Map(
    [...element.attributes].map(([name, value]) => [
      name,
      value.replace(REFERENCE, (written, reference: string) => parameters.get(reference) ?? written),
    ]),
  );
  const children = element.children.map((child) =>
    typeof child === "string" ? child : withParameters(child, parameters),
  );
  return { ...element, attributes, children };
}

function withRulesExtended(pattern: SourceElement): SourceElement {
  const abstract = new Map(
    childElements(pattern, SCHEMATRON)
      .filter((child) => child.name === "rule" && isAbstract(child))
      .map((rule) => [rule.attributes.get("id") ?? "", rule]),
  );
  const children = pattern.children
    .filter((child) => typeof child === "string" || child.name !== "rule" || !isAbstract(child))
    .map((child) => (typeof child === "string" ? child : extended(child, abstract, [])));
  return { ...pattern, children };
}

/** `via`: the abstract rules on the way here, so that a circle is seen. */
function extended(
  rule: SourceElement,
  abstract: ReadonlyMap<string, SourceElement>,
  via: readonly string[],
): SourceElement {
  const children = rule.children.flatMap((child): readonly (SourceElement | string)[] => {
    if (typeof child === "string" || child.name !== "extends" || child.namespace !== SCHEMATRON)
      return [child];
    const name = child.attributes.get("rule") ?? "";
    const base = abstract.get(name);
    if (base === undefined) {
      throw new RuleSetRefused(
        child,
        `The rule extends "${name}", but this pattern has no abstract rule with that id.`,
      );
    }
    if (via.includes(name)) throw new RuleSetRefused(child, `The abstract rule "${name}" extends itself.`);
    return extended(base, abstract, [...via, name]).children;
  });
  return { ...rule, children };
}
