import type { Finding, Place } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import type { Consequence } from "./consequence.js";
import { hostText } from "./host-load.js";
import { keyOf } from "./source-key.js";

/** Where the two speak of a matter, so that a lint finding and a consequence about one cause can be known as one. */
interface Matter {
  readonly rule: string;
  readonly id: string;
  readonly path: readonly string[];
  of(source: LocatedSource): string;
}

const matters: readonly Matter[] = [
  {
    rule: "fair-use/over-ceiling",
    id: "concurrency-over-ceiling",
    path: ["spec", "concurrency", "maxRequests"],
    of: hostText,
  },
  { rule: "prefix/no-transform", id: "transform-missing", path: ["spec", "metadataPrefix"], of: keyOf },
];

/** Which of lint's findings a consequence tells already, in words that say what changed: nothing is said twice. */
export function toldAlready(
  sources: readonly LocatedSource[],
  consequences: readonly Consequence[],
): (finding: Finding) => boolean {
  const told = matters.flatMap((matter) => {
    const keys = new Set(consequences.filter(({ id }) => id === matter.id).map(({ source }) => source));
    const about = sources.filter((source) => keys.has(keyOf(source))).map((source) => matter.of(source));
    return about.length === 0 ? [] : [{ ...matter, about: new Set(about) }];
  });
  return (finding) => {
    const matter = told.find(({ rule }) => rule === finding.rule);
    const source = matter && sources.find((located) => samePlace(located.place(matter.path), finding.place));
    return matter !== undefined && source !== undefined && matter.about.has(matter.of(source));
  };
}

function samePlace(a: Place, b: Place): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
