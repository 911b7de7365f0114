/** What one look at a source leads to: writes, and the facts its status is decided from. Reads nothing, writes nothing. */
import type { HarvestSourceStatus } from "../source/harvest-source.generated.js";
import { nextRuns, parseCron } from "../source/cron.js";
import { revertObject } from "./drift/revert-object.js";
import { sourceDrift, type SourceDrift } from "./drift/source-drift.js";
import { located } from "./located.js";
import { gitManager, requestedJobName } from "./names.js";
import type { KubeObject, LiveSource } from "./object.js";
import type { Observed } from "./observed.js";
import { oncePerVersion } from "./once-per-version.js";
import { accept, type Acceptance } from "./plan/accept.js";
import { planBrake } from "./plan/brake.js";
import { planChildren } from "./plan/children.js";
import { planFinalizer } from "./plan/removal.js";
import { decideRequest, type RequestDecision } from "./plan/requested.js";
import type { Step } from "./plan/step.js";
import { planSuperseded } from "./plan/superseded.js";
import { hashOf } from "./render/child-object.js";
import { renderChildren, type Children } from "./render/render-children.js";
import type { RenderInput } from "./render/render-input.js";
import { renderRequestedJob } from "./render/harvest-job.js";
import { resources } from "./resources.js";
import type { RunsRead } from "./run.js";
import { readRuns } from "./runs/read-runs.js";
import type { Settings } from "./settings.js";
import { pauseOf, requestOf } from "./status/brakes.js";
import type { Pause } from "./status/input.js";

export interface Plan {
  readonly steps: readonly Step[];
  readonly acceptance: Acceptance;
  /** Absent when the source cannot be rendered. */
  readonly children?: Children;
  /** What keeps a child from its place although every write may succeed. */
  readonly trouble?: string;
  readonly runs: RunsRead;
  readonly paused?: Pause;
  readonly drift: SourceDrift;
  readonly delivery?: HarvestSourceStatus["delivery"];
  readonly request: RequestDecision;
  readonly nextRunTime?: string;
}

/** One look at a source that is not being removed. */
export function plan(observed: Observed, settings: Settings, now: Date): Plan {
  const { source, delivered } = observed;
  const { annotations } = source.metadata;
  const acceptance = accept(observed, settings.render, now);
  const paused = pauseOf(annotations, now);
  const runs = readRuns({ jobs: observed.jobs, pods: observed.pods, status: source.status, now });
  const drift = sourceDrift({ live: source, delivered, settings: settings.drift, now });
  const suspended = source.spec.suspend || paused !== undefined;
  const asked = requestOf(annotations, source.status)?.value;
  const request = decideRequest({
    value: asked,
    started: asked !== undefined && observed.jobs.some(isRequestedJob(source, asked)),
    held: heldBecause(acceptance, paused, source.spec.suspend),
    active: runs.active,
  });
  const facts = { acceptance, paused, runs, drift, request };
  if (acceptance.kind === "stalled") {
    const steps = [
      ...planFinalizer(source),
      ...planRevert(observed, drift),
      ...planBrake(observed, suspended),
    ];
    return { ...facts, steps, ...keptDelivery(drift, undefined) };
  }
  const input = { source, bundle: acceptance.bundle, settings: settings.render, suspended };
  const children = childrenOf(input);
  return {
    ...facts,
    children,
    ...keptDelivery(drift, children),
    ...(!suspended && { nextRunTime: nextRunOf(children, source.spec.timeZone, now) }),
    ...planAccepted({ observed, input, children, facts }),
  };
}

const once = oncePerVersion<Children>();

function childrenOf(input: RenderInput): Children {
  const { source, bundle, settings, suspended } = input;
  const of = [located(source), bundle.name, bundle.digest, settings, suspended];
  return once({ uid: source.metadata.uid, of }, () => renderChildren(input));
}

interface Accepted {
  readonly observed: Observed;
  readonly input: RenderInput;
  readonly children: Children;
  readonly facts: Pick<Plan, "runs" | "drift" | "request">;
}

/** What was changed by hand and is put back is not rendered first: no run ever sees it. */
function planAccepted({ observed, input, children, facts }: Accepted): Pick<Plan, "steps" | "trouble"> {
  const { drift, runs, request } = facts;
  const revert = planRevert(observed, drift);
  if (revert.length > 0) return { steps: revert };
  const { steps, trouble } = planChildren(observed, children);
  const names = [
    children.configMap.metadata.name,
    drift.kind === "untracked" ? undefined : drift.delivery.configMapName,
  ];
  return {
    steps: [
      ...planFinalizer(observed.source),
      ...steps,
      ...planRun(request, input),
      ...planSuperseded(observed, { names, activeRuns: runs.active.length }),
    ],
    ...(trouble !== undefined && { trouble }),
  };
}

function planRevert({ source, delivered }: Observed, drift: SourceDrift): readonly Step[] {
  if (drift.kind !== "drifted" || drift.action !== "revert" || delivered === undefined) return [];
  const manager = drift.delivery.manager ?? gitManager;
  const object = revertObject(source, delivered.spec, manager);
  return [{ kind: "revert", object, manager, sentence: drift.sentence }];
}

function isRequestedJob({ metadata }: LiveSource, asked: string): (job: KubeObject) => boolean {
  const name = requestedJobName(metadata.name, hashOf(asked));
  return (job) => job.metadata.name === name;
}

function planRun(request: RequestDecision, input: RenderInput): readonly Step[] {
  if (request.kind !== "run") return [];
  return [{ kind: "create", resource: resources.job, object: renderRequestedJob(input, request.value) }];
}

function heldBecause(
  acceptance: Acceptance,
  paused: Pause | undefined,
  suspended: boolean,
): string | undefined {
  if (acceptance.kind === "stalled") return acceptance.message;
  if (paused !== undefined) return `the source is paused ("${paused.reason}").`;
  return suspended ? "the source is suspended in its spec." : undefined;
}

/** What is live is what was delivered: the ConfigMap rendered from it is kept to compare with, and to go back to. */
function keptDelivery(drift: SourceDrift, children: Children | undefined): Pick<Plan, "delivery"> {
  if (drift.kind === "untracked") return {};
  if (drift.kind === "drifted" || children === undefined) return { delivery: drift.delivery };
  return { delivery: { ...drift.delivery, configMapName: children.configMap.metadata.name } };
}

function nextRunOf({ schedule }: Children, timeZone: string, now: Date): string | undefined {
  const cron = parseCron(schedule.schedule);
  if (cron.kind === "problem") return undefined;
  const [next] = nextRuns({ cron, timeZone, now }, 1);
  return next === undefined ? undefined : `${next.toISOString().slice(0, 19)}Z`;
}
