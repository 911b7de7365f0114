import { instantOf } from "../bounded-text.js";
import type { CursorMove, FinishedRun, Outcome, RunWarning } from "../run.js";
import { codeOf, countOf, fieldsOf, listOf, present, textOf, type Fields } from "./json.js";
import { parseTruncated } from "./parse-truncated.js";

/** What a run said of itself (docs/pod.md). Everything is optional: its pod is trusted no more than any other outside. */
export type Report = Partial<
  Pick<
    FinishedRun,
    | "runId"
    | "outcome"
    | "exitCode"
    | "code"
    | "message"
    | "remedy"
    | "counts"
    | "totals"
    | "endpoint"
    | "prefix"
    | "policyDigest"
    | "notBefore"
  >
> &
  Pick<FinishedRun, "cursors" | "warnings">;

/** The kubelet keeps 4,096 bytes of a message; whoever sends more is not the kubelet. */
const MAX_MESSAGE = 16_384;
const MAX_TEXT = 2_000;
const MAX_CURSORS = 100;
const MAX_WARNINGS = 10;

const outcomes: ReadonlySet<unknown> = new Set<Outcome>([
  "complete",
  "partial",
  "failed",
  "refused",
  "interrupted",
]);

/** Undefined when the text holds no object at all, e.g. a plain log line. */
export function readTerminationMessage(text: unknown): Report | undefined {
  if (typeof text !== "string" || text.length > MAX_MESSAGE) return undefined;
  const parsed = parseTruncated(text);
  if (parsed === undefined) return undefined;
  const said = fieldsOf(parsed);
  return {
    runId: textOf(said["runId"], 64),
    outcome: outcomes.has(said["outcome"]) ? (said["outcome"] as Outcome) : undefined,
    exitCode: exitCodeOf(said["exitCode"]),
    code: codeOf(said["code"]),
    message: textOf(said["message"], MAX_TEXT),
    remedy: textOf(said["remedy"], MAX_TEXT),
    counts: countsOf(fieldsOf(said["counts"])),
    totals: totalsOf(fieldsOf(said["totals"])),
    cursors: listOf(said["watermarks"], MAX_CURSORS).flatMap(cursorOf),
    endpoint: textOf(said["endpoint"], 2_048),
    prefix: textOf(said["prefix"], 256),
    policyDigest: textOf(said["policyDigest"], 128),
    notBefore: instantOf(said["notBefore"]),
    warnings: listOf(said["warnings"], MAX_WARNINGS).flatMap(warningOf),
  };
}

/** A process ends with 0 to 255. */
export function exitCodeOf(value: unknown): number | undefined {
  const code = countOf(value);
  return code !== undefined && code <= 255 ? code : undefined;
}

function countsOf(said: Fields): FinishedRun["counts"] {
  return present({
    read: countOf(said["read"]),
    inserted: countOf(said["inserted"]),
    updated: countOf(said["updated"]),
    withdrawn: countOf(said["withdrawn"]),
    unchanged: countOf(said["unchanged"]),
    quarantined: countOf(said["quarantined"]),
  });
}

function totalsOf(said: Fields): FinishedRun["totals"] {
  return present({ records: countOf(said["records"]), quarantined: countOf(said["quarantined"]) });
}

function cursorOf(said: Fields): readonly CursorMove[] {
  const { set } = said;
  if (typeof set !== "string" || set.length > 1_024) return [];
  return [{ set, before: instantOf(said["before"]), after: instantOf(said["after"]) }];
}

function warningOf(said: Fields): readonly RunWarning[] {
  const sentence = textOf(said["sentence"], 500);
  const code = textOf(said["code"], 64);
  if (sentence === undefined || code === undefined) return [];
  return [{ code, sentence, times: countOf(said["times"]) ?? 1 }];
}
