import { createHash } from "node:crypto";
import { shiftsOf } from "./cron.js";
import type { HarvestSourceSpec } from "./harvest-source.generated.js";

export interface Spread {
  /** What the CronJob gets: the schedule as written, or one with every run `offsetMinutes` later. */
  readonly schedule: string;
  readonly offsetMinutes: number;
}

/** What a source's place in the window depends on. The namespace does not, so that lint, which rarely knows it, says the same. */
interface SpreadSource {
  readonly metadata: { readonly name: string };
  readonly spec: Pick<HarvestSourceSpec, "schedule" | "scheduleSpreadMinutes">;
}

/**
 * Spreads sources with one schedule over spec.scheduleSpreadMinutes: each has a stable offset, 0 <= offset < width, taken
 * from the hash of its name. An offset that no single five-field schedule can express exactly (shiftSchedule) gives way
 * to one of those in the window that can be, again chosen by the hash; there always is one: 0, the schedule as written.
 */
export function spreadSchedule({ metadata, spec }: SpreadSource): Spread {
  const { schedule, scheduleSpreadMinutes: width } = spec;
  if (width < 2) return { schedule, offsetMinutes: 0 };
  const digest = createHash("sha256").update(metadata.name).digest();
  const wanted = digest.readUInt32BE(0) % width;
  const shift = shiftsOf(schedule);
  const shifted = shift(wanted);
  if (shifted !== undefined) return { schedule: shifted, offsetMinutes: wanted };
  const possible = Array.from({ length: width }, (_, minutes) => minutes).flatMap((offsetMinutes) => {
    const each = shift(offsetMinutes);
    return each === undefined ? [] : [{ schedule: each, offsetMinutes }];
  });
  return possible[digest.readUInt32BE(4) % possible.length] ?? { schedule, offsetMinutes: 0 };
}
