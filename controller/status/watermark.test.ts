import { describe, expect, it } from "vitest";
import { finishedRun, liveSource } from "./inputs-for-tests.js";
import { watermarkAfter } from "./watermark.js";

const [t1, t2, t3, t4] = [1, 2, 3, 4].map((day) => `2026-11-0${String(day)}T00:00:00Z`) as [
  string,
  string,
  string,
  string,
];
const both = { sets: ["a", "b"] };

describe("watermarkAfter", () => {
  it.each([
    { name: "the first", before: undefined, cursors: [{ set: "", after: t1 }], expect: t1 },
    { name: "forward", before: t1, cursors: [{ set: "", before: t1, after: t2 }], expect: t2 },
    { name: "it stands", before: t2, cursors: [{ set: "", before: t2, after: t2 }], expect: t2 },
    { name: "a report without cursors", before: t2, cursors: [], expect: t2 },
    { name: "nothing committed yet", before: undefined, cursors: [{ set: "" }], expect: undefined },
    {
      name: "the oldest of all sets",
      before: t1,
      spec: both,
      cursors: [
        { set: "b", before: t1, after: t4 },
        { set: "a", before: t1, after: t3 },
      ],
      expect: t3,
    },
    {
      name: "a set is missing in a report that was cut",
      before: t1,
      spec: both,
      cursors: [{ set: "a", before: t1, after: t3 }],
      expect: t1,
    },
    {
      name: "a new set has nothing yet",
      before: t2,
      spec: both,
      cursors: [{ set: "a", before: t2, after: t3 }, { set: "b" }],
      expect: undefined,
    },
    {
      name: "a new set begins earlier",
      before: t3,
      spec: both,
      cursors: [
        { set: "a", before: t3, after: t4 },
        { set: "b", after: t2 },
      ],
      expect: t2,
    },
    { name: "another address, all is new", before: t3, cursors: [{ set: "", after: t1 }], expect: t1 },
    {
      name: "back to an address of before",
      before: t4,
      cursors: [{ set: "", before: t1, after: t2 }],
      expect: t2,
    },
    { name: "never back by itself", before: t3, cursors: [{ set: "", before: t3, after: t2 }], expect: t3 },
    {
      name: "a run of the old format",
      before: t3,
      run: { prefix: "oai_dc" },
      cursors: [{ set: "", before: t3, after: t4 }],
      expect: t3,
    },
    {
      name: "a run of the old address",
      before: t3,
      run: { endpoint: "https://old.example.gov/oai" },
      cursors: [{ set: "", before: t3, after: t4 }],
      expect: t3,
    },
    {
      name: "its address without what is secret",
      before: t3,
      spec: { baseUrl: "https://gis.example.gov/oai?key=1" },
      run: { endpoint: "https://gis.example.gov/oai?key=***" },
      cursors: [{ set: "", before: t3, after: t4 }],
      expect: t4,
    },
    {
      name: "a run of other sets",
      before: t3,
      spec: both,
      cursors: [{ set: "", before: t3, after: t4 }],
      expect: t3,
    },
  ])("$name", ({ before, spec, run, cursors, expect: expected }) => {
    const { spec: whole } = liveSource(undefined, spec);
    expect(watermarkAfter(before, finishedRun({ ...run, cursors }), whole)).toBe(expected);
  });
});
