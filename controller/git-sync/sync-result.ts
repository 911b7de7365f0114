import type { Finding } from "../../source/finding.js";
import type { Key } from "../object.js";
import type { GitFaultCode } from "./git-fault.js";
import type { Refusal } from "./refusal.js";

/** What one pass came to, for logs, events and metrics. */
export type SyncResult =
  | {
      readonly kind: "synced";
      readonly revision: string;
      readonly applied: readonly Key[];
      readonly pruned: readonly Key[];
      readonly unchanged: number;
      /** Objects that were left alone. */
      readonly refusals: readonly Refusal[];
      readonly sentence: string;
    }
  /** The revision is not taken; the cluster stays as it is. */
  | {
      readonly kind: "refused";
      readonly revision: string;
      readonly refusals: readonly Refusal[];
      readonly findings: readonly Finding[];
      readonly sentence: string;
    }
  /** Git or the API server could not be asked; tried again. */
  | {
      readonly kind: "failed";
      readonly code: GitFaultCode | "settings" | "api";
      readonly sentence: string;
    };

/** More reasons than this are counted, not told, in one sentence. */
const TOLD = 5;

export function synced(
  facts: Omit<Extract<SyncResult, { kind: "synced" }>, "kind" | "sentence">,
): SyncResult {
  const { revision, applied, pruned, unchanged, refusals } = facts;
  const counts = `${String(applied.length)} applied, ${String(pruned.length)} deleted, ${String(unchanged)} unchanged`;
  const left = refusals.length === 0 ? "" : ` Left alone: ${toldOf(refusals.map(reasonOf))}`;
  return { kind: "synced", ...facts, sentence: `${revision}: ${counts}.${left}` };
}

export function refused(revision: string, refusals: readonly Refusal[]): SyncResult {
  const sentence = `${revision} was not applied: ${toldOf(refusals.map(reasonOf))}`;
  return { kind: "refused", revision, refusals, findings: [], sentence };
}

export function refusedFindings(revision: string, findings: readonly Finding[]): SyncResult {
  const reasons = findings.map(({ place, sentence, remedy }) =>
    join(`${place.file}:${String(place.line)}: ${sentence}`, remedy),
  );
  return {
    kind: "refused",
    revision,
    refusals: [],
    findings,
    sentence: `${revision} was not applied: ${toldOf(reasons)}`,
  };
}

export function failed(code: Extract<SyncResult, { kind: "failed" }>["code"], sentence: string): SyncResult {
  return { kind: "failed", code, sentence };
}

function reasonOf({ sentence, remedy }: Refusal): string {
  return join(sentence, remedy);
}

function join(sentence: string, remedy: string | undefined): string {
  return remedy === undefined ? sentence : `${sentence} ${remedy}`;
}

function toldOf(reasons: readonly string[]): string {
  const more = reasons.length - TOLD;
  return [...reasons.slice(0, TOLD), ...(more > 0 ? [`And ${String(more)} more.`] : [])].join(" ");
}
