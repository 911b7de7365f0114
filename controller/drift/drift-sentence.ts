import type { DriftMode } from "../settings.js";
import { annotations } from "../names.js";
import { cut, type FieldDifference } from "./field-difference.js";
import type { Engine } from "./recognise-delivery.js";

export interface DriftFacts {
  readonly engine: Engine;
  readonly fields: readonly FieldDifference[];
  readonly moreFields: number;
  readonly action: DriftMode;
  readonly manager?: string;
  readonly time?: string;
  readonly revision?: string | undefined;
  /** Value of the annotation that sets the mode for one object. */
  readonly override?: string | undefined;
}

const DELIVERED: Readonly<Record<Engine, string>> = {
  flux: "Flux delivered",
  argocd: "Argo CD delivered",
  "git-sync": "the Git sync delivered",
  annotation: "was delivered",
  managers: "was delivered",
};

/** More fields than this are counted, not named; their values are in status.drift. */
const NAMED = 3;
const MAX_VALUE = 60;

/** What differs from what, who did it, when, and what happens next. The same facts give the same sentence. */
export function driftSentence(facts: DriftFacts): string {
  const { engine, revision } = facts;
  const what = revision === undefined ? "" : ` (${cut(revision, MAX_VALUE)})`;
  return cut(
    [`spec is not what ${DELIVERED[engine]}${what}: ${fieldsText(facts)}.`, whoText(facts), nextText(facts)]
      .filter((part) => part !== "")
      .join(" "),
    1024,
  );
}

function fieldsText({ fields, moreFields, engine }: DriftFacts): string {
  if (fields.length === 0)
    return engine === "annotation" || engine === "managers"
      ? "its content hash is another, and the delivered spec is not known, so the fields cannot be named"
      : "somebody else wrote it last, and the delivered spec is not known, so the fields cannot be named";
  const named = fields.slice(0, NAMED).map(changeText).join(", ");
  const more = fields.length - NAMED + moreFields;
  return more > 0 ? `${named}, and ${String(more)} more` : named;
}

function changeText({ field, delivered, live }: FieldDifference): string {
  const before = delivered === undefined ? "absent" : cut(delivered, MAX_VALUE);
  return `${field} ${before} → ${live === undefined ? "removed" : cut(live, MAX_VALUE)}`;
}

function whoText({ manager, time }: DriftFacts): string {
  if (manager === undefined) return "";
  return `Last written by ${manager}${time === undefined ? "" : ` at ${time}`}.`;
}

function nextText(facts: DriftFacts): string {
  return [modeText(facts), misspeltText(facts.override)].filter((part) => part !== "").join(" ");
}

function modeText({ action, engine, fields }: DriftFacts): string {
  if (action === "revert") return "It is put back. To keep the change, commit it to Git.";
  if (action === "off") return "It stays: drift is off for this source.";
  if (engine === "flux" || engine === "argocd")
    return `It is left to ${engine === "flux" ? "Flux" : "Argo CD"} to put back. To keep the change, commit it to Git.`;
  if (fields.length === 0)
    return "It stays until the next delivery: deliver again, or commit the change to Git.";
  return "It stays until the next delivery. To keep the change, commit it to Git.";
}

function misspeltText(override: string | undefined): string {
  if (override === undefined || ["revert", "warn", "off"].includes(override)) return "";
  return `The annotation ${annotations.drift} must be revert, warn or off; it is ${JSON.stringify(cut(override, MAX_VALUE))} and was ignored.`;
}
