import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events.js";
import { addEvent, emptyTally, unchanged, type Tally } from "./tally.js";

function tallyOf(...events: RunEvent[]): Tally {
  return events.reduce(addEvent, emptyTally);
}

function committed(over: Partial<Extract<RunEvent, { kind: "committed" }>>): RunEvent {
  const zero = { inserted: 0, updated: 0, withdrawn: 0, stale: 0, healed: 0 };
  return { kind: "committed", read: 0, ...zero, skipped: {}, refused: [], ...over };
}

describe("addEvent", () => {
  it("adds commits up, with refusals by gate and rule", () => {
    const refused = [{ gate: "xsd", rule: "bad-value" } as const];
    const tally = tallyOf(
      committed({ read: 3, inserted: 2, refused }),
      committed({ read: 2, updated: 1, refused, skipped: { "unchanged-bytes": 4 } }),
    );
    expect(tally).toMatchObject({
      read: 5,
      inserted: 2,
      updated: 1,
      quarantined: 2,
      refusedBy: { "xsd/bad-value": 2 },
    });
    expect(tally.skipped).toEqual({ "unchanged-bytes": 4 });
  });

  it("counts as unchanged what needed no write, not what was refused before or came twice", () => {
    const tally = tallyOf(
      committed({
        skipped: {
          "unchanged-bytes": 5,
          "unchanged-content": 2,
          "still-quarantined": 7,
          "duplicate-in-batch": 1,
        },
      }),
    );
    expect(unchanged(tally)).toBe(7);
  });

  it("keeps a set's first watermark as before and its last as after", () => {
    const tally = tallyOf(
      { kind: "watermark", set: "", before: "2026-01-01T00:00:00Z", after: "2026-02-01T00:00:00Z" },
      { kind: "watermark", set: "", before: "2026-02-01T00:00:00Z", after: "2026-03-01T00:00:00Z" },
    );
    expect(tally.watermarks).toEqual([
      { set: "", before: "2026-01-01T00:00:00Z", after: "2026-03-01T00:00:00Z" },
    ]);
  });

  it("says a repeated warning once, with how often", () => {
    const warning = { code: "moved-permanently", sentence: "It moved." };
    expect(tallyOf({ kind: "warning", warning }, { kind: "warning", warning }).warnings).toEqual([
      { ...warning, times: 2 },
    ]);
  });

  it("stays bounded under a source that breaks a thousand rules and warns of a thousand things", () => {
    const events = Array.from({ length: 1000 }, (_, i): RunEvent[] => [
      committed({ refused: [{ gate: "schematron", rule: `r${i.toString()}` }] }),
      { kind: "warning", warning: { code: `w${i.toString()}`, sentence: "" } },
    ]).flat();
    const tally = tallyOf(...events);
    expect(Object.keys(tally.refusedBy)).toHaveLength(101);
    expect(tally.refusedBy["other"]).toBe(900);
    expect(tally.warnings).toHaveLength(100);
    expect(tally.quarantined).toBe(1000);
  });
});
