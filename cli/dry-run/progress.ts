import type { RunEvent } from "../../harvester/report/events.js";
import { dryRunProgressLine } from "../format/dry-run.js";
import { startLiveLine } from "../live-line.js";

export interface TrialProgress {
  onBegin(source: string): void;
  onEvent(event: RunEvent): void;
  onEnd(source: string): void;
  /** Wipes the line. */
  end(): void;
}

/** One line for all sources, on a terminal only; `quiet` where log lines go to the same stream. */
export function trialProgress(sources: number, quiet: boolean): TrialProgress {
  const started = Date.now();
  const names = new Set<string>();
  let [done, read, refused] = [0, 0, 0];
  const line = quiet
    ? undefined
    : startLiveLine(() => {
        const elapsedSeconds = (Date.now() - started) / 1000;
        return dryRunProgressLine({ done, sources, names: [...names], read, refused, elapsedSeconds });
      });
  return {
    onBegin: (source) => void names.add(source),
    onEvent(event) {
      if (event.kind !== "committed") return;
      read += event.read;
      refused += event.refused.length;
    },
    onEnd(source) {
      names.delete(source);
      done += 1;
    },
    end: () => line?.end(),
  };
}
