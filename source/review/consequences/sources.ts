import type { Consequence } from "../consequence.js";
import type { StoreFacts } from "../facts.js";
import { plural } from "../figures.js";
import { storeFactsOf } from "../review-input.js";
import { keyOf } from "../source-key.js";
import { tellOf, type ConsequenceRule, type Saying } from "./consequence-rule.js";
import { readingCost } from "./reading-cost.js";

type Fate = "keep" | "withdraw";

/** Sources that come, go, or come back under another name. */
export const sources: ConsequenceRule = (input) =>
  input.changes.flatMap((change): readonly Consequence[] => {
    const store = storeFactsOf(input, change);
    if (change.kind === "added") return [tellOf(change.head, change.key, added(change.key, store))];
    if (change.kind === "removed") {
      const fate = change.base.source.spec.deletions.onSourceRemoval;
      return [
        tellOf(change.base, change.key, {
          id: "source-removed",
          sentence: removed(change.key, fate, store),
          remedy: "If this is only a pause, use suspend: true.",
        }),
      ];
    }
    if (change.kind !== "renamed") return [];
    const fate = change.base.source.spec.deletions.onSourceRemoval;
    const old = keyOf(change.base);
    return [
      tellOf(change.head, change.key, {
        id: "source-renamed",
        sentence: `${old} is called ${change.key} now, which makes it a new source: ${readingCost(store)}. ${leftBehind(old, fate, store)}`,
        remedy: "Keep the old name, unless the new one is worth this.",
      }),
    ];
  });

function added(key: string, store: StoreFacts | undefined): Saying {
  if (store === undefined || store.records === 0)
    return {
      id: "source-added",
      sentence: `${key} is new: its first run reads everything; how many records that is, is not known.`,
    };
  return {
    id: "source-added",
    sentence: `${key} is new in this policy, but the store holds ${plural(store.records, "record")} of an earlier source of this name: they become its own.`,
  };
}

function removed(key: string, fate: Fate, store: StoreFacts | undefined): string {
  const said = `(deletions.onSourceRemoval: ${fate})`;
  const unknown = "how many there are is not known";
  if (fate === "keep")
    return store === undefined
      ? `The records of ${key} stay in the catalogue and are no longer refreshed ${said}; ${unknown}.`
      : `${plural(store.records, `record of ${key} stays in the catalogue and is`, `records of ${key} stay in the catalogue and are`)} no longer refreshed ${said}.`;
  return store === undefined
    ? `All records of ${key} are withdrawn from the catalogue ${said}; ${unknown}.`
    : `${plural(store.records, `record of ${key} is`, `records of ${key} are`)} withdrawn from the catalogue ${said}.`;
}

function leftBehind(old: string, fate: Fate, store: StoreFacts | undefined): string {
  const those =
    store === undefined
      ? `The records of ${old}`
      : `The ${plural(store.records, "record")} the store has of ${old}`;
  return fate === "withdraw"
    ? `${those} are withdrawn.`
    : `${those} stay in the catalogue beside the new ones, no longer refreshed: each is there twice.`;
}
