/** Inputs the tests of this room begin with; each changes what it is about. */
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import { parseManifests } from "../../source/parse.js";
import type { LiveSource } from "../object.js";
import type { FinishedRun, RunsRead } from "../run.js";
import type { StatusInput, Verdict } from "./input.js";

export const noRuns: RunsRead = { finished: [], active: [] };

export const acceptedVerdict: Verdict & { kind: "accepted" } = {
  kind: "accepted",
  installed: { schedule: "0 */6 * * *", offsetMinutes: 0 },
  bundle: { name: "policy-1", digest: "abc" },
  childrenInPlace: true,
};

/** Created on 2026-11-29 at midnight, generation 3, every six hours. */
export function liveSource(status?: HarvestSourceStatus, spec: object = {}): LiveSource {
  const manifest = {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { name: "county", namespace: "geo" },
    spec: {
      baseUrl: "https://gis.example.gov/oai",
      metadataPrefix: "iso19139",
      schedule: "0 */6 * * *",
      ...spec,
    },
  };
  const [found] = parseManifests(JSON.stringify(manifest), { file: "county.yaml", named: true }).sources;
  if (found === undefined) throw new Error("The manifest of the tests is wrong.");
  return {
    ...found.source,
    metadata: {
      name: "county",
      namespace: "geo",
      uid: "u1",
      generation: 3,
      creationTimestamp: "2026-11-29T00:00:00Z",
    },
    status,
  } as LiveSource;
}

/** At noon of 2026-11-30, nothing to tell. */
export function statusInput(changes: Partial<StatusInput> = {}): StatusInput {
  return {
    source: liveSource(),
    now: new Date("2026-11-30T12:00:00Z"),
    verdict: acceptedVerdict,
    runs: noRuns,
    freshIntervals: 2,
    ...changes,
  };
}

/** A complete run that ended at 06:05. */
export function finishedRun(changes: Partial<FinishedRun> = {}): FinishedRun {
  return {
    jobName: "harvest-county-1",
    jobUid: "j1",
    requested: false,
    startTime: "2026-11-30T06:00:01Z",
    endTime: "2026-11-30T06:05:00Z",
    outcome: "complete",
    exitCode: 0,
    message: "All records of all windows were read.",
    cursors: [],
    warnings: [],
    ...changes,
  };
}
