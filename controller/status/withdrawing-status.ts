import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { boundedText, wholeSeconds } from "../bounded-text.js";
import type { Condition, LiveSource } from "../object.js";
import { withinBounds } from "./bounds.js";
import type { conditionReasons, SummaryWord } from "./vocabulary.js";

const summary: SummaryWord = "Withdrawing";
const reason: (typeof conditionReasons)["Ready"][number] = "BeingRemoved";
const MAX_MESSAGE = 1_024;

/** The status of a source that was deleted and waits for its records to be withdrawn: what it was, and what it waits for. */
export function withdrawingStatus(source: LiveSource, message: string, now: Date): HarvestSourceStatus {
  const { conditions = [], ...status } = source.status ?? {};
  const before = conditions.find(({ type }) => type === "Ready");
  const ready: Condition = {
    ...{ type: "Ready", status: "False", reason, message: boundedText(message, MAX_MESSAGE) },
    lastTransitionTime: before?.status === "False" ? before.lastTransitionTime : wholeSeconds(now),
    observedGeneration: source.metadata.generation,
  };
  const others = conditions.filter(({ type }) => type !== "Ready");
  return withinBounds({ ...status, nextRunTime: undefined, conditions: [ready, ...others], summary });
}
