/** Runs for the leadership until the signal, and leads once elected. */
import { electionSettingsProblem } from "./check-settings.js";
import type { Election, ElectionOptions } from "./election.js";
import { Elector } from "./elector.js";

/** Throws when the times of the settings could let two lead at once. */
export function runElection(options: ElectionOptions, signal: AbortSignal): Election {
  const problem = electionSettingsProblem(options.settings);
  if (problem !== undefined) throw new Error(problem);
  const elector = new Elector(options);
  if (signal.aborted) elector.stop();
  else
    signal.addEventListener(
      "abort",
      () => {
        elector.stop();
      },
      { once: true },
    );
  return { ended: elector.run(), status: () => elector.status() };
}
