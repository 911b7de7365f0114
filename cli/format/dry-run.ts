import type { LastRun } from "../dry-run/real-store.js";
import type { Tried, TriedTotals } from "../dry-run/tried.js";
import type { Theme } from "./colour.js";
import { table, type Column } from "./table.js";
import { bytes, count, duration, oneLine, plural, time } from "./words.js";

export interface DryRunReport {
  readonly all: readonly Tried[];
  readonly totals: TriedTotals;
  /** What was asked. */
  readonly target: "sandbox" | "live" | "replay";
}

interface Look {
  readonly theme: Theme;
  readonly width: number;
}

/** A row a source. */
export function triedTable(all: readonly Tried[], width: number): string {
  return table(all, columns, width);
}

const columns: readonly Column<Tried>[] = [
  { title: "source", cell: ({ source }) => source, shrinks: true },
  { title: "read", cell: ({ counts }) => count(counts.read), align: "right" },
  { title: "valid", cell: ({ counts }) => count(counts.valid), align: "right" },
  { title: "refused", cell: ({ counts }) => count(counts.refused), align: "right" },
  { title: "insert", cell: ({ counts }) => count(counts.insert), align: "right" },
  { title: "update", cell: ({ counts }) => count(counts.update), align: "right" },
  { title: "delete", cell: ({ counts }) => count(counts.delete), align: "right" },
  { title: "skip", cell: ({ counts }) => count(counts.skip), align: "right" },
  { title: "req", cell: ({ counts }) => count(counts.requests), align: "right" },
  { title: "bytes", cell: ({ counts }) => bytes(counts.bytes), align: "right" },
  { title: "time", cell: ({ seconds }) => duration(seconds), align: "right" },
  { title: "verdict", cell: verdictWord },
];

function verdictWord({ verdict, sample }: Tried): string {
  if (verdict === "fails") return "FAILS";
  if (verdict === "untried") return "UNTRIED";
  return sample ? "sample" : "ok";
}

/** Below the table: what fails and why, what was refused by which rule, how it compares with the last real run. */
export function triedNotes({ all, target }: DryRunReport, look: Look): string {
  const notes = all.flatMap((one) => notesOf(one, { target, look }));
  return notes.join("\n");
}

interface NoteContext {
  readonly target: DryRunReport["target"];
  readonly look: Look;
}

function notesOf(one: Tried, { target, look }: NoteContext): readonly string[] {
  const lines = [...failure(one, look), ...refusals(one, look), ...comparison(one, target), ...unheard(one)];
  return lines.length === 0 ? [] : [look.theme.strong(oneLine(one.source, 90)), ...lines];
}

function failure({ verdict, message, remedy, code }: Tried, { theme, width }: Look): readonly string[] {
  if (verdict === "ok") return [];
  const word = verdict === "fails" ? "fails" : "untried";
  const why = code === undefined ? message : `${message} (${code})`;
  return [
    `  ${theme.bad(word.padEnd(10))}${oneLine(why, 400)}`,
    ...(remedy === undefined ? [] : [`  ${"next".padEnd(10)}${oneLine(remedy, Math.max(60, 3 * width))}`]),
  ];
}

const MOST_RULES = 5;

function refusals({ refusedBy }: Tried, { width }: Look): readonly string[] {
  const rules = Object.entries(refusedBy).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (rules.length === 0) return [];
  const shown = rules.slice(0, MOST_RULES).map(([rule, n]) => `${oneLine(rule, 60)} ${count(n)}`);
  const more = rules.length > MOST_RULES ? [`and ${plural(rules.length - MOST_RULES, "other rule")}`] : [];
  return [`  refused   ${wrapped([...shown, ...more], width - 12)}`];
}

function wrapped(parts: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last === undefined || last.length + part.length + 3 > width) lines.push(part);
    else lines[lines.length - 1] = `${last} · ${part}`;
  }
  return lines.join(`\n${" ".repeat(12)}`);
}

function comparison(
  { lastRun, counts, besideStore }: Tried,
  target: NoteContext["target"],
): readonly string[] {
  if (lastRun === undefined) return [];
  const { read, refused, endedAt, outcome } = lastRun;
  const when = `${time(endedAt === "" ? undefined : endedAt)}, ${outcome}`;
  const lines = [
    `  last run  read ${count(read)}, refused ${count(refused)} (${when}); this one read ${count(counts.read)}, refused ${count(counts.refused)}`,
  ];
  if (target === "sandbox") lines.push("            a sandbox answered here: these are other records");
  else if (moreRefused(counts, lastRun))
    lines.push(
      `            refuses ${share(counts.refused, counts.read)} of what it read; the last run refused ${share(refused, read)}`,
    );
  if (target === "live" && !besideStore)
    lines.push("            not classified against the store: it does not know this source");
  return lines;
}

/** More than twice the share of the last run: worth a look. */
function moreRefused(now: Tried["counts"], last: LastRun): boolean {
  if (now.read === 0 || now.refused === 0) return false;
  return now.refused / now.read > (last.read === 0 ? 0 : (2 * last.refused) / last.read);
}

function share(part: number, of: number): string {
  return of === 0 ? "nothing" : `${((100 * part) / of).toFixed(1)} %`;
}

function unheard(one: Tried): readonly string[] {
  if (one.unheard === undefined) return [];
  return [`  replay    ${plural(one.unheard, "recorded answer")} nobody asked for: it took another way`];
}

/** The last line: what would become of the sources, and that nothing was written. */
export function closing({ all, totals }: DryRunReport): string {
  const { sources, counts } = totals;
  const failed = totals.fails + totals.untried;
  const verb = failed === 0 ? "would run" : `tried, ${failedWords(totals)}`;
  const sampled = all.some((one) => one.sample) ? ` It was a sample (${boundOf(all)}).` : "";
  return `${plural(sources, "source")} ${verb}: ${plural(counts.read, "record")} read, ${plural(counts.refused, "record")} refused. Nothing was written.${sampled}`;
}

function failedWords({ fails, untried }: TriedTotals): string {
  const words = [];
  if (fails > 0) words.push(`${count(fails)} would fail`);
  if (untried > 0) words.push(`${count(untried)} could not be tried`);
  return words.join(", ");
}

function boundOf(all: readonly Tried[]): string {
  const codes = new Set(all.filter((one) => one.sample).map(({ code }) => code));
  const flags = [
    ...(codes.has("LimitReached") ? ["--limit"] : []),
    ...(codes.has("RequestBudget") ? ["--max-requests"] : []),
  ];
  return flags.join(", ");
}

export interface DryRunProgress {
  readonly done: number;
  readonly sources: number;
  /** Being tried now. */
  readonly names: readonly string[];
  readonly read: number;
  readonly refused: number;
  readonly elapsedSeconds: number;
}

/** How far a dry run of many sources is. */
export function dryRunProgressLine(progress: DryRunProgress): string {
  const { done, sources, names, read, refused, elapsedSeconds } = progress;
  const rate = elapsedSeconds > 0.5 ? `   ${count(Math.round(read / elapsedSeconds))}/s` : "";
  const now = names.map((name) => oneLine(name, 30)).join(", ");
  return `  ${count(done)} of ${plural(sources, "source")}   ${plural(read, "record")}   refused ${count(refused)}${rate}   ${now}`;
}
