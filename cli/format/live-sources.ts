import { annotations } from "../../controller/names.js";
import { keyOf, type Condition, type LiveSource } from "../../controller/object.js";
import type { Theme } from "./colour.js";
import { paragraph } from "./paragraph.js";
import { table, type Column } from "./table.js";
import { ago, count, duration, oneLine, plural, time } from "./words.js";

export interface LiveSourcesContext {
  readonly now: Date;
  readonly theme: Theme;
  readonly width: number;
}

export interface LiveSourcesTable extends LiveSourcesContext {
  /** With a column for the namespace. */
  readonly namespaces: boolean;
  /** Where was looked, e.g. "in namespace geo". */
  readonly place: string;
}

type Status = NonNullable<LiveSource["status"]>;

/** One line a source: the state in one word, as kubectl has it, and what it waits for. */
export function liveSourcesText(sources: readonly LiveSource[], context: LiveSourcesTable): string {
  if (sources.length === 0)
    return (
      `There is no HarvestSource ${context.place}.\n` +
      "Apply one (docs/harvest-source.md), or look elsewhere with --namespace or --all-namespaces."
    );
  return table(sources, columnsOf(context), context.width);
}

function columnsOf({ now, namespaces }: LiveSourcesTable): readonly Column<LiveSource>[] {
  return [
    ...(namespaces ? [{ title: "namespace", cell: (s: LiveSource) => s.metadata.namespace ?? "" }] : []),
    { title: "source", cell: ({ metadata }) => metadata.name },
    { title: "status", cell: stateOf },
    { title: "last success", cell: ({ status }) => ago(status?.lastSuccessTime, now) },
    { title: "lag", cell: ({ status }) => lagOf(status?.watermark, now) },
    { title: "records", cell: ({ status }) => countOf(status?.records), align: "right" },
    { title: "quarantined", cell: ({ status }) => countOf(status?.quarantined), align: "right" },
    { title: "next", cell: (source) => nextOf(source, now), shrinks: true },
  ];
}

function stateOf({ status }: LiveSource): string {
  return status?.summary ?? "Unseen";
}

function lagOf(watermark: string | undefined, now: Date): string {
  if (watermark === undefined) return "–";
  return duration(Math.max(0, (now.getTime() - Date.parse(watermark)) / 1000));
}

function countOf(n: number | undefined): string {
  return n === undefined ? "–" : count(n);
}

/** What happens next, or what keeps it from happening: trouble before news. */
function nextOf(source: LiveSource, now: Date): string {
  const held = heldBy(source);
  if (held !== undefined) return held;
  const { activeRuns = 0, notBefore, nextRunTime, conditions = [] } = source.status ?? {};
  if (activeRuns > 0) return "running now";
  const when = notBefore === undefined ? ago(nextRunTime, now) : `rests until ${time(notBefore)}`;
  const trouble = [conditionOf(conditions, "LastRunSucceeded", "False"), conditionOf(conditions, "Drifted")];
  return [when, ...trouble.flatMap((found) => (found === undefined ? [] : saidBy(found)))].join("; ");
}

function heldBy({ metadata, spec, status }: LiveSource): string | undefined {
  if (status?.summary === undefined) return "the controller has not looked at it yet";
  const { conditions = [] } = status;
  if (metadata.deletionTimestamp !== undefined)
    return conditionOf(conditions, "Ready", "False")?.message ?? "being removed";
  const stalled = conditionOf(conditions, "Stalled");
  if (stalled !== undefined) return stalled.message;
  if (spec.suspend) return "suspended in its spec";
  return conditionOf(conditions, "Paused") === undefined ? undefined : brakeText(metadata);
}

function brakeText(metadata: LiveSource["metadata"]): string {
  const { [annotations.paused]: reason = "", [annotations.pausedUntil]: until } = metadata.annotations ?? {};
  return `paused${until === undefined ? "" : ` until ${time(until)}`}: "${oneLine(reason)}"`;
}

function conditionOf(
  conditions: readonly Condition[],
  type: string,
  status: Condition["status"] = "True",
): Condition | undefined {
  return conditions.find((condition) => condition.type === type && condition.status === status);
}

/** Everything the status of one source knows. */
export function liveSourceText(source: LiveSource, context: LiveSourcesContext): string {
  const { status = {}, spec } = source;
  const { theme, now } = context;
  const lines = [
    ["asks", `${spec.baseUrl} (${spec.metadataPrefix})`],
    ["schedule", `${status.installedSchedule ?? spec.schedule} (${spec.timeZone})`],
    ["next", nextRun(source, now)],
    ["holds", catalogueText(status, now)],
    ...lastRunLines(status.lastRun, now),
  ] as const;
  return [
    `${theme.strong(keyOf(source))}: ${stateOf(source)}`,
    ...lines.map(([label, text]) => paragraph(`  ${label.padEnd(10)} `, text, context.width)),
    ...(status.conditions ?? []).map((condition) => conditionText(condition, context)),
    ...driftLines(status.drift).map((text) => paragraph("  drift      ", text, context.width)),
  ].join("\n");
}

function nextRun(source: LiveSource, now: Date): string {
  const { nextRunTime, notBefore, conditions = [] } = source.status ?? {};
  // The conditions below have the whole sentence.
  if (source.metadata.deletionTimestamp !== undefined) return "none: it is being removed";
  if (conditionOf(conditions, "Stalled") !== undefined) return "as before, until what stalls it is mended";
  const held = heldBy(source);
  if (held !== undefined) return held;
  const rest = notBefore === undefined ? "" : `; no request to the agency before ${time(notBefore)}`;
  return nextRunTime === undefined ? `–${rest}` : `${ago(nextRunTime, now)}, ${time(nextRunTime)}${rest}`;
}

function catalogueText({ records, quarantined, watermark }: Status, now: Date): string {
  if (records === undefined) return "nothing is known yet";
  const upTo = watermark === undefined ? "" : `; complete up to ${time(watermark)}, ${ago(watermark, now)}`;
  return `${plural(records, "record")}, ${countOf(quarantined)} quarantined${upTo}`;
}

/** The words of `harvestctl run`. */
const counted = [
  ["read", "read"],
  ["inserted", "new"],
  ["updated", "changed"],
  ["withdrawn", "withdrawn"],
  ["unchanged", "unchanged"],
  ["quarantined", "refused"],
] as const;

function lastRunLines(lastRun: Status["lastRun"], now: Date): readonly (readonly [string, string])[] {
  if (lastRun === undefined) return [["last run", "none has ended yet"]];
  const { outcome = "ended", endTime, jobName, exitCode, counts = {} } = lastRun;
  const exit = exitCode === undefined || exitCode === 0 ? "" : `, exit code ${String(exitCode)}`;
  const job = jobName === undefined ? "" : `, Job ${jobName}`;
  const numbers = counted.flatMap(([field, word]) => {
    const n = counts[field];
    return n === undefined || (n === 0 && field !== "read") ? [] : [`${word} ${count(n)}`];
  });
  return [
    ["last run", `${outcome} ${ago(endTime, now)}${exit}${job}`],
    ...(numbers.length === 0 ? [] : [["", numbers.join(" · ")] as const]),
  ];
}

const LONGEST_TYPE = "LastRunSucceeded".length;

function conditionText({ type, status, reason, message }: Condition, context: LiveSourcesContext): string {
  const { theme, width } = context;
  const bad = status === "False" || type === "Stalled" || (type === "Drifted" && status === "True");
  const head = `  ${type.padEnd(LONGEST_TYPE)}  ${status.padEnd("Unknown".length)}  `;
  const text = paragraph(head, oneLine(saidBy({ reason, message }), 1000), width);
  return bad ? theme.bad(text) : text;
}

/** The word first: it is left when the line is cut. */
function saidBy({ reason, message }: Pick<Condition, "reason" | "message">): string {
  return message.startsWith(reason) ? message : `${reason}: ${message}`;
}

function driftLines(drift: Status["drift"]): readonly string[] {
  return (drift?.fields ?? []).map(
    ({ field, delivered = "not there", live = "not there" }) =>
      `${field}: delivered ${oneLine(delivered)}, now ${oneLine(live)}`,
  );
}
