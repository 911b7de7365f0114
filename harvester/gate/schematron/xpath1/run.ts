/** Asks a document: per rule one question first, and node by node only where the answer is not "all well". */
import { type Violation } from "../../../record.js";
import { lineOf, type NodeRef } from "../../../xml/node.js";
import { readablePath } from "../../../xml/node-path.js";
import { type ParsedDocument } from "../../../xml/parse.js";
import { XPathFailure, xpathContext, type CompiledXPath, type XPathContext } from "../../../xml/xpath.js";
import { type Check } from "../model.js";
import { type RuleSet } from "../rule-set.js";
import { ask, disposeQuery, valueAsExpression, type Query, type Values } from "./query.js";
import { type Expression } from "./syntax.js";

export interface ReadyPattern {
  readonly rules: readonly ReadyRule[];
}

export interface ReadyRule {
  /** All nodes of the context, from the root. */
  readonly nodes: CompiledXPath;
  /** True when a check may be violated at one of them (earlier rules of the pattern not counted); absent where it cannot be asked. */
  readonly anyViolated: CompiledXPath | undefined;
  readonly lets: readonly { readonly name: string; readonly query: Query }[];
  readonly checks: readonly ReadyCheck[];
}

export interface ReadyCheck {
  readonly check: Check;
  /** Gives a boolean. */
  readonly test: Query;
  /** The message, then each diagnostic. */
  readonly message: readonly (readonly ReadyMessage[])[];
}

/** Text, or a query that gives it. */
export type ReadyMessage = string | Query;

/** Longest message, in characters: a value-of may select a whole record. */
const MAX_MESSAGE = 1000;

export function runPatterns(
  patterns: readonly ReadyPattern[],
  namespaces: ReadonlyMap<string, string>,
): RuleSet {
  return {
    check: (document, limit) => {
      const context = xpathContext(document, namespaces);
      try {
        return check(patterns, { document, context, limit, found: [] });
      } finally {
        context.dispose();
      }
    },
    dispose: () => {
      for (const rule of patterns.flatMap((pattern) => pattern.rules)) disposeRule(rule);
    },
  };
}

interface Pass {
  readonly document: ParsedDocument;
  readonly context: XPathContext;
  readonly limit: number;
  readonly found: Violation[];
}

function check(patterns: readonly ReadyPattern[], pass: Pass): readonly Violation[] {
  for (const pattern of patterns) {
    if (pass.found.length >= pass.limit) break;
    if (!allWell(pattern, pass)) checkNodes(pattern, pass);
  }
  return pass.found;
}

/** A failing question is no answer: the node-by-node pass will find and name the rule. */
function allWell(pattern: ReadyPattern, { context, document }: Pass): boolean {
  try {
    return pattern.rules.every((rule) => {
      if (rule.checks.length === 0) return true;
      return rule.anyViolated !== undefined && context.evaluate(rule.anyViolated, document.node) === false;
    });
  } catch (thrown) {
    if (thrown instanceof XPathFailure) return false;
    throw thrown;
  }
}

/** Each node belongs to the first rule of the pattern whose context it is in (ISO 19757-3 §6.5). */
function checkNodes(pattern: ReadyPattern, pass: Pass): void {
  const taken = new Set<NodeRef>();
  for (const rule of pattern.rules) {
    for (const node of nodesOf(rule, pass)) {
      if (pass.found.length >= pass.limit) return;
      if (taken.has(node)) continue;
      taken.add(node);
      checkNode(rule, node, pass);
    }
  }
}

function nodesOf(rule: ReadyRule, pass: Pass): readonly NodeRef[] {
  try {
    const found = pass.context.evaluate(rule.nodes, pass.document.node);
    if (Array.isArray(found)) return found as readonly NodeRef[];
    throw new XPathFailure("The context of the rule does not select nodes.");
  } catch (thrown) {
    if (!(thrown instanceof XPathFailure)) throw thrown;
    pass.found.push(ruleError(`The rule with context ${rule.nodes.source}`, thrown));
    return [];
  }
}

function checkNode(rule: ReadyRule, node: NodeRef, pass: Pass): void {
  const at = { context: pass.context, node, values: valuesAt(rule, node, pass.context) };
  for (const ready of rule.checks) {
    if (pass.found.length >= pass.limit) return;
    try {
      if (ask(ready.test, at) === ready.check.violatedWhen) pass.found.push(violation(ready, at));
    } catch (thrown) {
      if (!(thrown instanceof XPathFailure)) throw thrown;
      pass.found.push({ ...ruleError(`The rule ${ready.check.id}`, thrown), ...placeOf(node) });
    }
  }
}

function valuesAt(rule: ReadyRule, node: NodeRef, context: XPathContext): Values {
  let known: Map<string, Expression> | undefined;
  return () => {
    if (known !== undefined) return known;
    const values = new Map<string, Expression>();
    for (const one of rule.lets) {
      values.set(one.name, valueAsExpression(ask(one.query, { context, node, values: () => values })));
    }
    known = values;
    return known;
  };
}

type At = Parameters<typeof ask>[1];

function violation(ready: ReadyCheck, at: At): Violation {
  const { id, severity, test } = ready.check;
  const text = ready.message
    .map((parts) => parts.map((part) => (typeof part === "string" ? part : String(ask(part, at)))).join(""))
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "")
    .join(" ");
  const message = text === "" ? `The rule ${id} is broken: ${test.text}` : text;
  return {
    gate: "schematron",
    rule: id,
    severity,
    message: message.slice(0, MAX_MESSAGE),
    ...placeOf(at.node),
  };
}

function placeOf(node: NodeRef): Pick<Violation, "xpath" | "line"> {
  const line = lineOf(node);
  return { xpath: readablePath(node), ...(line !== undefined && { line }) };
}

function ruleError(what: string, failure: XPathFailure): Violation {
  return {
    gate: "schematron",
    rule: "rule-error",
    severity: "error",
    message: `${what} could not be evaluated on this record (${failure.message}), so the record is not let through.`,
  };
}

function disposeRule(rule: ReadyRule): void {
  rule.nodes.dispose();
  rule.anyViolated?.dispose();
  for (const one of rule.lets) disposeQuery(one.query);
  for (const ready of rule.checks) {
    disposeQuery(ready.test);
    for (const part of ready.message.flat()) if (typeof part !== "string") disposeQuery(part);
  }
}
