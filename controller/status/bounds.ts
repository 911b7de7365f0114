import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { boundedText } from "../bounded-text.js";

/** maxLength of the CRD, where a text may come from outside; a status with a longer one would be refused whole. */
const MAX = {
  runId: 64,
  jobName: 63,
  code: 64,
  message: 4_096,
  remedy: 4_096,
  policyDigest: 128,
  bundleName: 253,
  bundleDigest: 64,
  schedule: 128,
  requestedAt: 256,
  manager: 128,
  revision: 256,
  contentHash: 80,
  configMapName: 253,
  field: 512,
  fields: 32,
} as const;

export const MAX_REQUEST = MAX.requestedAt;

/** The status as the CRD takes it: texts cut, lists cut, and nothing undefined in it. */
export function withinBounds(status: HarvestSourceStatus): HarvestSourceStatus {
  return defined({
    ...status,
    lastRun: status.lastRun && boundedRun(status.lastRun),
    policyDigest: cut(status.policyDigest, MAX.policyDigest),
    policyBundle: status.policyBundle && {
      name: cut(status.policyBundle.name, MAX.bundleName),
      digest: cut(status.policyBundle.digest, MAX.bundleDigest),
    },
    installedSchedule: cut(status.installedSchedule, MAX.schedule),
    lastHandledRequestedAt: cut(status.lastHandledRequestedAt, MAX.requestedAt),
    delivery: status.delivery && boundedDelivery(status.delivery),
    drift: status.drift && boundedDrift(status.drift),
  });
}

function boundedRun(run: NonNullable<HarvestSourceStatus["lastRun"]>): HarvestSourceStatus["lastRun"] {
  return {
    ...run,
    runId: cut(run.runId, MAX.runId),
    jobName: cut(run.jobName, MAX.jobName),
    code: cut(run.code, MAX.code),
    message: cut(run.message, MAX.message),
    remedy: cut(run.remedy, MAX.remedy),
  };
}

function boundedDelivery(
  delivery: NonNullable<HarvestSourceStatus["delivery"]>,
): HarvestSourceStatus["delivery"] {
  return {
    ...delivery,
    manager: cut(delivery.manager, MAX.manager),
    revision: cut(delivery.revision, MAX.revision),
    contentHash: cut(delivery.contentHash, MAX.contentHash),
    configMapName: cut(delivery.configMapName, MAX.configMapName),
  };
}

/** Two fields with one path would be refused, because the list has keys: the first stays. */
function boundedDrift(drift: NonNullable<HarvestSourceStatus["drift"]>): HarvestSourceStatus["drift"] {
  const all = (drift.fields ?? []).map(({ field, delivered, live }) => ({
    field: boundedText(field, MAX.field),
    delivered: cut(delivered, MAX.field),
    live: cut(live, MAX.field),
  }));
  const distinct = [...new Map(all.toReversed().map((one) => [one.field, one])).values()].toReversed();
  const fields = distinct.slice(0, MAX.fields);
  const more = (drift.moreFields ?? 0) + distinct.length - fields.length;
  return {
    ...drift,
    manager: cut(drift.manager, MAX.manager),
    fields: drift.fields && fields,
    moreFields: more === 0 ? undefined : more,
  };
}

function cut(text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : boundedText(text, max);
}

/** Without members that are undefined, all the way down: what is absent is not written. */
function defined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(defined) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, defined<unknown>(one)])) as T;
}
