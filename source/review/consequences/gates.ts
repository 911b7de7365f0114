import type { Consequence } from "../consequence.js";
import { policyReferences } from "../../lint/policy-files.js";
import type { PolicyFileKind } from "../../lint/lint-rule.js";
import type { LocatedSource } from "../../located-source.js";
import { fileText, list, plural, valueText } from "../figures.js";
import type { PolicyTree } from "../policy-tree.js";
import { eachChanged, tell, type Compared, type ConsequenceRule, type Saying } from "./consequence-rule.js";

/** Which schemas and rules a source names, and what becomes of a record they refuse. */
export const gates: ConsequenceRule = eachChanged((compared) => [
  ...gateFiles(compared, "xsd"),
  ...gateFiles(compared, "schematron"),
  ...phase(compared),
  ...onFailure(compared),
]);

function gateFiles(compared: Compared, kind: PolicyFileKind): readonly Consequence[] {
  const { change, input } = compared;
  const before = named(change.base, kind, input.base);
  const after = named(change.head, kind, input.head);
  const gone = missingFrom(after, before);
  const fresh = missingFrom(before, after);
  const said: Saying[] = [];
  if (gone.length > 0)
    said.push(after.size === 0 ? gateRemoved(compared, kind, gone) : ruleRemoved(compared, gone));
  if (fresh.length > 0) said.push(gateAdded(compared, fresh));
  return said.map((saying) => tell(compared, ["spec", "validation", kind], saying));
}

/** What stands in a file → its path: a file that only changes its name is the same gate. */
function named(located: LocatedSource, kind: PolicyFileKind, tree: PolicyTree): ReadonlyMap<string, string> {
  const files = policyReferences(located).filter((reference) => reference.kind === kind);
  return new Map(files.map(({ file }) => [tree.policyFiles.get(file) ?? file, file]));
}

/** By path or by content: a file that changed in place is told by its own kind. */
function missingFrom(
  here: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set(here.values());
  return [...there]
    .filter(([content, path]) => !here.has(content) && !paths.has(path))
    .map(([, path]) => path);
}

function gateRemoved(
  { change, store, after }: Compared,
  kind: PolicyFileKind,
  gone: readonly string[],
): Saying {
  const check = kind === "xsd" ? "schema checks the structure of" : "rule set checks the content of";
  const other = kind === "xsd" ? after.validation.schematron : after.validation.xsd;
  const none = other === undefined ? " Nothing is left that refuses a record." : "";
  return {
    id: "gate-removed",
    sentence: `No ${check} the records of ${change.key} any more (${files(gone)}).${none}${letIn(store?.quarantined)}`,
  };
}

function ruleRemoved({ change, store }: Compared, gone: readonly string[]): Saying {
  return {
    id: "rule-removed-from-source",
    sentence: `Records of ${change.key} need no longer pass ${files(gone)}.${letIn(store?.quarantined)}`,
  };
}

function gateAdded({ change, after, store }: Compared, fresh: readonly string[]): Saying {
  const records =
    store === undefined ? "" : `; how many of its ${plural(store.records, "record")} do not is not known`;
  const fate = after.validation.onFailure === "fail" ? "stops the run" : "is quarantined";
  return {
    id: "gate-added",
    sentence: `Records of ${change.key} must pass ${files(fresh)} too; what does not ${fate}${records}.`,
    remedy: "Run harvestctl impact, or dry-run, to see how many.",
  };
}

function letIn(quarantined: number | undefined): string {
  if (quarantined === undefined) return " How many quarantined records come in by that is not known.";
  return quarantined === 0
    ? ""
    : ` ${plural(quarantined, "record is", "records are")} quarantined now and may come in.`;
}

function files(paths: readonly string[]): string {
  return list(paths.map(fileText));
}

function phase(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.validation.phase, after.validation.phase];
  if (old === now) return [];
  return [
    tell(compared, ["spec", "validation", "phase"], {
      id: "phase-changed",
      sentence: `Records of ${change.key} are asked the patterns of ${phaseText(now)} instead of ${phaseText(old)}.`,
      remedy: "Run harvestctl impact to see which records that lets in or refuses.",
    }),
  ];
}

function phaseText(name: string | undefined): string {
  return name === undefined ? "the rule set's own phase" : `phase ${valueText(name)}`;
}

function onFailure(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.validation.onFailure === after.validation.onFailure) return [];
  const at = ["spec", "validation", "onFailure"];
  if (after.validation.onFailure === "quarantine")
    return [
      tell(compared, at, {
        id: "fail-to-quarantine",
        sentence: `A refused record of ${change.key} is put aside and the run goes on; until now it stopped the run.`,
      }),
    ];
  return [
    tell(compared, at, {
      id: "quarantine-to-fail",
      sentence: `A refused record of ${change.key} stops the run before its watermark; until now it was put aside.${quarantinedNow(compared)}`,
      remedy: "Empty the quarantine first.",
    }),
  ];
}

function quarantinedNow({ store }: Compared): string {
  if (store === undefined) return " How many records are quarantined now is not known.";
  if (store.quarantined === 0) return " No record is quarantined now.";
  return ` ${plural(store.quarantined, "record is", "records are")} quarantined now: each of them, when it comes again, stops the run.`;
}
