import type { Condition, LiveSource } from "../../controller/object.js";
import type { Theme } from "./colour.js";
import { table, type Column } from "./table.js";
import { ago, count, duration, oneLine, time } from "./words.js";

export interface LiveSourcesContext {
  readonly now: Date;
  readonly theme: Theme;
  readonly width: number;
  /** With a column for the namespace. */
  readonly namespaces: boolean;
  /** With conditions, last run and drift below the table. */
  readonly full: boolean;
}

/** One line a source as kubectl has it, with what it waits for; in full with everything the status knows. */
export function liveSourcesText(sources: readonly LiveSource[], context: LiveSourcesContext): string {
  if (sources.length === 0)
    return "There is no HarvestSource here. Apply one (docs/operating.md), or look elsewhere with --namespace or --all-namespaces.";
  const rows = table(sources, columnsOf(context), context.width);
  if (!context.full) return rows;
  return [rows, ...sources.map((source) => fullText(source, context))].join("\n\n");
}

function columnsOf({ now, namespaces }: LiveSourcesContext): readonly Column<LiveSource>[] {
  return [
    ...(namespaces ? [{ title: "namespace", cell: (s: LiveSource) => s.metadata.namespace ?? "" }] : []),
    { title: "source", cell: ({ metadata }) => metadata.name, shrinks: true },
    { title: "status", cell: ({ status }) => status?.summary ?? "unseen" },
    { title: "last success", cell: ({ status }) => ago(status?.lastSuccessTime, now) },
    { title: "lag", cell: ({ status }) => lagOf(status?.watermark, now) },
    { title: "records", cell: ({ status }) => countOf(status?.records), align: "right" },
    { title: "quarantined", cell: ({ status }) => countOf(status?.quarantined), align: "right" },
    { title: "next", cell: (source) => nextOf(source) },
    { title: "note", cell: noteOf, shrinks: true },
  ];
}

function lagOf(watermark: string | undefined, now: Date): string {
  if (watermark === undefined) return "–";
  return duration(Math.max(0, (now.getTime() - Date.parse(watermark)) / 1000));
}

function countOf(n: number | undefined): string {
  return n === undefined ? "–" : count(n);
}

function nextOf({ status }: LiveSource): string {
  return status?.nextRunTime === undefined ? "–" : time(status.nextRunTime);
}

/** What a person should know first: trouble before news. */
function noteOf({ status }: LiveSource): string {
  const { conditions = [] } = status ?? {};
  const telling =
    find(conditions, "Stalled") ??
    find(conditions, "Paused") ??
    conditions.find(({ type, status: is }) => type === "LastRunSucceeded" && is === "False") ??
    conditions.find(({ type, status: is }) => type === "Drifted" && is === "True");
  return telling?.message ?? "";
}

function find(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

function fullText({ status, spec }: LiveSource, { theme }: LiveSourcesContext): string {
  const { conditions = [], lastRun, drift } = status ?? {};
  return [
    `  asks       ${spec.baseUrl} (${spec.metadataPrefix})`,
    `  schedule   ${status?.installedSchedule ?? spec.schedule}  ${spec.timeZone}`,
    ...conditions.map((condition) => conditionLine(condition, theme)),
    ...lastRunLines(lastRun),
    ...(drift?.fields ?? []).map(
      ({ field, delivered = "not there", live = "not there" }) =>
        `  drift      ${field}: delivered ${oneLine(delivered)}, now ${oneLine(live)}`,
    ),
  ].join("\n");
}

function conditionLine({ type, status, reason, message }: Condition, theme: Theme): string {
  const bad = status === "False" || type === "Stalled" || (type === "Drifted" && status === "True");
  const word = `${type} ${status} (${reason})`;
  return `  ${bad ? theme.bad(word) : word}: ${oneLine(message, 600)}`;
}

function lastRunLines(lastRun: NonNullable<LiveSource["status"]>["lastRun"]): readonly string[] {
  if (lastRun === undefined) return [];
  const { outcome = "", endTime, jobName, counts = {}, remedy } = lastRun;
  const numbers = Object.entries(counts).map(([name, n]) => `${name} ${count(n)}`);
  return [
    `  last run   ${outcome}, ended ${time(endTime)}${jobName === undefined ? "" : `, Job ${jobName}`}`,
    ...(numbers.length === 0 ? [] : [`             ${numbers.join(" · ")}`]),
    ...(remedy === undefined ? [] : [`  next step  ${oneLine(remedy, 600)}`]),
  ];
}
