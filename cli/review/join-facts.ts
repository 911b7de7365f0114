import type { KnownFacts } from "./run-review.js";

/** What several were asked, as one. */
export function joinFacts(...all: readonly KnownFacts[]): KnownFacts {
  return {
    facts: Object.assign({}, ...all.map(({ facts }) => facts)) as KnownFacts["facts"],
    unknowns: all.flatMap(({ unknowns }) => unknowns),
  };
}
