import { describe, expect, it } from "vitest";
import { decideElection, see, type ElectionQuestion, type Sighting } from "./decide-election.js";
import type { LeaseRecord, ReadLease } from "./lease-record.js";

function lease(changes: Partial<LeaseRecord> = {}, resourceVersion = "7"): ReadLease {
  const record = {
    holder: "other",
    durationSeconds: 15,
    acquireTime: "2026-12-01T00:00:00.000000Z",
    renewTime: "2026-12-01T00:00:10.000000Z",
    transitions: 3,
    ...changes,
  };
  return { record, resourceVersion };
}

const theirs = lease();
const mine = lease({ holder: "me" });
const free = lease({ holder: "", durationSeconds: 1 });

function ask(given: Partial<ElectionQuestion> & { readonly sighting: Sighting }) {
  return decideElection({
    me: "me",
    lastRenew: undefined,
    leaseMs: 15_000,
    renewMs: 10_000,
    now: 100_000,
    ...given,
  });
}

describe("a candidate", () => {
  it.each([
    {
      name: "takes a lease that is not there",
      sighting: { lease: undefined, since: 100_000 },
      expect: { kind: "acquire", from: undefined },
    },
    {
      name: "takes one that was given back, at once",
      sighting: { lease: free, since: 100_000 },
      expect: { kind: "acquire", from: free },
    },
    {
      name: "takes one that has its own name: its write arrived though the answer did not",
      sighting: { lease: mine, since: 100_000 },
      expect: { kind: "acquire", from: mine },
    },
    {
      name: "waits for one it just saw, however old its times say it is",
      sighting: { lease: lease({ renewTime: "1999-01-01T00:00:00.000000Z" }), since: 100_000 },
      expect: { kind: "wait", until: 115_000 },
    },
    {
      name: "waits until the last millisecond",
      sighting: { lease: theirs, since: 85_001 },
      expect: { kind: "wait", until: 100_001 },
    },
    {
      name: "takes one that did not change for as long as its holder claimed it",
      sighting: { lease: theirs, since: 85_000 },
      expect: { kind: "acquire", from: theirs },
    },
    {
      name: "believes the holder's duration, not its own",
      sighting: { lease: lease({ durationSeconds: 60 }), since: 60_000 },
      expect: { kind: "wait", until: 120_000 },
    },
    {
      name: "takes its own duration for a lease that tells none",
      sighting: { lease: lease({ durationSeconds: 0 }), since: 90_000 },
      expect: { kind: "wait", until: 105_000 },
    },
    {
      name: "does not honour a claim for ever",
      sighting: { lease: lease({ durationSeconds: 2_000_000_000 }), since: 0 },
      now: 3_599_999,
      expect: { kind: "wait", until: 3_600_000 },
    },
    {
      name: "waits for the holder of a lease that somebody deleted: it may not know yet",
      sighting: { lease: undefined, since: 99_000, gone: { record: theirs.record, since: 95_000 } },
      expect: { kind: "wait", until: 110_000 },
    },
    {
      name: "takes a deleted lease after the time of its holder",
      sighting: { lease: undefined, since: 99_000, gone: { record: theirs.record, since: 85_000 } },
      expect: { kind: "acquire", from: undefined },
    },
  ])("$name", ({ expect: expected, ...given }) => {
    expect(ask(given)).toEqual(expected);
  });
});

describe("a leader", () => {
  it.each([
    {
      name: "renews",
      sighting: { lease: mine, since: 98_000 },
      lastRenew: 98_000,
      expect: { kind: "renew", from: mine },
    },
    {
      name: "writes a deleted lease anew",
      sighting: { lease: undefined, since: 99_000 },
      lastRenew: 98_000,
      expect: { kind: "renew", from: undefined },
    },
    {
      name: "renews until the last millisecond",
      sighting: { lease: mine, since: 90_001 },
      lastRenew: 90_001,
      expect: { kind: "renew", from: mine },
    },
    {
      name: "is lost after the deadline, though nobody took the lease",
      sighting: { lease: mine, since: 90_000 },
      lastRenew: 90_000,
      expect: { kind: "lost", reason: "not-renewed" },
    },
    {
      name: "is lost when another holds it",
      sighting: { lease: theirs, since: 99_000 },
      lastRenew: 98_000,
      expect: { kind: "lost", reason: "taken" },
    },
    {
      name: "is lost when somebody emptied it",
      sighting: { lease: free, since: 99_000 },
      lastRenew: 98_000,
      expect: { kind: "lost", reason: "taken" },
    },
  ])("$name", ({ expect: expected, ...given }) => {
    expect(ask(given)).toEqual(expected);
  });
});

describe("seeing a lease", () => {
  it.each([
    { name: "for the first time", before: undefined, lease: theirs, expect: { lease: theirs, since: 500 } },
    {
      name: "again, as it was: it counts from the first time",
      before: { lease: theirs, since: 100 },
      lease: lease({}, "8"),
      expect: { lease: lease({}, "8"), since: 100 },
    },
    {
      name: "renewed",
      before: { lease: theirs, since: 100 },
      lease: lease({ renewTime: "2026-12-01T00:00:12.000000Z" }),
      expect: { lease: lease({ renewTime: "2026-12-01T00:00:12.000000Z" }), since: 500 },
    },
    {
      name: "renewed by a clock that was put back",
      before: { lease: theirs, since: 100 },
      lease: lease({ renewTime: "2026-11-30T23:00:00.000000Z" }),
      expect: { lease: lease({ renewTime: "2026-11-30T23:00:00.000000Z" }), since: 500 },
    },
    {
      name: "deleted",
      before: { lease: theirs, since: 100 },
      lease: undefined,
      expect: { lease: undefined, since: 500, gone: { record: theirs.record, since: 100 } },
    },
    {
      name: "deleted, still",
      before: { lease: undefined, since: 300, gone: { record: theirs.record, since: 100 } },
      lease: undefined,
      expect: { lease: undefined, since: 500, gone: { record: theirs.record, since: 100 } },
    },
    { name: "never there", before: undefined, lease: undefined, expect: { lease: undefined, since: 500 } },
  ])("$name", ({ before, lease: read, expect: expected }) => {
    expect(see(before, read, 500)).toEqual(expected);
  });
});
