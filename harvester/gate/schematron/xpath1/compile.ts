/** The xslt and xpath bindings: a model to compiled XPath 1.0, with one yes-or-no question per rule (the fast path). */
import { type CompiledXPath, compileXPath } from "../../../xml/xpath.js";
import {
  type Check,
  type MessagePart,
  type Pattern,
  type Rule,
  type RuleSetModel,
  type Source,
} from "../model.js";
import { type RuleSet } from "../rule-set.js";
import { selectPhase } from "../select-phase.js";
import { compiled, compiledQuery, type Query } from "./query.js";
import { readExpression, refusal } from "./read-expression.js";
import { contextAtRoot } from "./rewrite.js";
import { runPatterns, type ReadyCheck, type ReadyMessage, type ReadyPattern, type ReadyRule } from "./run.js";
import { define, fill, fillWherePossible, patternScope, type Definition, type Lookup } from "./scope.js";
import { type Expression } from "./syntax.js";

/** Throws RuleSetRefused. */
export function compileForXPath1(model: RuleSetModel, phase: string | undefined): RuleSet {
  const selection = selectPhase(model, phase);
  const patterns = selection.patterns.map((pattern) =>
    readyPattern(model, pattern, patternScope(model, selection, pattern.lets)),
  );
  return runPatterns(patterns, model.namespaces);
}

function readyPattern(model: RuleSetModel, pattern: Pattern, globals: Lookup): ReadyPattern {
  // Asked for even where no rule uses them, so that a wrong one is refused.
  for (const one of pattern.lets) globals(one.name);
  return { rules: pattern.rules.map((rule) => readyRule({ model, globals }, rule)) };
}

interface Surroundings {
  readonly model: RuleSetModel;
  readonly globals: Lookup;
}

/** What a rule's expressions are read with. */
interface RuleScope extends Surroundings {
  /** Rule variables stand for themselves, others are written in. */
  readonly open: Lookup;
  /** Rule variables that can be written in as they are. */
  readonly inline: Lookup;
}

function readyRule(around: Surroundings, rule: Rule): ReadyRule {
  const context = ruleContext(around, rule.context);
  const { scope, lets } = ruleLets(around, rule);
  const tests = rule.checks.map((check) => prepare(scope, check.test));
  return {
    nodes: compiled(context),
    anyViolated: anyViolated(context, rule.checks, tests),
    lets,
    checks: rule.checks.map((check, at) => readyCheck(scope, check, tests[at] ?? { expression: context })),
  };
}

function ruleContext({ model, globals }: Surroundings, source: Source): Expression {
  const written = readExpression(source, model.namespaces);
  const { expression } = fill({ expression: written, weight: source.text.length }, globals, source);
  const context = contextAtRoot(expression);
  if (context === undefined) throw refusal(source, "a rule context must select nodes");
  return context;
}

/** An expression with its rule variables still in it, and without them where that is possible. */
interface Prepared {
  readonly expression: Expression;
  readonly inline?: Expression;
}

function prepare(scope: RuleScope, source: Source): Prepared {
  const written = { expression: readExpression(source, scope.model.namespaces), weight: source.text.length };
  const { expression } = fill(written, scope.open, source);
  const inline = fillWherePossible(expression, scope.inline);
  return { expression, ...(inline !== undefined && { inline }) };
}

function ruleLets(around: Surroundings, rule: Rule): { scope: RuleScope; lets: ReadyRule["lets"] } {
  const open = new Map<string, Definition>();
  const inline = new Map<string, Definition>();
  const scope: RuleScope = {
    ...around,
    open: (name) => open.get(name) ?? around.globals(name),
    inline: (name) => inline.get(name),
  };
  const lets = rule.lets.map((one) => {
    const { expression, weight } = define(one, around.model.namespaces, scope.open);
    const direct = fillWherePossible(expression, scope.inline);
    open.set(one.name, { expression: { kind: "variable", name: one.name }, weight });
    if (direct !== undefined) inline.set(one.name, { expression: direct, weight });
    return { name: one.name, query: query({ expression, ...(direct !== undefined && { inline: direct }) }) };
  });
  return { scope, lets };
}

function query({ expression, inline }: Prepared): Query {
  return inline === undefined ? { kind: "open", expression } : compiledQuery(inline);
}

/**
 * Is there a node in the context for which any check is violated? One evaluation instead of one per node and check.
 * Undefined where a test depends on values that differ from node to node in a way that cannot be written down.
 */
function anyViolated(
  context: Expression,
  checks: readonly Check[],
  tests: readonly Prepared[],
): CompiledXPath | undefined {
  const violated: Expression[] = [];
  for (const [at, check] of checks.entries()) {
    const inline = tests[at]?.inline;
    if (inline === undefined) return undefined;
    violated.push(call(check.violatedWhen ? "boolean" : "not", inline));
  }
  const [first, ...others] = violated;
  if (first === undefined || others.length > 200) return undefined;
  const any = others.reduce<Expression>(
    (left, right) => ({ kind: "binary", operator: "or", left, right }),
    first,
  );
  return compiled(call("boolean", withPredicate(context, any)));
}

/** On each branch of a union and on the last step, so that the engine can stop at the first node found. */
function withPredicate(context: Expression, predicate: Expression): Expression {
  if (context.kind === "binary") {
    return {
      ...context,
      left: withPredicate(context.left, predicate),
      right: withPredicate(context.right, predicate),
    };
  }
  const last = context.kind === "path" ? context.steps.at(-1) : undefined;
  if (context.kind !== "path" || last === undefined || last.test === "." || last.test === "..") {
    return { kind: "filter", primary: context, predicates: [predicate] };
  }
  return {
    ...context,
    steps: [...context.steps.slice(0, -1), { ...last, predicates: [...last.predicates, predicate] }],
  };
}

function readyCheck(scope: RuleScope, check: Check, test: Prepared): ReadyCheck {
  const diagnostics = check.diagnostics.map((id) => scope.model.diagnostics.get(id) ?? []);
  return {
    check,
    test: query(booleanOf(test)),
    message: [check.message, ...diagnostics].map((parts) => parts.map((part) => readyPart(scope, part))),
  };
}

function readyPart(scope: RuleScope, part: MessagePart): ReadyMessage {
  if (part.kind === "text") return part.text;
  if (part.kind === "name" && part.path === undefined)
    return { kind: "compiled", compiled: compileXPath("name()") };
  const source = part.kind === "value" ? part.select : part.path;
  if (source === undefined) return "";
  return query(wrapped("string", prepare(scope, source)));
}

function booleanOf(test: Prepared): Prepared {
  return wrapped("boolean", test);
}

function wrapped(name: string, { expression, inline }: Prepared): Prepared {
  return { expression: call(name, expression), ...(inline !== undefined && { inline: call(name, inline) }) };
}

function call(name: string, argument: Expression): Expression {
  return { kind: "call", name, arguments: [argument] };
}
