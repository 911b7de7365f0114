import type { Facts } from "./facts.js";
import type { Pause } from "./input.js";
import type { Saying } from "./vocabulary.js";

/** There only while the source is held: by the reviewed spec.suspend, by an annotation, or by both. */
export function pausedCondition({ input: { source, paused } }: Facts): Saying<"Paused"> | undefined {
  const annotation = paused === undefined ? [] : [pauseSentence(paused)];
  if (source.spec.suspend)
    return {
      status: "True",
      reason: "SuspendedInSpec",
      message: ["spec.suspend is true.", ...annotation].join(" "),
    };
  if (paused === undefined) return undefined;
  return { status: "True", reason: "PausedByAnnotation", message: annotation.join(" ") };
}

function pauseSentence({ reason, until, problem }: Pause): string {
  const end = until === undefined ? "until the annotation is taken off" : `until ${until}`;
  return `Paused by annotation ${end}: ${reason}${problem === undefined ? "" : ` (${problem})`}`;
}
