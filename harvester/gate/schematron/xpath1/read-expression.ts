/** Text of a rule set to a checked tree: whatever could fail for every record fails here, once, with its place. */
import { type Source } from "../model.js";
import { RuleSetRefused } from "../refused.js";
import { stepsIn, usesPosition, walk } from "./analyse.js";
import { refuseCall } from "./functions.js";
import { parseXPath } from "./parser.js";
import { XPathSyntaxError, type Expression } from "./syntax.js";

/** Throws RuleSetRefused. `namespaces`: the prefixes the rule set declares. */
export function readExpression(source: Source, namespaces: ReadonlyMap<string, string>): Expression {
  const expression = parsed(source);
  const why = objection(expression, namespaces);
  if (why !== undefined) throw refusal(source, why);
  return expression;
}

export function refusal(source: Source, why: string): RuleSetRefused {
  const text = source.text.replace(/\s+/g, " ").trim();
  const shown = text.length > 120 ? `${text.slice(0, 117)}...` : text;
  return new RuleSetRefused(source, `The expression "${shown}" cannot be used: ${why}.`);
}

function parsed(source: Source): Expression {
  try {
    return parseXPath(source.text);
  } catch (thrown) {
    if (thrown instanceof XPathSyntaxError) throw refusal(source, thrown.message);
    throw thrown;
  }
}

function objection(expression: Expression, namespaces: ReadonlyMap<string, string>): string | undefined {
  if (usesPosition(expression))
    return "position() and last() mean nothing outside a predicate, because a rule looks at one node";
  for (const part of walk(expression)) {
    const why = part.kind === "call" ? refuseCall(part.name, part.arguments.length) : undefined;
    if (why !== undefined) return why;
  }
  for (const step of stepsIn(expression)) {
    const prefix = /^([^:()"']+):/.exec(step.test)?.[1];
    if (prefix !== undefined && prefix !== "xml" && !namespaces.has(prefix)) {
      return `the prefix "${prefix}" is not declared; add <ns prefix="${prefix}" uri="…"/>`;
    }
  }
  return undefined;
}
