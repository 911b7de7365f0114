import { describe, expect, it } from "vitest";
import { healthOf, probeAnswer, type Check, type Vitals } from "./health-of.js";

const limits = { silentMs: 600_000, leaseMs: 15_000 };
const sources = { name: "sources", synced: true, idleMs: 40_000 };
const jobs = { name: "jobs", synced: true, idleMs: 0 };

describe("the health of the controller", () => {
  it.each<{ name: string; given: Vitals; expect: { live: string[]; ready: string[] } }>([
    { name: "before anything began", given: { reflectors: [] }, expect: { live: [], ready: [] } },
    {
      name: "of a leader that renews",
      given: { reflectors: [sources, jobs], election: { elected: true, sinceRenewMs: 2_000 } },
      expect: { live: [], ready: [] },
    },
    {
      name: "of a standby with full caches",
      given: { reflectors: [sources], election: { elected: false, sinceRenewMs: undefined } },
      expect: { live: [], ready: [] },
    },
    {
      name: "of a leader that cannot renew",
      given: { reflectors: [sources], election: { elected: true, sinceRenewMs: 15_001 } },
      expect: {
        live: [
          "leader-election: this process was elected, but has not renewed its lease for 15 s (limit 15 s)",
        ],
        ready: [],
      },
    },
    {
      name: "while the caches fill",
      given: { reflectors: [sources, { ...jobs, synced: false }] },
      expect: { live: [], ready: ["cache-jobs: the first list of jobs is not complete"] },
    },
    {
      name: "with a watch silent at the limit",
      given: { reflectors: [{ ...sources, idleMs: 600_000 }] },
      expect: { live: [], ready: [] },
    },
    {
      name: "with a watch that hangs",
      given: { reflectors: [{ ...sources, idleMs: 912_345 }, jobs] },
      expect: {
        live: ["watch-sources: the watch of sources has been silent for 912 s (limit 600 s)"],
        ready: [],
      },
    },
  ])("$name", ({ given, expect: expected }) => {
    const health = healthOf(given, limits);
    const failed = (checks: readonly Check[]) =>
      checks.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));
    expect({ live: failed(health.live), ready: failed(health.ready) }).toEqual(expected);
  });
});

describe("the answer of a probe", () => {
  const well = [{ name: "ping" }, { name: "watch-jobs" }];
  const ill = [{ name: "ping" }, { name: "watch-jobs", problem: "silent" }];
  it.each([
    { name: "well", checks: well, verbose: false, expect: { status: 200, body: "ok" } },
    {
      name: "well, in full",
      checks: well,
      verbose: true,
      expect: { status: 200, body: "[+]ping ok\n[+]watch-jobs ok\nhealthz check passed\n" },
    },
    {
      name: "ill",
      checks: ill,
      verbose: false,
      expect: { status: 500, body: "[+]ping ok\n[-]watch-jobs failed: silent\nhealthz check failed\n" },
    },
    {
      name: "ill, in full",
      checks: ill,
      verbose: true,
      expect: { status: 500, body: "[+]ping ok\n[-]watch-jobs failed: silent\nhealthz check failed\n" },
    },
  ])("$name", ({ checks, verbose, expect: expected }) => {
    expect(probeAnswer("healthz", checks, verbose)).toEqual(expected);
  });
});
