/**
 * What those who wait for a HarvestSource make of the statuses the controller writes: kstatus (Flux, kubectl, cli-utils) in
 * its order of judgement, and the health script for Argo CD.
 */
import { describe, expect, it } from "vitest";
import type { LiveSource } from "../../controller/object.js";
import { decideStatus } from "../../controller/status/decide-status.js";
import type { StatusInput } from "../../controller/status/input.js";
import {
  acceptedVerdict,
  finishedRun,
  liveSource,
  statusInput,
} from "../../controller/status/inputs-for-tests.js";
import { findLua, runLua } from "../setup/lua.js";
import { readFile } from "./overlays.js";

const lua = findLua();
const script = readFile(
  "manifests/argocd/resource_customizations/ingest.geoportal.io/HarvestSource/health.lua",
);

type KStatus = "Terminating" | "InProgress" | "Failed" | "Current";

/** kstatus, by its README: deletion, then generation, then Reconciling, then Stalled, then Ready; else it is current. */
function kstatus({ metadata, status = {} }: LiveSource): KStatus {
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  const { observedGeneration, conditions = [] } = status;
  if (observedGeneration !== undefined && observedGeneration !== metadata.generation) return "InProgress";
  const holds = (type: string, wanted: string): boolean =>
    conditions.some((condition) => condition.type === type && condition.status === wanted);
  if (holds("Reconciling", "True")) return "InProgress";
  if (holds("Stalled", "True")) return "Failed";
  return holds("Ready", "False") || holds("Ready", "Unknown") ? "InProgress" : "Current";
}

const stalled = {
  kind: "stalled",
  reason: "ScheduleNeverRuns",
  message: "There is no 31 February: this source would never be harvested.",
} as const;
const down = finishedRun({
  outcome: "failed",
  exitCode: 69,
  code: "Unavailable",
  message: "503 Service Unavailable, 5 attempts.",
});

interface Case {
  readonly name: string;
  readonly given: Partial<StatusInput>;
  readonly kstatus: KStatus;
  readonly argo: string;
}

const cases: readonly Case[] = [
  { name: "accepted and scheduled", given: {}, kstatus: "Current", argo: "Healthy" },
  {
    name: "a complete run",
    given: { runs: { finished: [finishedRun()], active: [] } },
    kstatus: "Current",
    argo: "Healthy",
  },
  {
    name: "an agency that is down: no rollout waits for it",
    given: { runs: { finished: [down], active: [] }, now: new Date("2026-12-09T12:00:00Z") },
    kstatus: "Current",
    argo: "Healthy",
  },
  {
    name: "children that are being written",
    given: { verdict: { ...acceptedVerdict, childrenInPlace: false } },
    kstatus: "InProgress",
    argo: "Progressing",
  },
  {
    name: "children that cannot be written",
    given: {
      verdict: {
        ...acceptedVerdict,
        childrenInPlace: false,
        childTrouble: "Somebody else has one of that name.",
      },
    },
    kstatus: "InProgress",
    argo: "Progressing",
  },
  {
    name: "a manifest that cannot be used: waiting ends at once",
    given: { verdict: stalled },
    kstatus: "Failed",
    argo: "Degraded",
  },
  {
    name: "a manifest that cannot be used, new",
    given: { verdict: stalled, source: liveSource({ observedGeneration: -1 }) },
    kstatus: "Failed",
    argo: "Degraded",
  },
  {
    name: "the brake",
    given: { paused: { reason: "the agency moves its servers" } },
    kstatus: "Current",
    argo: "Suspended",
  },
  {
    name: "a reviewed pause",
    given: { source: liveSource(undefined, { suspend: true }) },
    kstatus: "Current",
    argo: "Suspended",
  },
];

function statusOf(given: Partial<StatusInput>): LiveSource {
  const input = statusInput(given);
  return { ...input.source, status: JSON.parse(JSON.stringify(decideStatus(input))) as LiveSource["status"] };
}

describe("a status the controller writes", () => {
  it.each(cases)("is for kstatus: $name", (one) => {
    expect(kstatus(statusOf(one.given))).toBe(one.kstatus);
  });

  it.skipIf(lua === undefined).each(cases)("is for Argo CD: $name", (one) => {
    expect(runLua(lua!, script, statusOf(one.given))).toMatchObject({ status: one.argo });
  });

  const later = (live: LiveSource): LiveSource => ({
    ...live,
    metadata: { ...live.metadata, generation: 4 },
  });
  it.each(cases)("says nothing of the next version yet: $name", (one) => {
    expect(kstatus(later(statusOf(one.given)))).toBe("InProgress");
  });

  it("is not waited for when the definition has just filled in its default", () => {
    expect(kstatus(liveSource({ observedGeneration: -1 }))).toBe("InProgress");
  });
});
