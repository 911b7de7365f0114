/** What the loop does, told to people: log lines, events, counts. One place, so that all three say the same. */
import type { Who } from "./cluster/reflector-set.js";
import type { ReflectorNote } from "./cluster/reflector-state.js";
import type { EventRecorder } from "./events/event-recorder.js";
import type { Log } from "./log.js";
import type { LoopOptions } from "./loop.js";
import type { Metrics } from "./metrics/metrics.js";
import { keyOf, type LiveSource } from "./object.js";
import type { Step } from "./plan/step.js";
import type { HandledKey } from "./queue/work-queue.js";
import type { StoreName } from "./stores.js";

export interface Ears {
  readonly log: Log;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
}

type Heard = Pick<LoopOptions, "recordEvent" | "onStep" | "onRuns" | "onDrift" | "onReflector" | "hooks">;

export function observe(ears: Ears): Heard {
  const { log, events, metrics } = ears;
  return {
    recordEvent: (object, note) => {
      log.info(note.message, { source: keyOf(object), event: note.reason });
      events.record({ object, ...note });
    },
    onStep: (source, step) => {
      tellStep(source, step, ears);
    },
    onRuns: (source, runs) => {
      for (const run of runs) {
        metrics.run(run);
        log.info(`A run ended: ${run.outcome}. ${run.message}`, { source: keyOf(source), job: run.jobName });
      }
    },
    onDrift: () => {
      metrics.drift("warn");
    },
    onReflector: (who, note) => {
      tellReflector(who, note, log);
    },
    hooks: {
      ...metrics.queueHooks,
      worked: (work) => {
        metrics.queueHooks.worked(work);
        tellWork(work, log);
      },
    },
  };
}

function tellStep(source: LiveSource, step: Step, { log, events, metrics }: Ears): void {
  log.info(`${step.kind} ${subjectOf(step)}`, {
    source: keyOf(source),
    ...("why" in step && { why: step.why }),
    ...("sentence" in step && step.sentence !== undefined && { detail: step.sentence }),
  });
  if (step.kind === "apply" && step.why === "repair") {
    metrics.childRepaired(step.resource.kind);
    events.record({
      object: source,
      type: "Warning",
      reason: "ChildRepaired",
      message: `${step.sentence ?? subjectOf(step)} It was put back as the source says.`,
    });
  }
  if (step.kind === "revert") {
    metrics.drift("revert");
    events.record({ object: source, type: "Warning", reason: "DriftReverted", message: step.sentence });
  }
}

function subjectOf(step: Step): string {
  switch (step.kind) {
    case "apply":
    case "create":
      return `${step.object.kind} ${keyOf(step.object)}`;
    case "revert":
      return keyOf(step.object);
    case "delete":
      return `${step.resource.kind} ${step.key}`;
    case "brake":
      return step.key;
    case "finalizer":
      return step.present ? "added" : "removed";
  }
}

function tellWork({ key, result, failures, error }: HandledKey, log: Log): void {
  if (result === "error")
    log.warn("A pass over a source failed; it is tried again.", { source: key, failures, error });
}

function tellReflector(who: Who<StoreName>, note: ReflectorNote, log: Log): void {
  const facts = { store: who.name, ...(who.namespace !== undefined && { namespace: who.namespace }) };
  if (note.kind === "listed" && note.first) log.info("Listed.", { ...facts, objects: note.objects });
  else if (note.kind === "callback-failed")
    log.error("A change could not be taken in.", { ...facts, ...note });
  else if (note.kind === "ended") tellEnd(facts, note, log);
}

/** In the order of things; anything else is for people to see. */
const USUAL = new Set(["closed", "relist-due", "expired"]);

function tellEnd(
  facts: Readonly<Record<string, unknown>>,
  { ended, next }: Extract<ReflectorNote, { readonly kind: "ended" }>,
  log: Log,
): void {
  const { detail = next.reason, what } = ended;
  const told = { ...facts, reason: next.reason, afterMs: next.afterMs };
  if (USUAL.has(next.reason)) log.debug(`A ${what} ended.`, told);
  else log.warn(`A ${what} failed and is begun again: ${detail}`, told);
}
