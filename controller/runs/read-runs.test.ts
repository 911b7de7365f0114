import { describe, expect, it } from "vitest";
import type { KubeObject } from "../object.js";
import { isFolded, readRuns } from "./read-runs.js";

const now = new Date("2026-11-30T12:00:00Z");

interface JobGiven {
  readonly name?: string;
  readonly role?: string;
  readonly end?: readonly [type: "Complete" | "Failed", time: string, reason?: string, message?: string];
  readonly status?: object;
  readonly spec?: object;
}

function job({
  name = "harvest-county-1",
  role = "scheduled",
  end,
  status,
  spec,
}: JobGiven = {}): KubeObject {
  const [type, time, reason, message] = end ?? [];
  const conditions = end && [{ type, status: "True", lastTransitionTime: time, reason, message }];
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      uid: `uid-${name}`,
      creationTimestamp: "2026-11-30T06:00:00Z",
      labels: { "ingest.geoportal.io/source": "county", "ingest.geoportal.io/role": role },
    },
    spec,
    status: { startTime: "2026-11-30T06:00:01Z", conditions, ...status },
  };
}

function pod(
  status: object,
  { of = "harvest-county-1", name = "p1", created = "2026-11-30T06:00:02Z" } = {},
) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      creationTimestamp: created,
      ownerReferences: [
        { apiVersion: "batch/v1", kind: "Job", name: of, uid: `uid-${of}`, controller: true },
      ],
      annotations: { "ingest.geoportal.io/policy-digest": "abc123" },
    },
    status,
  } satisfies KubeObject;
}

function ended(terminated: object, more: object = {}): object {
  return { phase: "Failed", containerStatuses: [{ name: "harvest", state: { terminated } }], ...more };
}

function waits(reason: string, message?: string): object {
  return {
    phase: "Pending",
    containerStatuses: [{ name: "harvest", state: { waiting: { reason, message } } }],
  };
}

const complete = {
  runId: "01JDRUN",
  source: "county",
  endpoint: "https://gis.example.gov/oai",
  prefix: "iso19139",
  outcome: "complete",
  exitCode: 0,
  message: "All records of all windows were read.",
  counts: {
    requests: 3,
    bytes: 900,
    read: 10,
    inserted: 1,
    updated: 2,
    withdrawn: 0,
    unchanged: 7,
    quarantined: 0,
  },
  totals: { records: 310, quarantined: 4 },
  watermarks: [{ set: "", before: "2026-11-30T00:00:01Z", after: "2026-11-30T06:00:04Z" }],
  policyDigest: "sha256:d1",
  warnings: [{ code: "granularity", sentence: "Days only.", times: 2 }],
};

const oldEnd = ["Failed", "2026-11-30T06:09:00Z", "BackoffLimitExceeded"] as const;

describe("readRuns", () => {
  it("reads everything a complete run says of itself", () => {
    const text = JSON.stringify(complete);
    const read = readRuns({
      jobs: [job({ end: ["Complete", "2026-11-30T06:05:00Z"] })],
      pods: [pod(ended({ exitCode: 0, reason: "Completed", message: text }, { phase: "Succeeded" }))],
      status: undefined,
      now,
    });
    expect(read).toEqual({
      finished: [
        {
          jobName: "harvest-county-1",
          jobUid: "uid-harvest-county-1",
          requested: false,
          startTime: "2026-11-30T06:00:01Z",
          endTime: "2026-11-30T06:05:00Z",
          runId: "01JDRUN",
          outcome: "complete",
          exitCode: 0,
          message: "All records of all windows were read.",
          counts: { read: 10, inserted: 1, updated: 2, withdrawn: 0, unchanged: 7, quarantined: 0 },
          totals: { records: 310, quarantined: 4 },
          cursors: [{ set: "", before: "2026-11-30T00:00:01Z", after: "2026-11-30T06:00:04Z" }],
          endpoint: "https://gis.example.gov/oai",
          prefix: "iso19139",
          policyDigest: "sha256:d1",
          bundleDigest: "abc123",
          warnings: [{ code: "granularity", sentence: "Days only.", times: 2 }],
        },
      ],
      active: [],
      latestStart: "2026-11-30T06:00:01Z",
    });
  });

  const resource = "harvest-county-1";
  it.each([
    {
      name: "the run's own word before its exit code",
      status: ended({
        exitCode: 77,
        reason: "Error",
        message:
          '{"outcome":"partial","exitCode":77,"code":"ClientCertRejected","message":"Refused.","remedy":"Renew it."}',
      }),
      expect: {
        outcome: "partial",
        exitCode: 77,
        code: "ClientCertRejected",
        message: "Refused.",
        remedy: "Renew it.",
      },
    },
    {
      name: "an exit code without a word",
      status: ended({ exitCode: 77, reason: "Error" }),
      expect: { outcome: "failed", exitCode: 77, code: "AccessDenied", message: "The source denied access." },
    },
    {
      name: "an exit code with a word that is no report",
      status: ended({ exitCode: 75, reason: "Error", message: "Segmentation fault" }),
      expect: { outcome: "partial", exitCode: 75, code: "PassingFault" },
    },
    {
      name: "an outcome nobody knows is ignored, the rest is kept",
      status: ended({ exitCode: 69, message: '{"outcome":"splendid","runId":"R1","code":"UnknownHost"}' }),
      expect: { outcome: "failed", exitCode: 69, code: "Unavailable", runId: "R1" },
    },
    {
      name: "complete, but killed: cannot look clean",
      status: ended({ exitCode: 137, reason: "OOMKilled", message: JSON.stringify(complete) }),
      expect: { outcome: "failed", exitCode: 137, code: "EndContradicted" },
    },
    {
      name: "out of memory",
      status: ended({ exitCode: 137, reason: "OOMKilled" }),
      expect: { outcome: "failed", exitCode: 137, code: "OutOfMemory" },
    },
    {
      name: "killed",
      status: ended({ exitCode: 137, reason: "Error" }),
      expect: { outcome: "interrupted", exitCode: 137, code: "Killed" },
    },
    {
      name: "container that cannot run",
      status: ended({ exitCode: 128, reason: "ContainerCannotRun", message: "exec: no such file" }),
      expect: { outcome: "failed", exitCode: 128, code: "ContainerCannotRun" },
    },
    {
      name: "an exit code that is not ours",
      status: ended({ exitCode: 1, reason: "Error" }),
      expect: {
        outcome: "failed",
        exitCode: 1,
        code: "UnknownExitCode",
        message: "The container ended with exit code 1, which is none of the harvester's.",
      },
    },
    {
      name: "evicted",
      status: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
      expect: { outcome: "interrupted", code: "Evicted" },
    },
    {
      name: "preempted",
      status: {
        phase: "Failed",
        conditions: [{ type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" }],
      },
      expect: { outcome: "interrupted", code: "Evicted" },
    },
    {
      name: "deadline of the pod",
      status: { phase: "Failed", reason: "DeadlineExceeded" },
      expect: { outcome: "interrupted", code: "DeadlineExceeded" },
    },
    {
      name: "never started: a Secret is missing",
      status: waits("CreateContainerConfigError", 'secret "county-client-cert" not found'),
      expect: {
        outcome: "failed",
        code: "PodNotStarted",
        message: "The run never began. Secret county-client-cert is missing.",
      },
    },
    {
      name: "never started, nobody says why",
      status: { phase: "Pending" },
      expect: {
        outcome: "failed",
        code: "PodNotStarted",
        message: "The run never began. Its pod p1 was still waiting for its image or its volumes.",
      },
    },
    {
      name: "an init container that failed",
      status: {
        phase: "Failed",
        initContainerStatuses: [{ state: { terminated: { exitCode: 78 } } }],
        containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
      },
      expect: { outcome: "failed", exitCode: 78, code: "BadConfiguration" },
    },
    {
      name: "numbers that are none, and a time that is none",
      status: ended({
        exitCode: 75,
        message:
          '{"outcome":"partial","code":"not a code","counts":{"read":-1,"inserted":1.5,"updated":"7","withdrawn":9007199254740993,"unchanged":3},"notBefore":"soon","message":["x"]}',
      }),
      expect: { outcome: "partial", exitCode: 75, code: "PassingFault", counts: { unchanged: 3 } },
    },
  ])("takes the end from the pod: $name", ({ status, expect: expected }) => {
    const { finished } = readRuns({
      jobs: [job({ end: oldEnd })],
      pods: [pod(status)],
      status: undefined,
      now,
    });
    expect(finished).toHaveLength(1);
    expect(finished[0]).toMatchObject({ jobName: resource, ...expected });
    expect(finished[0]?.notBefore).toBeUndefined();
  });

  it.each([
    {
      name: "vanished",
      end: oldEnd,
      expect: {
        outcome: "failed",
        code: "PodVanished",
        message: "Its pod vanished before it could say how it ended (node lost or evicted?).",
      },
    },
    {
      name: "deadline",
      end: ["Failed", "2026-11-30T06:09:00Z", "DeadlineExceeded"] as const,
      expect: { outcome: "interrupted", code: "DeadlineExceeded" },
    },
    {
      name: "the Job kept the exit code",
      end: [
        "Failed",
        "2026-11-30T06:09:00Z",
        "PodFailurePolicy",
        "Container harvest for pod geo/p1 failed with exit code 78 matching FailJob rule at index 0",
      ] as const,
      expect: { outcome: "failed", exitCode: 78, code: "BadConfiguration" },
    },
    {
      name: "complete",
      end: ["Complete", "2026-11-30T06:09:00Z"] as const,
      expect: { outcome: "complete", message: "The run ended complete, and left no report." },
    },
  ])("takes the end from the Job when the pod is gone: $name", ({ end, expect: expected }) => {
    const { finished } = readRuns({ jobs: [job({ end })], pods: [], status: undefined, now });
    expect(finished).toHaveLength(1);
    expect(finished[0]).toMatchObject(expected);
  });

  it("believes the last pod of a Job that was tried twice", () => {
    const read = readRuns({
      jobs: [job({ end: oldEnd })],
      pods: [
        pod(ended({ exitCode: 74 }), { name: "a", created: "2026-11-30T06:04:00Z" }),
        pod(ended({ exitCode: 75 }), { name: "b", created: "2026-11-30T06:02:00Z" }),
      ],
      status: undefined,
      now,
    });
    expect(read.finished.map(({ exitCode }) => exitCode)).toEqual([74]);
  });

  it("leaves withdrawals and other Jobs' pods out", () => {
    const read = readRuns({
      jobs: [job({ role: "withdraw", end: oldEnd }), job({ name: "r", role: "requested", end: oldEnd })],
      pods: [pod(ended({ exitCode: 74 }))],
      status: undefined,
      now,
    });
    expect(read.finished.map(({ jobName, requested, code }) => [jobName, requested, code])).toEqual([
      ["r", true, "PodVanished"],
    ]);
  });

  it("waits for the pod's last word when its Job ended just now, and lets no later end pass before it", () => {
    const jobs = [
      job({ name: "a", end: ["Complete", "2026-11-30T11:59:50Z"] }),
      job({ name: "b", end: ["Complete", "2026-11-30T11:59:55Z"] }),
      job({ name: "c", end: ["Complete", "2026-11-30T11:59:40Z"] }),
    ];
    const done = ended({ exitCode: 0, message: JSON.stringify(complete) }, { phase: "Succeeded" });
    const pods = [
      pod({ phase: "Running", containerStatuses: [{ state: { running: {} } }] }, { of: "a", name: "pa" }),
      pod(done, { of: "b", name: "pb" }),
      pod(done, { of: "c", name: "pc" }),
    ];
    const early = readRuns({ jobs, pods, status: undefined, now });
    expect(early.finished.map(({ jobName }) => jobName)).toEqual(["c"]);
    expect(early.active.map(({ jobName }) => jobName)).toEqual(["a"]);
    expect(early.lookAgainAt).toBe("2026-11-30T12:00:20Z");
    const late = readRuns({ jobs, pods, status: undefined, now: new Date("2026-11-30T12:00:20Z") });
    expect(late.finished.map(({ jobName, code }) => [jobName, code])).toEqual([
      ["c", undefined],
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(late.lookAgainAt).toBeUndefined();
  });
});

describe("runs under way", () => {
  const cases = [
    { name: "running", status: { phase: "Running", containerStatuses: [{ state: { running: {} } }] } },
    { name: "starting for a minute", status: waits("ContainerCreating"), at: "2026-11-30T06:03:02Z" },
    {
      name: "a Secret is missing",
      status: waits("CreateContainerConfigError", 'secret "county-client-cert" not found'),
      trouble: "Secret county-client-cert is missing.",
    },
    {
      name: "a key is missing",
      status: waits(
        "CreateContainerConfigError",
        "couldn't find key DATABASE_URL in Secret geo/harvest-database",
      ),
      trouble: "Secret harvest-database has no key DATABASE_URL.",
    },
    {
      name: "no image",
      status: waits("ImagePullBackOff", 'Back-off pulling image "registry.example/harvester"'),
      trouble:
        "The image registry.example/harvester of its pod cannot be pulled (kubectl describe pod says why).",
    },
    {
      name: "no node",
      status: {
        phase: "Pending",
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/3 nodes are available.",
          },
        ],
      },
      trouble: "No node takes its pod: 0/3 nodes are available.",
    },
    { name: "another reason to wait", status: waits("Odd"), trouble: "Its pod waits (Odd)." },
  ];
  const early = new Date("2026-11-30T06:01:00Z");

  it.each(cases)("$name", ({ status, trouble, at }) => {
    const read = readRuns({ jobs: [job()], pods: [pod(status)], status: undefined, now: early });
    expect(read).toEqual({
      finished: [],
      active: [
        {
          jobName: "harvest-county-1",
          jobUid: "uid-harvest-county-1",
          requested: false,
          startTime: "2026-11-30T06:00:01Z",
          podName: "p1",
          trouble,
        },
      ],
      latestStart: "2026-11-30T06:00:01Z",
      lookAgainAt: at,
    });
  });

  it("says so when starting takes too long", () => {
    const given = { jobs: [job()], pods: [pod(waits("ContainerCreating"))], status: undefined };
    const { active } = readRuns({ ...given, now: new Date("2026-11-30T06:03:02Z") });
    expect(active[0]?.trouble).toBe(
      "Its pod p1 has been starting since 2026-11-30T06:00:02Z: a Secret or ConfigMap it mounts may be missing (kubectl describe pod p1).",
    );
  });

  it("says so when no pod comes, and waits for a Job that is suspended", () => {
    const [one] = readRuns({ jobs: [job()], pods: [], status: undefined, now }).active;
    expect(one?.trouble).toBe(
      "Its Job harvest-county-1 has had no pod since 2026-11-30T06:00:01Z: a quota or an admission rule may refuse it (kubectl describe job harvest-county-1).",
    );
    const jobs = [job({ spec: { suspend: true } })];
    expect(readRuns({ jobs, pods: [], status: undefined, now }).active[0]?.trouble).toBeUndefined();
  });

  it("waits for the Job's own word after its pod failed: it may try again", () => {
    const read = readRuns({ jobs: [job()], pods: [pod(ended({ exitCode: 74 }))], status: undefined, now });
    expect(read.finished).toEqual([]);
    expect(read.active.map(({ trouble }) => trouble)).toEqual([undefined]);
  });

  it("takes FailureTarget for no end: the pods are still stopping", () => {
    const status = { conditions: [{ type: "FailureTarget", status: "True", reason: "DeadlineExceeded" }] };
    expect(readRuns({ jobs: [job({ status })], pods: [], status: undefined, now: early }).finished).toEqual(
      [],
    );
  });
});

describe("isFolded", () => {
  const lastRun = { jobName: "m", endTime: "2026-11-30T06:00:00Z", outcome: "failed" } as const;
  it.each([
    { name: "the same", run: lastRun, expect: true },
    { name: "older", run: { ...lastRun, jobName: "z", endTime: "2026-11-30T05:59:59Z" }, expect: true },
    { name: "newer", run: { ...lastRun, jobName: "a", endTime: "2026-11-30T06:00:01Z" }, expect: false },
    { name: "same second, later name", run: { ...lastRun, jobName: "n" }, expect: false },
    { name: "same second, earlier name", run: { ...lastRun, jobName: "a" }, expect: true },
    {
      name: "same second, complete",
      run: { ...lastRun, jobName: "a", outcome: "complete" as const },
      expect: false,
    },
    {
      name: "same instant, other spelling",
      run: { ...lastRun, endTime: "2026-11-30T07:00:00+01:00" },
      expect: true,
    },
  ])("$name", ({ run, expect: expected }) => {
    expect(isFolded(run, { lastRun })).toBe(expected);
  });

  it("knows nothing without a status", () => {
    expect(isFolded(lastRun, undefined)).toBe(false);
    expect(isFolded(lastRun, {})).toBe(false);
  });
});
