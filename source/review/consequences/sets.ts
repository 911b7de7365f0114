import type { Consequence } from "../consequence.js";
import { list, plural, valueText } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

const PATH = ["spec", "sets"];

/** Sets that come and go. */
export const sets: ConsequenceRule = eachChanged((compared) => {
  const { before, after } = compared;
  if (before.sets !== undefined && after.sets !== undefined)
    return [...added(compared, before.sets, after.sets), ...removed(compared, before.sets, after.sets)];
  if (after.sets !== undefined) return [narrowed(compared, after.sets)];
  return before.sets === undefined ? [] : [widened(compared, before.sets)];
});

function added(
  compared: Compared,
  before: readonly string[],
  after: readonly string[],
): readonly Consequence[] {
  const fresh = after.filter((set) => !before.includes(set));
  const { key } = compared.change;
  // Where no set stays, everything is read again, and that is told.
  if (fresh.length === 0 || fresh.length === after.length) return [];
  const asked = fresh.length === 1 ? "is read from its beginning" : "are read from their beginning";
  return [
    tell(compared, PATH, {
      id: "set-added",
      sentence: `${key}: ${setNames(fresh)} ${asked}; how many records that is, is not known. The other sets go on where they were.`,
    }),
  ];
}

function removed(
  compared: Compared,
  before: readonly string[],
  after: readonly string[],
): readonly Consequence[] {
  const gone = before.filter((set) => !after.includes(set));
  if (gone.length === 0) return [];
  const { key } = compared.change;
  const asked = gone.length === 1 ? "is no longer asked for" : "are no longer asked for";
  const theirs = gone.length === 1 ? "Records only in it" : "Records only in them";
  return [
    tell(compared, PATH, {
      id: "set-removed",
      sentence: `${key}: ${setNames(gone)} ${asked}. ${theirs} stay in the catalogue, never refreshed and never withdrawn; how many of ${ofAll(compared)} that is, is not known.`,
      remedy:
        "If they shall leave, harvest the set as a source of its own with onSourceRemoval: withdraw, then remove that.",
    }),
  ];
}

function narrowed(compared: Compared, after: readonly string[]): Consequence {
  const { key } = compared.change;
  return tell(compared, PATH, {
    id: "sets-narrowed",
    sentence: `${key} asks for ${setNames(after)} instead of the whole repository. Records outside stay in the catalogue, never refreshed and never withdrawn; how many of ${ofAll(compared)} that is, is not known.`,
  });
}

function widened(compared: Compared, before: readonly string[]): Consequence {
  const { key } = compared.change;
  return tell(compared, PATH, {
    id: "sets-widened",
    sentence: `${key} asks for the whole repository instead of ${setNames(before)}; how many records that is, is not known.`,
  });
}

function ofAll({ store, change }: Compared): string {
  return store === undefined ? `the records of ${change.key}` : `its ${plural(store.records, "record")}`;
}

function setNames(names: readonly string[]): string {
  return `${names.length === 1 ? "set" : "sets"} ${list(names.map((name) => valueText(name)))}`;
}
