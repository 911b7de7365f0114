import type { Consequence } from "../consequence.js";
import { count, plural } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

/** When records leave the catalogue. */
export const deletions: ConsequenceRule = eachChanged((compared) => [
  ...guard(compared),
  ...policy(compared),
  ...sweeps(compared),
  ...onRemoval(compared),
]);

interface Guard {
  readonly maxPercent: number;
  readonly minRecords: number;
}

function guard(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.deletions, compared.after.deletions];
  if (old.maxPercent === now.maxPercent && old.minRecords === now.minRecords) return [];
  const loosened = now.maxPercent > old.maxPercent || now.minRecords > old.minRecords;
  const field = old.maxPercent === now.maxPercent ? "minRecords" : "maxPercent";
  const { key } = compared.change;
  return [
    tell(compared, ["spec", "deletions", field], {
      id: loosened ? "removal-guard-loosened" : "removal-guard-tightened",
      sentence: `A sweep of ${key} may withdraw ${guardText(now)} without asking; until now ${guardText(old)}.${inRecords(compared)}`,
      ...(loosened
        ? { remedy: "Loosen it for one run only, when the agency confirmed that the records are gone." }
        : {}),
    }),
  ];
}

function guardText({ maxPercent, minRecords }: Guard): string {
  return `${String(maxPercent)} % or ${plural(minRecords, "record")}`;
}

function inRecords({ store, before, after }: Compared): string {
  if (store === undefined) return " How many records that is, is not known.";
  const [old, now] = [allowed(before.deletions, store.records), allowed(after.deletions, store.records)];
  return ` Of its ${plural(store.records, "record")} that is ${count(now)} instead of ${count(old)}.`;
}

/** As the guard counts (harvester/detect/deletions.ts): up to the share, or up to the number, whatever is more. */
function allowed({ maxPercent, minRecords }: Guard, records: number): number {
  return Math.min(records, Math.max(minRecords, Math.floor((maxPercent * records) / 100)));
}

const MEANINGS = {
  auto: "records leave as the source says it announces deletions",
  tombstones: "only announced deletions let records leave",
  snapshot: "records leave when a complete list no longer holds them, or when their deletion is announced",
  ignore: "no record ever leaves; deletions announced meanwhile are lost",
} as const;

function policy(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.deletions.policy, compared.after.deletions.policy];
  if (old === now) return [];
  return [
    tell(compared, ["spec", "deletions", "policy"], {
      id: "deletions-policy-changed",
      ...(now === "auto" ? { severity: "info" } : {}),
      sentence: `${compared.change.key}: ${MEANINGS[now]} (deletions.policy: ${old} → ${now}).`,
    }),
  ];
}

function sweeps(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.deletions, compared.after.deletions];
  if (old.sweepIntervalHours === now.sweepIntervalHours) return [];
  return [
    tell(compared, ["spec", "deletions", "sweepIntervalHours"], {
      id: "sweep-interval-changed",
      sentence: `${compared.change.key}: missing records are looked for ${every(now.sweepIntervalHours)} instead of ${every(old.sweepIntervalHours)}, where the source announces no deletions.`,
    }),
  ];
}

function every(hours: number): string {
  if (hours === 0) return "in each run";
  return hours === 1 ? "every hour" : `every ${count(hours)} hours`;
}

function onRemoval(compared: Compared): readonly Consequence[] {
  const { before, after, store, change } = compared;
  if (before.deletions.onSourceRemoval === after.deletions.onSourceRemoval) return [];
  const at = ["spec", "deletions", "onSourceRemoval"];
  const those = store === undefined ? "its records" : `its ${plural(store.records, "record")}`;
  if (after.deletions.onSourceRemoval === "keep")
    return [
      tell(compared, at, {
        id: "withdraw-disarmed",
        sentence: `When the manifest of ${change.key} is removed, ${those} will stay in the catalogue; until now they would have been withdrawn.`,
      }),
    ];
  return [
    tell(compared, at, {
      id: "withdraw-armed",
      sentence: `When the manifest of ${change.key} is removed or renamed, ${those} will be withdrawn; until now they would have stayed.`,
    }),
  ];
}
