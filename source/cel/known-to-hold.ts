/** Remembers of a rule for which values it holds: ten thousand manifests differ in few fields, and most rules ask only those few. */
import { schemaAt } from "../schema/schema-at.js";
import { celValue } from "./cel-value.js";
import type { Program } from "./environment.js";
import type { CrdRule } from "./rule-types.js";

/** True: the rule surely holds for this value. False: ask in full. `self` is as in the manifest, not yet as CEL has it. */
export type KnownToHold = (self: unknown) => boolean;

/** Values remembered of a rule. */
const MAX_KNOWN = 500;
/** A rule about a field that is another one in every manifest is not worth remembering. */
const TRIALS = 200;

/** For a rule that looks at `self` alone. */
export function knownToHold(rule: CrdRule, holds: Program): KnownToHold {
  const uses = usesOf(rule.rule);
  const schema = schemaAt(rule.scope.map((step) => (step === "[]" ? 0 : step)));
  const known = new Set<string>();
  let [asked, hits] = [0, 0];
  return (self) => {
    const part = uses === undefined ? self : project(self, uses);
    const remembers = asked < TRIALS || hits * 2 > asked;
    const key = remembers ? JSON.stringify(part) : "";
    asked += 1;
    if (remembers && known.has(key)) {
      hits += 1;
      return true;
    }
    const outcome = holds({ self: celValue(part, schema) });
    if (!outcome.ok || outcome.value !== true) return false;
    if (remembers && known.size < MAX_KNOWN) known.add(key);
    return true;
  };
}

type Uses = readonly (readonly string[])[];

/** The fields of self that a rule names; undefined where it names self itself, or in a way that is not understood. */
export function usesOf(rule: string): Uses | undefined {
  const withoutTexts = rule.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  if (/\boldSelf\b|`|'''|"/.test(withoutTexts)) return undefined;
  const uses: (readonly string[])[] = [];
  for (const [, steps = "", call] of withoutTexts.matchAll(/\bself\b((?:\.[A-Za-z_]\w*)*)(\s*\()?/g)) {
    const names = steps.split(".").slice(1);
    // The last name of a call is a function: self.baseUrl.startsWith(...).
    const fields = call === undefined ? names : names.slice(0, -1);
    if (fields.length === 0) return undefined;
    uses.push(fields);
  }
  return uses;
}

/** A copy with these fields alone; what is absent stays absent. */
function project(self: unknown, uses: Uses): unknown {
  const copy: Record<string, unknown> = {};
  for (const path of uses) put(copy, self, path);
  return copy;
}

function put(copy: Record<string, unknown>, self: unknown, path: readonly string[]): void {
  let [from, to] = [self, copy];
  for (const [i, name] of path.entries()) {
    if (typeof from !== "object" || from === null || !Object.hasOwn(from, name)) return;
    from = (from as Readonly<Record<string, unknown>>)[name];
    if (i === path.length - 1 || typeof from !== "object" || from === null) {
      to[name] = from;
      return;
    }
    to[name] ??= {};
    to = to[name] as Record<string, unknown>;
  }
}
