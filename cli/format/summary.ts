import type { RunSummary } from "../../harvester/report/summary.js";
import type { Theme } from "./colour.js";
import { bytes, count, duration, oneLine, plural, time } from "./words.js";

export interface SummaryContext {
  readonly theme: Theme;
  /** The next scheduled run, where there is a schedule. */
  readonly nextRun?: string;
  /** False for a dry run: the words must not claim that anything was stored. */
  readonly stored: boolean;
}

/** The table at the end of a run: what came, what changed, what was refused and why, where the watermark stands, what next. */
export function summaryText(summary: RunSummary, context: SummaryContext): string {
  return [
    headline(summary, context),
    ...(summary.outcome === "complete" ? [] : why(summary)),
    ...facts(summary, context),
  ].join("\n");
}

function headline(summary: RunSummary, { theme }: SummaryContext): string {
  const name = theme.strong(summary.source);
  if (summary.outcome === "complete")
    return `${name}: ${theme.good("complete")} in ${duration(summary.seconds)}, run ${summary.runId}`;
  const words = {
    partial: "INCOMPLETE",
    failed: "FAILED",
    refused: "REFUSED",
    interrupted: "INTERRUPTED",
  } as const;
  const read = summary.counts.read > 0 ? ` after ${plural(summary.counts.read, "record")}` : "";
  return `${name}: ${theme.bad(words[summary.outcome])}${read}, ${watermarkStays(summary)} (run ${summary.runId})`;
}

function watermarkStays(summary: RunSummary): string {
  const moved = summary.watermarks.filter((w) => w.before !== w.after);
  if (moved.length > 0) return `${plural(moved.length, "watermark")} moved before it stopped`;
  const first = summary.watermarks[0];
  // No store was opened, or nothing was asked of it.
  if (first === undefined) return "before it began";
  return first.before === undefined ? "no watermark yet" : `watermark stays at ${time(first.before)}`;
}

function why(summary: RunSummary): string[] {
  const lines = [line("why", `${summary.message}${summary.code === undefined ? "" : ` (${summary.code})`}`)];
  if (summary.counts.read > 0)
    lines.push(line("kept", `${plural(kept(summary), "record")} already committed; nothing was lost`));
  if (summary.notBefore !== undefined)
    lines.push(line("next", `no request before ${time(summary.notBefore)}; an earlier run will wait for it`));
  if (summary.remedy !== undefined)
    lines.push(line(summary.notBefore === undefined ? "next" : "", summary.remedy));
  return lines;
}

function kept({ counts }: RunSummary): number {
  return counts.inserted + counts.updated + counts.unchanged;
}

function facts(summary: RunSummary, context: SummaryContext): string[] {
  const { counts } = summary;
  const restarts = `waited ${duration(summary.waitedSeconds)}`;
  return [
    number("read", counts.read, `in ${plural(counts.requests, "request")}, ${bytes(counts.bytes)}`),
    ...unlessNone(context.stored ? "new" : "would add", counts.inserted),
    ...unlessNone(context.stored ? "changed" : "would change", counts.updated),
    ...unlessNone(context.stored ? "withdrawn" : "would withdraw", counts.withdrawn),
    ...unlessNone("unchanged", counts.unchanged),
    ...unlessNone("healed", counts.healed, "left quarantine"),
    ...refused(summary, context),
    ...unlessNone("asked again", counts.restarts, restarts),
    ...watermarks(summary, context),
    ...warnings(summary, context),
  ];
}

function unlessNone(label: string, n: number, note = ""): string[] {
  return n > 0 ? [number(label, n, note)] : [];
}

function warnings(summary: RunSummary, { theme }: SummaryContext): string[] {
  return summary.warnings.slice(0, 5).map((w) => {
    const times = w.times > 1 ? ` (${count(w.times)} times)` : "";
    return line(theme.warn("warning"), `${oneLine(w.sentence)}${times}`, "warning");
  });
}

function refused(summary: RunSummary, { stored }: SummaryContext): string[] {
  const { quarantined, stillQuarantined } = summary.counts;
  const rules = Object.entries(summary.refusedBy).sort(([, a], [, b]) => b - a);
  const shown = rules.slice(0, 6).map(([rule, n]) => `${rule} ${count(n)}`);
  if (rules.length > shown.length) shown.push(`and ${plural(rules.length - shown.length, "other rule")}`);
  const lines: string[] = [];
  if (quarantined > 0) {
    lines.push(number("refused", quarantined, wrap(shown, 62)));
    if (stored) lines.push(line("", `harvestctl quarantine list --run ${summary.runId}`));
  }
  if (stillQuarantined > 0)
    lines.push(number("still refused", stillQuarantined, "same bytes, same rules as before"));
  return lines;
}

function wrap(parts: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.length + 3 > width) lines.push(part);
    else lines[lines.length - 1] = `${last} · ${part}`;
  }
  return lines.join(`\n${" ".repeat(27)}`);
}

function watermarks(summary: RunSummary, context: SummaryContext): string[] {
  if (!context.stored) return [];
  const next = context.nextRun === undefined ? "" : `    next run ${context.nextRun}`;
  const standing = summary.watermarks.filter((w) => w.after !== undefined);
  return standing.slice(0, 8).map((w, i) => {
    const set = w.set === "" ? "" : `  (set ${oneLine(w.set, 30)})`;
    const moved = w.before === w.after ? `${time(w.after)} (stays)` : `${time(w.before)} → ${time(w.after)}`;
    return line("watermark", `${moved}${set}${i === 0 ? next : ""}`);
  });
}

function number(label: string, n: number, note = ""): string {
  return `  ${label.padEnd(14)}${count(n).padStart(9)}  ${note}`.trimEnd();
}

function line(label: string, text: string, plainLabel = label): string {
  return `  ${label}${" ".repeat(Math.max(1, 14 - plainLabel.length))}${text}`;
}
