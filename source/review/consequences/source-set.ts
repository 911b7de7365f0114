import { plural } from "../figures.js";
import type { Consequence } from "../consequence.js";
import type { StoreFacts } from "../facts.js";
import { storeFactsOf } from "../review-input.js";
import { keyOf } from "../source-key.js";
import { readingCost } from "./reading-cost.js";
import { tellOf, type ConsequenceRule } from "./consequence-rule.js";

/** Sources that come, go, or come back under another name. */
export const sourceSet: ConsequenceRule = (input) =>
  input.changes.flatMap((change): readonly Consequence[] => {
    const store = storeFactsOf(input, change);
    if (change.kind === "added") return [tellOf(change.head, change.key, added(change.key, store))];
    if (change.kind === "removed")
      return [
        tellOf(change.base, change.key, {
          id: "source-removed",
          sentence: removed(change.key, change.base.source.spec.deletions.onSourceRemoval, store),
          remedy: "For a pause use suspend: true.",
        }),
      ];
    if (change.kind !== "renamed") return [];
    const old = keyOf(change.base);
    const fate = change.base.source.spec.deletions.onSourceRemoval;
    return [
      tellOf(change.head, change.key, {
        id: "source-renamed",
        sentence: `${old} is called ${change.key} now, which makes it a new source: ${readingCost(store)}. ${leftBehind(old, fate, store)}`,
        remedy: "Keep the old name, unless the new one is worth this.",
      }),
    ];
  });

function added(key: string, store: StoreFacts | undefined) {
  const id = "source-added" as const;
  const first = `${key} is new: its first run reads everything; how many records that is, is not known.`;
  if (store === undefined || store.records === 0) return { id, sentence: first };
  return {
    id,
    sentence: `${key} is new in this policy, but the store holds ${plural(store.records, "record")} of an earlier source of this name; they become its own.`,
  };
}

function removed(key: string, fate: "keep" | "withdraw", store: StoreFacts | undefined): string {
  const said = `(deletions.onSourceRemoval: ${fate})`;
  if (fate === "keep")
    return store === undefined
      ? `The records of ${key} stay in the catalogue and are no longer refreshed ${said}; how many there are is not known.`
      : `${plural(store.records, "record")} of ${key} ${store.records === 1 ? "stays" : "stay"} in the catalogue and ${store.records === 1 ? "is" : "are"} no longer refreshed ${said}.`;
  return store === undefined
    ? `All records of ${key} are withdrawn from the catalogue ${said}; how many there are is not known.`
    : `${plural(store.records, "record")} of ${key} ${store.records === 1 ? "is" : "are"} withdrawn from the catalogue ${said}.`;
}

function leftBehind(old: string, fate: "keep" | "withdraw", store: StoreFacts | undefined): string {
  const those =
    store === undefined ? `The records of ${old}` : `The ${plural(store.records, "record")} of ${old}`;
  return fate === "withdraw"
    ? `${those} are withdrawn.`
    : `${those} stay in the catalogue beside them, no longer refreshed: every record is there twice.`;
}
