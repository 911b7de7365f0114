import { bytes, count, duration, plural } from "../words.js";
import type { ShownRow } from "./shown-review.js";

/** The figures of a source in short words, the same in every format; plain text, to be escaped. */

/** "50 → 90 / 50 exceeded": in flight at the host, and what it allows. */
export function inFlight({ inFlight: { before, after }, ceiling }: ShownRow): string {
  const numbers = then(before, after);
  if (ceiling === undefined) return numbers;
  return `${numbers} / ${count(ceiling)}${isExceeded({ inFlight: { before, after }, ceiling }) ? " exceeded" : ""}`;
}

export function isExceeded({
  inFlight: { after },
  ceiling,
}: Pick<ShownRow, "inFlight" | "ceiling">): boolean {
  return ceiling !== undefined && after > ceiling;
}

/** "504 → 252"; "at least 48" where no run was ever measured. */
export function requestsPerDay({ requestsPerDay: { before, after }, requestsMeasured }: ShownRow): string {
  return `${requestsMeasured || before + after === 0 ? "" : "at least "}${then(before, after)}`;
}

export function runsPerDay({ runsPerDay: { before, after } }: ShownRow): string {
  return then(before, after);
}

/** "2026-12-01 02:42 America/Chicago (the clock goes back …)"; "–" when it does not run. */
export function firstRun({ firstRun: run }: ShownRow): string {
  if (run === undefined) return "–";
  const zone = run.timeZone === "Etc/UTC" ? "UTC" : run.timeZone;
  return `${run.local} ${zone}${run.dst === undefined ? "" : ` (${run.dst})`}`;
}

/** "all 12,481 records (about 98 MB, 31 s)". */
export function readAgain({ readAgain: again }: ShownRow): string {
  if (again.kind === "nothing") return "–";
  const { records, bytes: size, seconds } = again;
  if (records === undefined) return "all records";
  const cost = [size === undefined ? [] : bytes(size), seconds === undefined ? [] : duration(seconds)].flat();
  return `all ${plural(records, "record")}${cost.length === 0 ? "" : ` (about ${cost.join(", ")})`}`;
}

/** A number that may have halves: three runs in two days. */
function then(before: number, after: number): string {
  return before === after ? number(after) : `${number(before)} → ${number(after)}`;
}

function number(n: number): string {
  return n.toLocaleString("en-US", { maximumFractionDigits: n < 10 ? 1 : 0 });
}
