import type { LocatedSource } from "../located-source.js";
import { nameOf } from "../source-name.js";
import { findingAt, placeText, type LintRule } from "./lint-rule.js";
import type { Path } from "../yaml/node-place.js";
import { parseAddress } from "../address.js";

/** A name stands for one source in its namespace. */
export const duplicateName: LintRule = (sources) =>
  repeated(
    sources.map((located) => ({ key: nameOf(located.source), located, path: ["metadata", "name"] })),
  ).map(({ again, first }) =>
    findingAt(again.located, again.path, {
      rule: "source/duplicate-name",
      severity: "error",
      sentence: `Another source is called ${again.key} (${placeText(first.located.place(first.path))}); only one of them would exist.`,
      remedy: "Give each source a name of its own.",
    }),
  );

/** One cursor belongs to one source: the same records of the same list are not harvested twice. */
export const duplicateEndpoint: LintRule = (sources) =>
  repeated(sources.flatMap(lists)).map(({ again, first }) =>
    findingAt(again.located, again.path, {
      rule: "source/duplicate-endpoint",
      severity: "error",
      sentence: `${nameOf(first.located.source)} (${placeText(first.located.place(first.path))}) already harvests ${again.what}.`,
      remedy: "Remove one of the two, or give them different sets.",
    }),
  );

interface Keyed {
  readonly key: string;
  readonly located: LocatedSource;
  readonly path: Path;
}

interface List extends Keyed {
  readonly what: string;
}

function lists(located: LocatedSource): readonly List[] {
  const { baseUrl, metadataPrefix, sets } = located.source.spec;
  const endpoint = parseAddress(baseUrl)?.href;
  if (endpoint === undefined) return [];
  const named = sets ?? [""];
  return named.map((set, i) => ({
    key: JSON.stringify([endpoint, metadataPrefix, set]),
    located,
    path: set === "" ? ["spec", "baseUrl"] : ["spec", "sets", i],
    what: `${set === "" ? "the whole repository" : `set ${set}`} as ${metadataPrefix} from this address`,
  }));
}

/** Each one whose key came before, with the first of that key. */
function repeated<T extends Keyed>(all: readonly T[]): readonly { readonly again: T; readonly first: T }[] {
  const firsts = new Map<string, T>();
  const found: { again: T; first: T }[] = [];
  for (const each of all) {
    const first = firsts.get(each.key);
    if (first === undefined) firsts.set(each.key, each);
    else found.push({ again: each, first });
  }
  return found;
}
