/** Clocks and dice of a run that is recorded, and of its replay: the same dice fall, and no time passes. */
import { createHash } from "node:crypto";
import { systemClock } from "../../harvester/assemble.js";
import type { Clock } from "../../harvester/run/run.js";

export interface RecordingClock extends Clock {
  /** What the first `now()` gives: when the run began. */
  readonly startedAt: Date;
  /** Milliseconds since then. */
  elapsed(): number;
}

export function recordingClock(seed: number, source: string): RecordingClock {
  const startedAt = new Date();
  let begun = false;
  return {
    startedAt,
    elapsed: () => Math.max(0, Date.now() - startedAt.getTime()),
    now() {
      if (begun) return systemClock.now();
      begun = true;
      return startedAt;
    },
    sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
    random: dice(seed, source),
  };
}

export interface PlayingClock extends Clock {
  /** The recorded run had got so far, in ms after its beginning. */
  reach(milliseconds: number): void;
}

/** Stands still but for what was recorded and what is slept; a sleep takes no time. */
export function playingClock(startedAt: string, seed: number, source: string): PlayingClock {
  const start = Date.parse(startedAt);
  let passed = 0;
  return {
    reach(milliseconds) {
      passed = Math.max(passed, milliseconds);
    },
    now: () => new Date(start + passed),
    sleep(milliseconds, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      passed += milliseconds;
      return Promise.resolve();
    },
    random: dice(seed, source),
  };
}

/** One row of numbers a source, whatever runs beside it. */
function dice(seed: number, source: string): () => number {
  let thrown = 0;
  return () => {
    thrown += 1;
    const digest = createHash("sha256")
      .update(`${String(seed)} ${source} ${String(thrown)}`)
      .digest();
    return digest.readUInt32BE(0) / 2 ** 32;
  };
}
