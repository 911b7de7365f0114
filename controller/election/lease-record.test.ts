import { describe, expect, it } from "vitest";
import { microTime, readLease, sameRecord } from "./lease-record.js";

function object(spec: unknown) {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "l", namespace: "n", resourceVersion: "12" },
    spec,
  };
}

const nothing = { holder: "", durationSeconds: 0, acquireTime: "", renewTime: "", transitions: 0 };

describe("reading a lease", () => {
  it.each([
    {
      name: "a whole one",
      spec: {
        holderIdentity: "pod-1_x",
        leaseDurationSeconds: 15,
        acquireTime: "2026-12-01T00:00:00.000000Z",
        renewTime: "2026-12-01T00:00:02.000000Z",
        leaseTransitions: 4,
        strategy: "OldestEmulationVersion",
      },
      expect: {
        holder: "pod-1_x",
        durationSeconds: 15,
        acquireTime: "2026-12-01T00:00:00.000000Z",
        renewTime: "2026-12-01T00:00:02.000000Z",
        transitions: 4,
      },
    },
    { name: "an empty spec", spec: {}, expect: nothing },
    { name: "no spec", spec: undefined, expect: nothing },
    { name: "a spec that is a list", spec: ["pod"], expect: nothing },
    {
      name: "values of the wrong type",
      spec: { holderIdentity: 1, leaseDurationSeconds: "15", leaseTransitions: -2, renewTime: null },
      expect: nothing,
    },
  ])("$name", ({ spec, expect: record }) => {
    expect(readLease(object(spec))).toEqual({ record, resourceVersion: "12" });
  });
});

it("writes times with exactly six digits of fraction", () => {
  expect(microTime(Date.UTC(2026, 11, 1, 10, 20, 30, 4))).toBe("2026-12-01T10:20:30.004000Z");
});

it.each(["holder", "renewTime", "acquireTime"] as const)(
  "takes a changed %s for a changed record",
  (field) => {
    expect(sameRecord(nothing, { ...nothing, [field]: "x" })).toBe(false);
  },
);
it.each(["durationSeconds", "transitions"] as const)("takes changed %s for a changed record", (field) => {
  expect(sameRecord(nothing, { ...nothing, [field]: 9 })).toBe(false);
});
