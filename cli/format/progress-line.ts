import type { Tally } from "../../harvester/report/tally.js";
import { count, duration } from "./words.js";

export interface ProgressFacts {
  readonly tally: Tally;
  readonly elapsedSeconds: number;
  /** What the run is waiting for, if it is. */
  readonly waiting?: { readonly secondsLeft: number; readonly reason: string };
  readonly width: number;
}

const BAR = 28;

/** The one line that is redrawn while a run goes: how far, how fast, how long still, what was refused. */
export function progressLine({ tally, elapsedSeconds, waiting, width }: ProgressFacts): string {
  const done = tally.read;
  const rate = elapsedSeconds > 0.5 ? done / elapsedSeconds : 0;
  const parts = [howFar(done, tally.listSize), `${count(Math.round(rate))}/s`];
  if (tally.listSize !== undefined && rate > 0 && tally.listSize > done)
    parts.push(`ETA ${duration((tally.listSize - done) / rate)}`);
  if (tally.quarantined > 0) parts.push(`quarantined ${count(tally.quarantined)}`);
  if (waiting !== undefined) parts.push(`waiting ${duration(waiting.secondsLeft)} (${waiting.reason})`);
  return Array.from(`  ${parts.join("   ")}`)
    .slice(0, width - 1)
    .join("");
}

/** A bar only where the source told how long its list is: an estimate, so it never claims more than all of it. */
function howFar(done: number, listSize: number | undefined): string {
  if (listSize === undefined || listSize <= 0) return `${count(done)} records`;
  const share = Math.min(1, done / listSize);
  const full = Math.round(share * BAR);
  return `${"█".repeat(full)}${"░".repeat(BAR - full)}  ${count(done)} of ${count(listSize)}`;
}
