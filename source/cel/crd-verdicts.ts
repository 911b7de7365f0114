/** The CRD's x-kubernetes-validations, judged here as the API server judges them. */
import { manifestValue } from "./cel-value.js";
import { compile, type Program } from "./environment.js";
import { knownToHold, type KnownToHold } from "./known-to-hold.js";
import type { CrdRule } from "./rule-types.js";
import { crdRules } from "./rules.generated.js";

/** A rule the server would refuse this object for. */
export interface CrdVerdict {
  readonly rule: CrdRule;
  /** The field the server names; items of a list by their number. */
  readonly at: readonly (string | number)[];
  /** As the server says it, without what it writes before. */
  readonly message: string;
  /** Why the rule could not be evaluated, where that is the reason: the server refuses then too. */
  readonly error?: string;
}

interface Compiled {
  readonly rule: CrdRule;
  readonly holds: Program;
  readonly message: Program | undefined;
  /** Absent for a rule about a change. */
  readonly known: KnownToHold | undefined;
}

/** Compiled at the first use, once: about 10 ms. */
let compiled: readonly Compiled[] | undefined;

/**
 * What the server would refuse, in the order of the CRD. The object is a manifest with its defaults that the schema
 * accepts: the server asks no rule of another. With `before` the change is judged, transition rules included.
 */
export function crdVerdicts(object: object, before?: object): readonly CrdVerdict[] {
  compiled ??= compileRules(crdRules);
  return verdictsOf(compiled, object, before);
}

/** The same with other rules: what a CRD of another commit says, and what tests say. */
export function verdictsOf(
  rules: readonly Compiled[],
  object: object,
  before?: object,
): readonly CrdVerdict[] {
  const old = before === undefined ? undefined : manifestValue(before);
  const verdicts: CrdVerdict[] = [];
  for (const each of rules) {
    // Items of a list have no partner in the list before: no rule of theirs is a transition (source/generate).
    const oldSelf = each.rule.transition === true ? at(old, each.rule.scope) : undefined;
    if (each.rule.transition === true && oldSelf === undefined) continue;
    if (each.known !== undefined && allKnown(each.known, object, each.rule.scope)) continue;
    for (const self of selves(manifestValue(object), each.rule.scope))
      verdicts.push(...judge(each, self, oldSelf));
  }
  return verdicts;
}

export function compileRules(rules: readonly CrdRule[]): readonly Compiled[] {
  return rules.map((rule) => {
    const holds = compile(rule.rule);
    const message = rule.messageExpression === undefined ? undefined : compile(rule.messageExpression);
    return { rule, holds, message, known: rule.transition === true ? undefined : knownToHold(rule, holds) };
  });
}

function allKnown(known: KnownToHold, object: object, scope: readonly string[]): boolean {
  return selves(object, scope).every(({ value }) => known(value));
}

const NONE: readonly CrdVerdict[] = [];

interface Self {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

function judge({ rule, holds, message }: Compiled, self: Self, oldSelf: unknown): readonly CrdVerdict[] {
  const activation = oldSelf === undefined ? { self: self.value } : { self: self.value, oldSelf };
  const outcome = holds(activation);
  if (outcome.ok && outcome.value === true) return NONE;
  // The server places what it could not evaluate at the object it asked about.
  if (!outcome.ok) return [{ rule, at: self.path, message: rule.message, error: outcome.error }];
  const written = message?.(activation);
  const at = [...self.path, ...rule.at.slice(rule.scope.length)];
  return [
    { rule, at, message: written?.ok === true ? sentenceOr(written.value, rule.message) : rule.message },
  ];
}

/** The server falls back to the fixed message when an expression gives nothing, or more than a line. */
function sentenceOr(value: unknown, message: string): string {
  return typeof value === "string" && value.trim() !== "" && !value.includes("\n") ? value : message;
}

/** Every value a rule is asked of: none where the field is absent. */
function selves(root: unknown, scope: readonly string[]): readonly Self[] {
  const list = scope.indexOf("[]");
  const path = list < 0 ? scope : scope.slice(0, list);
  const value = at(root, path);
  if (value === undefined) return [];
  if (list < 0) return [{ path, value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, i) =>
    selves(item, scope.slice(list + 1)).map((self) => ({ ...self, path: [...path, i, ...self.path] })),
  );
}

/** A loop, because it is asked for every rule of every manifest. */
function at(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
