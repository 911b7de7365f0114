import type { Consequence } from "../consequence.js";
import { fileText, list, plural, valueText } from "../figures.js";
import { ownersOf } from "../owners.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

const CONTROL = "ingest.geoportal.io/";

/** Pauses, and what changes about a manifest without changing what is harvested. */
export const restAndLabels: ConsequenceRule = eachChanged((compared) => [
  ...rest(compared),
  ...moved(compared),
  ...labels(compared),
]);

function rest(compared: Compared): readonly Consequence[] {
  const { before, after, store, change } = compared;
  if (before.suspend === after.suspend) return [];
  const at = ["spec", "suspend"];
  if (after.suspend) {
    const those =
      store === undefined ? "its records are" : `its ${plural(store.records, "record is", "records are")}`;
    return [
      tell(compared, at, {
        id: "suspended",
        sentence: `${change.key} is paused: no run starts, and ${those} no longer refreshed.`,
      }),
    ];
  }
  const since =
    store?.lastRun === undefined
      ? "when it ran last is not known"
      : `its last run ended ${store.lastRun.endedAt.slice(0, 10)}`;
  return [
    tell(compared, at, {
      id: "resumed",
      sentence: `${change.key} is harvested again: its first run catches up everything since its watermark (${since}).`,
      ...(after.delta.maxWindowDays === undefined
        ? { remedy: "After a long pause set delta.maxWindowDays, so that the catch-up is kept in portions." }
        : {}),
    }),
  ];
}

function moved(compared: Compared): readonly Consequence[] {
  const { change, input } = compared;
  // A new name usually comes with a new file, and is told by its own kind.
  if (change.movedFrom === undefined || change.kind === "renamed") return [];
  const before = ownerText(ownersOf(change.base, input.base));
  const after = ownerText(ownersOf(change.head, input.head));
  const owners =
    before === after
      ? "who must approve it stays the same"
      : `it is approved by ${after} instead of ${before}`;
  return [
    tell(compared, ["metadata", "name"], {
      id: "file-moved",
      sentence: `${change.key} stands in ${fileText(change.head.file)} instead of ${fileText(change.movedFrom)}; ${owners}.`,
    }),
  ];
}

function ownerText(owners: readonly string[]): string {
  return owners.length === 0 ? "nobody" : list(owners.map((owner) => valueText(owner)));
}

function labels(compared: Compared): readonly Consequence[] {
  const { change } = compared;
  const before = change.base.source.metadata;
  const after = change.head.source.metadata;
  const annotations = differing(before.annotations, after.annotations);
  const control = annotations.filter((key) => key.startsWith(CONTROL));
  const others = [
    ...differing(before.labels, after.labels),
    ...annotations.filter((key) => !key.startsWith(CONTROL)),
  ];
  const said = control.map((key) =>
    tell(compared, ["metadata", "annotations", key], {
      id: "control-annotation",
      sentence: `${change.key}: the annotation ${valueText(key)} ${verb(key, before.annotations, after.annotations)}; the controller acts on it at once.`,
    }),
  );
  if (others.length === 0) return said;
  return [
    ...said,
    tell(compared, ["metadata", "labels"], {
      id: "labels-changed",
      sentence: `${change.key}: ${plural(others.length, "label or annotation changes", "labels or annotations change")}; nothing is harvested differently.`,
    }),
  ];
}

type Texts = Readonly<Record<string, string>> | undefined;

function differing(before: Texts, after: Texts): readonly string[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].filter((key) => before?.[key] !== after?.[key]).sort();
}

function verb(key: string, before: Texts, after: Texts): string {
  if (before?.[key] === undefined) return "is set";
  return after?.[key] === undefined ? "is taken off" : "changes";
}
