import { boundedText, wholeSeconds } from "../bounded-text.js";
import type { Condition } from "../object.js";
import { drifted } from "./drifted.js";
import type { Facts } from "./facts.js";
import { fresh } from "./fresh.js";
import { lastRunSucceeded } from "./last-run-succeeded.js";
import { pausedCondition } from "./paused-condition.js";
import { ready, reconciling, stalled } from "./ready.js";
import type { ConditionType, Saying } from "./vocabulary.js";

/** All conditions, in the order in which they are told. Reconciling, Stalled and Paused are there only while they hold. */
const table: { readonly [T in ConditionType]: (facts: Facts) => Saying<T> | undefined } = {
  Ready: ready,
  Reconciling: reconciling,
  Stalled: stalled,
  LastRunSucceeded: lastRunSucceeded,
  Fresh: fresh,
  Drifted: drifted,
  Paused: pausedCondition,
};

/** The API server takes 32,768; nobody reads more than this. */
const MAX_MESSAGE = 4_096;

/** A condition's lastTransitionTime moves only when its status flips. */
export function conditionsOf(facts: Facts): readonly Condition[] {
  const { source, now } = facts.input;
  const before = new Map((source.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  return Object.entries(table).flatMap(([type, decide]) => {
    const said = decide(facts);
    if (said === undefined) return [];
    const earlier = before.get(type);
    const condition: Condition = {
      type,
      status: said.status,
      reason: said.reason,
      message: boundedText(said.message, MAX_MESSAGE),
      lastTransitionTime: earlier?.status === said.status ? earlier.lastTransitionTime : wholeSeconds(now),
      observedGeneration: source.metadata.generation,
    };
    return [condition];
  });
}
