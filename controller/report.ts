/** What a pass leaves for people: status, events, log lines and counts. The status is written only when it says something new. */
import type { HarvestSourceStatus } from "../source/harvest-source.generated.js";
import type { Api, ApiFault } from "./api.js";
import { manager } from "./names.js";
import { keyOf, type KubeObject, type LiveSource } from "./object.js";
import type { Observed } from "./observed.js";
import { isOutdated } from "./outdated.js";
import type { Plan } from "./plan.js";
import type { Step } from "./plan/step.js";
import type { RecentWrites } from "./recent-writes.js";
import { resources } from "./resources.js";
import type { FinishedRun } from "./run.js";
import type { Settings } from "./settings.js";
import { decideStatus } from "./status/decide-status.js";
import { eventsOf, type StatusEvent } from "./status/events-of.js";
import type { StatusInput } from "./status/input.js";
import { sameStatus } from "./status/same-status.js";
import { wakeAt } from "./status/wake-at.js";

export interface EventNote {
  readonly type: "Normal" | "Warning";
  /** CamelCase. */
  readonly reason: string;
  readonly message: string;
}

export interface ReportContext {
  readonly api: Api;
  readonly writes: RecentWrites;
  readonly settings: Settings;
  recordEvent(source: KubeObject, note: EventNote): void;
  onStep(source: LiveSource, step: Step): void;
  onRuns(source: LiveSource, runs: readonly FinishedRun[]): void;
  /** Drift that is only told, once for each. */
  onDrift(source: LiveSource): void;
}

export interface Pass {
  readonly observed: Observed;
  readonly planned: Plan;
  /** The write the server refused; absent = everything was carried out. */
  readonly fault: ApiFault | undefined;
  readonly now: Date;
}

/** Answers when time alone will change what the status says. */
export async function report(
  pass: Pass,
  context: ReportContext,
): Promise<{ readonly afterMs: number } | undefined> {
  const { source } = pass.observed;
  const { runs } = pass.planned;
  const input = statusInput(pass, context.settings);
  const next = decideStatus(input);
  if (!sameStatus(source.status, next)) {
    // Before steps it was asked already.
    if (pass.planned.steps.length === 0 && (await isOutdated(source, context))) return { afterMs: 0 };
    await writeStatus(source, next, context);
    for (const note of notesOf(pass, next)) context.recordEvent(source, note);
    if (runs.finished.length > 0) context.onRuns(source, runs.finished);
    if (isNewWarning(pass, next)) context.onDrift(source);
  }
  const wake = wakeAt(input, next);
  return wake === undefined ? undefined : { afterMs: wake.getTime() - pass.now.getTime() };
}

function isNewWarning({ observed, planned }: Pass, next: HarvestSourceStatus): boolean {
  const { drift } = planned;
  const isNew = observed.source.status?.drift === undefined && next.drift !== undefined;
  return isNew && drift.kind === "drifted" && drift.action === "warn";
}

/** A request that was refused is not told as one that was taken up. */
function notesOf({ observed, planned }: Pass, next: HarvestSourceStatus): readonly EventNote[] {
  const { runs, request } = planned;
  const notes = eventsOf(observed.source.status, next, runs.finished);
  if (request.kind !== "refuse") return notes;
  const refused: StatusEvent = { type: "Warning", reason: "RequestRefused", message: request.sentence };
  return notes.map((note) => (note.reason === "RequestHandled" ? refused : note));
}

function statusInput({ observed, planned, fault, now }: Pass, settings: Settings): StatusInput {
  const { acceptance, children, request, drift, ...given } = planned;
  const handled = request.kind === "run" || request.kind === "refuse" ? request.value : undefined;
  return {
    source: observed.source,
    now,
    verdict: verdictOf(acceptance, children, given.trouble ?? fault?.message),
    runs: given.runs,
    freshIntervals: settings.freshIntervals,
    paused: given.paused,
    ...driftInput(observed.source, drift, now),
    delivery: given.delivery,
    handledRequestedAt: fault === undefined ? handled : undefined,
    nextRunTime: given.nextRunTime,
  };
}

function verdictOf(
  acceptance: Plan["acceptance"],
  children: Plan["children"],
  trouble: string | undefined,
): StatusInput["verdict"] {
  if (acceptance.kind === "stalled" || children === undefined)
    return acceptance.kind === "stalled"
      ? acceptance
      : { kind: "stalled", reason: "NotRendered", message: "The source could not be rendered." };
  return {
    kind: "accepted",
    installed: children.schedule,
    bundle: acceptance.bundle,
    childrenInPlace: trouble === undefined,
    ...(trouble !== undefined && { childTrouble: trouble }),
  };
}

/** Switched off, nothing is said: neither that it differs nor that it does not. */
function driftInput(
  source: LiveSource,
  drift: Plan["drift"],
  now: Date,
): Pick<StatusInput, "drift" | "driftUntold"> {
  if (drift.kind !== "drifted") return {};
  return drift.action === "off" ? { driftUntold: true } : { drift: driftStatus(source, drift, now) };
}

function driftStatus(
  { status }: LiveSource,
  drift: Extract<Plan["drift"], { readonly kind: "drifted" }>,
  now: Date,
): NonNullable<HarvestSourceStatus["drift"]> {
  const { manager: by, time, fields, moreFields } = drift;
  return {
    ...(by !== undefined && { manager: by }),
    ...(time !== undefined && { time }),
    since: status?.drift?.since ?? `${now.toISOString().slice(0, 19)}Z`,
    fields,
    ...(moreFields > 0 && { moreFields }),
  };
}

export async function writeStatus(
  source: LiveSource,
  status: HarvestSourceStatus,
  { api, writes }: Pick<ReportContext, "api" | "writes">,
): Promise<void> {
  const { name, namespace, uid } = source.metadata;
  const object: KubeObject = {
    apiVersion: source.apiVersion,
    kind: source.kind,
    // With the uid, so that a source made anew under the same name never gets this one's past.
    metadata: { name, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) },
    status,
  };
  const options = { manager, force: true, subresource: "status" } as const;
  const written = await api.apply(resources.harvestSource, object, options);
  writes.remember(resources.harvestSource, written);
  const others = fieldsOfOthers(written["status"] as HarvestSourceStatus | undefined, status);
  if (others.length === 0) return;
  // What somebody else wrote into it is not ours to an apply: it would stay, and be tried anew with every pass.
  const { resourceVersion } = written.metadata;
  await api.patch(resources.harvestSource, keyOf(source), {
    body: { metadata: { resourceVersion }, status: Object.fromEntries(others.map((field) => [field, null])) },
    type: "application/merge-patch+json",
    manager,
    subresource: "status",
  });
  writes.remember(resources.harvestSource, await api.apply(resources.harvestSource, object, options));
}

function fieldsOfOthers(
  written: HarvestSourceStatus = {},
  said: HarvestSourceStatus,
): readonly (keyof HarvestSourceStatus)[] {
  const fields = Object.keys(written) as (keyof HarvestSourceStatus)[];
  return fields.filter((field) => !sameStatus({ [field]: written[field] }, { [field]: said[field] }));
}
