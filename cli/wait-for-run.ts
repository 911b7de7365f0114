import { setTimeout as wait } from "node:timers/promises";
import type { Api } from "../controller/api.js";
import { requestedJobName } from "../controller/names.js";
import { splitKey, type Key, type LiveSource } from "../controller/object.js";
import { hashOf } from "../controller/render/child-object.js";
import { resources } from "../controller/resources.js";
import { Fault } from "../harvester/fault.js";

export interface RequestedRun {
  readonly source: Key;
  readonly requestedAt: string;
  readonly jobName?: string;
  /** complete, partial, failed, refused, interrupted; not-started = the controller refused it (see the source's events). */
  readonly outcome?: string;
  readonly message?: string;
}

export interface RunWish {
  readonly key: Key;
  readonly requestedAt: string;
  readonly timeoutSeconds: number;
}

const POLL_MS = 1000;

/** Waits until the status tells the end of the run asked for. Throws Fault `transient` after the time allowed. */
export async function waitForRun(
  api: Api,
  { key, requestedAt, timeoutSeconds }: RunWish,
): Promise<{ readonly live: LiveSource; readonly result: RequestedRun }> {
  const jobName = requestedJobName(splitKey(key).name, hashOf(requestedAt));
  const end = Date.now() + timeoutSeconds * 1000;
  let handled = false;
  while (Date.now() < end) {
    const live = (await api.get(resources.harvestSource, key)) as LiveSource | undefined;
    if (live === undefined) throw gone(key);
    handled = live.status?.lastHandledRequestedAt === requestedAt;
    const run = endOf(live, { jobName, requestedAt });
    if (run !== undefined) return { live, result: { source: key, requestedAt, ...run } };
    await wait(POLL_MS);
  }
  throw handled ? notEnded(key, timeoutSeconds) : notTakenUp(key, timeoutSeconds);
}

function notEnded(key: Key, seconds: number): Fault {
  const { name } = splitKey(key);
  return new Fault("transient", {
    code: "RunNotEnded",
    sentence: `The run asked for did not end within ${String(seconds)} s.`,
    remedy: `It goes on: harvestctl get ${name} and harvestctl logs ${name} show how it is doing.`,
  });
}

/** Another run of the source is on its way, or no controller is at work. */
function notTakenUp(key: Key, seconds: number): Fault {
  return new Fault("transient", {
    code: "RequestNotTakenUp",
    sentence: `No run was started within ${String(seconds)} s; the request stands.`,
    remedy: `harvestctl get ${splitKey(key).name} shows whether another run is on its way; if none is, look whether the controller runs (kubectl get pods -A -l app.kubernetes.io/name=harvest-controller).`,
  });
}

type Ended = Pick<RequestedRun, "jobName" | "outcome" | "message">;

function endOf(
  { status = {} }: LiveSource,
  { jobName, requestedAt }: { readonly jobName: string; readonly requestedAt: string },
): Ended | undefined {
  const { lastRun, lastHandledRequestedAt } = status;
  if (lastRun?.jobName === jobName) return { jobName, outcome: lastRun.outcome, message: lastRun.message };
  return lastHandledRequestedAt === requestedAt && (status.activeRuns ?? 0) === 0
    ? heldEnd(status)
    : undefined;
}

/** The controller saw the wish and did not start the run. */
function heldEnd({ conditions = [] }: NonNullable<LiveSource["status"]>): Ended | undefined {
  const held = conditions.find(({ type }) => type === "Paused" || type === "Stalled");
  return held === undefined ? undefined : { outcome: "not-started", message: held.message };
}

function gone(key: Key): Fault {
  return new Fault("config", {
    code: "NoSuchSource",
    sentence: `HarvestSource ${key} was removed while its run was waited for.`,
    remedy: "Nothing is left to wait for.",
  });
}
