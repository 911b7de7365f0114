import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engines, type OpenEngine } from "../../tests/store/engines.js";
import { batch, change, hex, runEnd, runStart, sha } from "../../tests/store/samples.js";
import type { Batch, RunStore } from "./store.js";

const day1 = "2026-11-01T00:00:00Z";
const day2 = "2026-11-02T00:00:00Z";
const day3 = "2026-11-03T00:00:00Z";

type Step =
  | {
      readonly put: string;
      readonly sequence?: number;
      readonly datestamp?: string;
      readonly set?: string;
      readonly raw?: string;
    }
  | {
      readonly withdraw: "tombstone" | "missing-from-snapshot";
      readonly datestamp?: string;
      readonly set?: string;
    }
  | { readonly touch: true; readonly datestamp?: string; readonly set?: string; readonly raw?: string };

interface UpsertCase {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly expect: {
    readonly content: string;
    readonly deleted?: boolean;
    readonly sequence?: number;
    readonly datestamp?: string;
    readonly sets?: readonly string[];
    /** Raw bytes differ from those of `content`. */
    readonly raw?: string;
  };
  /** Of the last step. */
  readonly last: { inserted?: number; updated?: number; withdrawn?: number; stale?: number };
}

/** What every order of deliveries must leave behind (the four faults of the guard first written are cases 3, 5, 4 and 9). */
const upsertCases: readonly UpsertCase[] = [
  {
    name: "1 a first delivery is inserted",
    steps: [{ put: "A", sequence: 5, datestamp: day1 }],
    expect: { content: "A", sequence: 5, datestamp: day1 },
    last: { inserted: 1 },
  },
  {
    name: "2 the same delivery again writes nothing",
    steps: [
      { put: "A", sequence: 5 },
      { put: "A", sequence: 5 },
    ],
    expect: { content: "A", sequence: 5 },
    last: {},
  },
  {
    name: "3 the same content without a sequence writes nothing",
    steps: [
      { put: "A", datestamp: day1 },
      { put: "A", datestamp: day1 },
    ],
    expect: { content: "A", datestamp: day1 },
    last: {},
  },
  {
    name: "4 a higher sequence with the same content moves the sequence",
    steps: [
      { put: "A", sequence: 5 },
      { put: "A", sequence: 6 },
    ],
    expect: { content: "A", sequence: 6 },
    last: { updated: 1 },
  },
  {
    name: "5 new content without the sequence it once had is not lost",
    steps: [{ put: "A", sequence: 5 }, { put: "B" }],
    expect: { content: "B", sequence: 5 },
    last: { updated: 1 },
  },
  {
    name: "6 a higher sequence replaces",
    steps: [
      { put: "A", sequence: 5 },
      { put: "B", sequence: 6 },
    ],
    expect: { content: "B", sequence: 6 },
    last: { updated: 1 },
  },
  {
    name: "7 a lower sequence is stale",
    steps: [
      { put: "B", sequence: 6 },
      { put: "A", sequence: 5 },
    ],
    expect: { content: "B", sequence: 6 },
    last: { stale: 1 },
  },
  {
    name: "8 an equal sequence with other content is stale",
    steps: [
      { put: "A", sequence: 5 },
      { put: "B", sequence: 5 },
    ],
    expect: { content: "A", sequence: 5 },
    last: { stale: 1 },
  },
  {
    name: "9 a replay between two equal deliveries does not win",
    steps: [
      { put: "A", sequence: 5 },
      { put: "A", sequence: 7 },
      { put: "B", sequence: 6 },
    ],
    expect: { content: "A", sequence: 7 },
    last: { stale: 1 },
  },
  {
    name: "10 a sequence may appear later",
    steps: [{ put: "A" }, { put: "B", sequence: 1 }],
    expect: { content: "B", sequence: 1 },
    last: { updated: 1 },
  },
  {
    name: "11 a later datestamp replaces",
    steps: [
      { put: "A", datestamp: day1 },
      { put: "B", datestamp: day2 },
    ],
    expect: { content: "B", datestamp: day2 },
    last: { updated: 1 },
  },
  {
    name: "12 an equal datestamp replaces: the last delivery wins",
    steps: [
      { put: "A", datestamp: day1 },
      { put: "B", datestamp: day1 },
    ],
    expect: { content: "B", datestamp: day1 },
    last: { updated: 1 },
  },
  {
    name: "13 an earlier datestamp is stale",
    steps: [
      { put: "B", datestamp: day2 },
      { put: "A", datestamp: day1 },
    ],
    expect: { content: "B", datestamp: day2 },
    last: { stale: 1 },
  },
  {
    name: "14 new content without a datestamp replaces and keeps the datestamp",
    steps: [{ put: "A", datestamp: day2 }, { put: "B" }],
    expect: { content: "B", datestamp: day2 },
    last: { updated: 1 },
  },
  {
    name: "15 a tombstone withdraws and keeps the checksum",
    steps: [
      { put: "A", datestamp: day1 },
      { withdraw: "tombstone", datestamp: day2 },
    ],
    expect: { content: "A", datestamp: day2, deleted: true, sets: [] },
    last: { withdrawn: 1 },
  },
  {
    name: "16 a tombstone older than the record is stale",
    steps: [
      { put: "A", datestamp: day2 },
      { withdraw: "tombstone", datestamp: day1 },
    ],
    expect: { content: "A", datestamp: day2 },
    last: { stale: 1 },
  },
  {
    name: "17 a second tombstone changes nothing",
    steps: [
      { put: "A", datestamp: day1 },
      { withdraw: "tombstone", datestamp: day2 },
      { withdraw: "tombstone", datestamp: day2 },
    ],
    expect: { content: "A", datestamp: day2, deleted: true, sets: [] },
    last: {},
  },
  {
    name: "18 a record older than its tombstone stays withdrawn",
    steps: [
      { put: "A", datestamp: day1 },
      { withdraw: "tombstone", datestamp: day3 },
      { put: "B", datestamp: day2 },
    ],
    expect: { content: "A", datestamp: day3, deleted: true, sets: [] },
    last: { stale: 1 },
  },
  {
    name: "19 published again with the same content it lives again",
    steps: [
      { put: "A", datestamp: day1 },
      { withdraw: "tombstone", datestamp: day2 },
      { put: "A", datestamp: day3 },
    ],
    expect: { content: "A", datestamp: day3 },
    last: { updated: 1 },
  },
  {
    name: "20 found missing and back with the same sequence it lives again",
    steps: [{ put: "A", sequence: 5 }, { withdraw: "missing-from-snapshot" }, { put: "A", sequence: 5 }],
    expect: { content: "A", sequence: 5 },
    last: { updated: 1 },
  },
  {
    name: "21 after a tombstone the same sequence is stale",
    steps: [{ put: "A", sequence: 5 }, { withdraw: "tombstone" }, { put: "A", sequence: 5 }],
    expect: { content: "A", sequence: 5, deleted: true, sets: [] },
    last: { stale: 1 },
  },
  {
    name: "C50 deleted in one set, alive in another: it lives",
    steps: [
      { put: "A", set: "a" },
      { touch: true, set: "b" },
      { withdraw: "tombstone", set: "a" },
    ],
    expect: { content: "A", sets: ["b"] },
    last: {},
  },
  {
    name: "C50 withdrawn when the last membership ends",
    steps: [
      { put: "A", set: "a" },
      { touch: true, set: "b" },
      { withdraw: "tombstone", set: "a" },
      { withdraw: "tombstone", set: "b" },
    ],
    expect: { content: "A", deleted: true, sets: [] },
    last: { withdrawn: 1 },
  },
  {
    name: "C50 a tombstone in a set it never belonged to changes nothing",
    steps: [
      { put: "A", set: "a" },
      { withdraw: "tombstone", set: "b" },
    ],
    expect: { content: "A", sets: ["a"] },
    last: {},
  },
  {
    name: "C50 gone from the whole repository ends every membership",
    steps: [
      { put: "A", set: "a" },
      { touch: true, set: "" },
      { withdraw: "tombstone", set: "" },
    ],
    expect: { content: "A", deleted: true, sets: [] },
    last: { withdrawn: 1 },
  },
  {
    name: "a stale delivery still proves its membership",
    steps: [
      { put: "B", datestamp: day2, set: "a" },
      { put: "A", datestamp: day1, set: "b" },
    ],
    expect: { content: "B", datestamp: day2, sets: ["a", "b"] },
    last: { stale: 1 },
  },
  {
    name: "published again it belongs only where it was seen",
    steps: [
      { put: "A", set: "a" },
      { withdraw: "missing-from-snapshot", set: "a" },
      { put: "B", set: "b" },
    ],
    expect: { content: "B", sets: ["b"] },
    last: { updated: 1 },
  },
  {
    name: "a touch notes other bytes and a later datestamp",
    steps: [
      { put: "A", datestamp: day1 },
      { touch: true, datestamp: day2, raw: "A'" },
    ],
    expect: { content: "A", datestamp: day2, raw: "A'" },
    last: {},
  },
  {
    name: "a touch does not revive",
    steps: [
      { put: "A", datestamp: day1 },
      { withdraw: "tombstone", datestamp: day2 },
      { touch: true, datestamp: day3 },
    ],
    expect: { content: "A", datestamp: day2, deleted: true, sets: [] },
    last: {},
  },
  {
    name: "C22 a datestamp no database knows counts as none",
    steps: [
      { put: "A", datestamp: day1 },
      { put: "B", datestamp: "0000-02-30T00:00:00Z" },
    ],
    expect: { content: "B", datestamp: day1 },
    last: { updated: 1 },
  },
  {
    name: "C49 a tombstone for an identifier never seen stores nothing",
    steps: [{ put: "A" }, { withdraw: "tombstone", set: "other" }],
    expect: { content: "A" },
    last: {},
  },
];

function batchOf(step: Step): Batch {
  const identifier = "r1";
  const set = step.set ?? "";
  const dated = step.datestamp === undefined ? {} : { datestamp: step.datestamp };
  if ("withdraw" in step)
    return batch({ withdrawals: [{ identifier, set, reason: step.withdraw, ...dated }] });
  const raw = step.raw === undefined ? {} : { rawChecksum: sha(`raw ${step.raw}`) };
  if ("touch" in step) return batch({ touches: [{ identifier, set, ...dated, ...raw }] });
  const sequence = step.sequence === undefined ? {} : { sequence: step.sequence };
  return batch({ changes: [change(identifier, step.put, { set, ...dated, ...sequence, ...raw })] });
}

const nothing = { inserted: 0, updated: 0, withdrawn: 0, quarantined: 0, stale: 0, healed: 0 };

for (const engine of engines) {
  describe.skipIf(engine.missing)(`what a delivery does, on ${engine.name}`, () => {
    let opened: OpenEngine;
    let run: RunStore;

    beforeAll(async () => {
      opened = await engine.open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      run = await (await opened.freshStore()).begin(runStart());
    });
    afterEach(() => run.finish(runEnd()));

    it.each(upsertCases)("$name", async (given) => {
      let result = nothing;
      for (const step of given.steps) result = await run.commit(batchOf(step));
      expect(result).toEqual({ ...nothing, ...given.last });
      const { content, raw = content, deleted = false, sets = [""], sequence, datestamp } = given.expect;
      const state = (await run.loadStates(["r1"])).get("r1")!;
      expect({
        ...state,
        checksum: hex(state.checksum),
        rawChecksum: hex(state.rawChecksum),
        sets: [...state.sets].sort(),
      }).toEqual({
        checksum: hex(sha(content)),
        rawChecksum: hex(sha(`raw ${raw}`)),
        deleted,
        sets,
        ...(sequence === undefined ? {} : { sequence }),
        ...(datestamp === undefined ? {} : { datestamp }),
      });
    });
  });
}
