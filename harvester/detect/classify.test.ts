import { describe, expect, it } from "vitest";
import type { Header, StoredState } from "../record.js";
import { firstLook, mustFetch, secondLook, type Delivery } from "./classify.js";

const A = Uint8Array.of(1, 1);
const B = Uint8Array.of(2, 2);
const RAW_A = Uint8Array.of(10);
const RAW_B = Uint8Array.of(20);
const T1 = "2026-01-01T00:00:00Z";
const T2 = "2026-01-02T00:00:00Z";
const T3 = "2026-01-03T00:00:00Z";

function header(changes: Partial<Header> = {}): Header {
  return { identifier: "oai:x:1", datestamp: T2, sets: [], deleted: false, ...changes };
}

function state(changes: Partial<StoredState> = {}): StoredState {
  return { checksum: A, rawChecksum: RAW_A, datestamp: T2, deleted: false, sets: [""], ...changes };
}

function delivery(changes: Partial<Delivery> = {}): Delivery {
  return { header: header(), rawChecksum: RAW_A, set: "", policyDigest: "p1", stored: undefined, ...changes };
}

const quarantined = { rawChecksum: RAW_B, policyDigest: "p1" };

function told(given: Delivery): string {
  const look = firstLook(given);
  if (look.kind === "skip")
    return [look.reason, look.touch ? "touch" : "", look.heals ? "heals" : ""]
      .filter((word) => word !== "")
      .join(" ");
  if (look.kind === "withdraw") return `withdraw ${look.reason}`;
  return look.knownChecksum === undefined ? "candidate" : "candidate with checksum";
}

const deleted = header({ deleted: true });

describe("firstLook", () => {
  it.each([
    ["never seen", delivery(), "candidate"],
    ["the same bytes", delivery({ stored: state() }), "unchanged-bytes"],
    [
      "the same bytes, stamped anew (C32)",
      delivery({ header: header({ datestamp: T3 }), stored: state() }),
      "unchanged-bytes",
    ],
    [
      "the same bytes, stamped earlier",
      delivery({ header: header({ datestamp: T1 }), stored: state() }),
      "unchanged-bytes",
    ],
    ["the same bytes, seen in another set", delivery({ set: "s", stored: state() }), "unchanged-bytes touch"],
    ["other bytes", delivery({ rawChecksum: RAW_B, stored: state() }), "candidate with checksum"],
    [
      "other bytes, no datestamp (C22)",
      delivery({ header: header({ datestamp: undefined }), rawChecksum: RAW_B, stored: state() }),
      "candidate with checksum",
    ],
    [
      "C94 other bytes, older",
      delivery({ header: header({ datestamp: T1 }), rawChecksum: RAW_B, stored: state() }),
      "stale",
    ],
    ["sequence behind", delivery({ sequence: 4, stored: state({ sequence: 5 }) }), "stale"],
    [
      "sequence equal, same bytes",
      delivery({ sequence: 5, stored: state({ sequence: 5 }) }),
      "unchanged-bytes",
    ],
    [
      "sequence equal, other bytes",
      delivery({ sequence: 5, rawChecksum: RAW_B, stored: state({ sequence: 5 }) }),
      "stale",
    ],
    [
      "sequence ahead, same bytes: the number must be written",
      delivery({ sequence: 7, stored: state({ sequence: 5 }) }),
      "candidate",
    ],
    [
      "sequence ahead, older datestamp: the number decides",
      delivery({
        sequence: 7,
        header: header({ datestamp: T1 }),
        rawChecksum: RAW_B,
        stored: state({ sequence: 5 }),
      }),
      "candidate",
    ],
    [
      "sequence vanished, other bytes",
      delivery({ rawChecksum: RAW_B, stored: state({ sequence: 5 }) }),
      "candidate with checksum",
    ],
    ["back after a tombstone", delivery({ stored: state({ deleted: true }) }), "candidate"],
    [
      "a late delivery from before the tombstone",
      delivery({ header: header({ datestamp: T1 }), stored: state({ deleted: true }) }),
      "stale",
    ],
    [
      "in quarantine, same bytes, same policy",
      delivery({ rawChecksum: RAW_B, stored: state({ quarantined }) }),
      "still-quarantined",
    ],
    [
      "in quarantine, same bytes, new policy",
      delivery({ rawChecksum: RAW_B, policyDigest: "p2", stored: state({ quarantined }) }),
      "candidate with checksum",
    ],
    [
      "only ever quarantined, now other bytes",
      delivery({ stored: { deleted: false, sets: [], quarantined } }),
      "candidate",
    ],
    ["the good old bytes again", delivery({ stored: state({ quarantined }) }), "unchanged-bytes heals"],
    ["C49 a tombstone never seen", delivery({ header: deleted }), "never-seen-deleted"],
    ["a tombstone again", delivery({ header: deleted, stored: state({ deleted: true }) }), "already-deleted"],
    ["a tombstone", delivery({ header: deleted, stored: state() }), "withdraw tombstone"],
    [
      "an old tombstone",
      delivery({ header: header({ deleted: true, datestamp: T1 }), stored: state() }),
      "stale",
    ],
    [
      "C50 deleted in one set, alive in another",
      delivery({ header: deleted, set: "a", stored: state({ sets: ["a", "b"] }) }),
      "withdraw still-in-other-set",
    ],
    [
      "C50 deleted in its last set",
      delivery({ header: deleted, set: "a", stored: state({ sets: ["a"] }) }),
      "withdraw tombstone",
    ],
    [
      "deleted in the whole repository",
      delivery({ header: deleted, stored: state({ sets: ["a", ""] }) }),
      "withdraw tombstone",
    ],
    [
      "C52 deleted while quarantined",
      delivery({ header: deleted, stored: { deleted: false, sets: [], quarantined } }),
      "withdraw tombstone",
    ],
  ])("%s", (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  it("a stale replay cannot overtake an advanced sequence (facts: seq5/A, seq7/A, seq6/B)", () => {
    expect(told(delivery({ sequence: 7, stored: state({ sequence: 5 }) }))).toBe("candidate");
    expect(secondLook(delivery({ sequence: 7, stored: state({ sequence: 5 }) }), A)).toEqual({
      kind: "update",
      reason: "sequence-advanced",
    });
    expect(told(delivery({ sequence: 6, rawChecksum: RAW_B, stored: state({ sequence: 7 }) }))).toBe("stale");
  });
});

describe("secondLook", () => {
  it.each([
    ["never seen", delivery(), A, "insert new"],
    [
      "only ever quarantined",
      delivery({ stored: { deleted: false, sets: [], quarantined } }),
      A,
      "insert new",
    ],
    ["other content", delivery({ stored: state() }), B, "update content-changed"],
    [
      "same content in other bytes",
      delivery({ rawChecksum: RAW_B, stored: state() }),
      A,
      "skip unchanged-content",
    ],
    [
      "back after a tombstone, same content",
      delivery({ stored: state({ deleted: true }) }),
      A,
      "update republished",
    ],
  ])("%s", (...[, given, checksum, expected]) => {
    const action = secondLook(given, checksum);
    expect(`${action.kind} ${action.reason}`).toBe(expected);
  });
});

describe("mustFetch", () => {
  it.each([
    ["never seen", header(), undefined, true],
    ["as stored", header(), state(), false],
    ["stamped anew", header({ datestamp: T3 }), state(), true],
    ["stamped earlier", header({ datestamp: T1 }), state(), true],
    ["without datestamp", header({ datestamp: undefined }), state(), true],
    ["stored as deleted", header(), state({ deleted: true }), true],
    ["in quarantine", header(), state({ quarantined }), true],
    ["in another set", header(), state({ sets: ["s"] }), true],
    ["a tombstone", header({ deleted: true }), state(), false],
  ])("%s", (...[, given, stored, expected]) => {
    expect(mustFetch(given, stored, "")).toBe(expected);
  });
});
