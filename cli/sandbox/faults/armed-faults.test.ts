import { describe, expect, it } from "vitest";
import { ArmedFaults, type Occasion } from "./armed-faults.js";
import type { ServerFault } from "./server-faults.js";

const identify: Occasion = { verb: "Identify", page: 1 };
function page(n: number): Occasion {
  return { verb: "ListRecords", page: n };
}

const cases: readonly {
  name: string;
  fault: ServerFault;
  given: readonly Occasion[];
  expect: readonly boolean[];
}[] = [
  { name: "strikes once", fault: { kind: "status" }, given: [identify, identify], expect: [true, false] },
  {
    name: "strikes as often as asked",
    fault: { kind: "status", times: 2 },
    given: [identify, identify, identify],
    expect: [true, true, false],
  },
  {
    name: "0 = until switched off",
    fault: { kind: "status", times: 0 },
    given: [identify, identify, identify],
    expect: [true, true, true],
  },
  {
    name: "lets some pass first",
    fault: { kind: "status", after: 2 },
    given: [identify, identify, identify, identify],
    expect: [false, false, true, false],
  },
  {
    name: "strikes one verb; others do not count",
    fault: { kind: "status", verb: "ListRecords", after: 1 },
    given: [page(1), identify, page(2)],
    expect: [false, false, true],
  },
  {
    name: "strikes one page",
    fault: { kind: "status", page: 2, verb: "ListRecords" },
    given: [page(1), page(2), page(2)],
    expect: [false, true, false],
  },
];

describe("ArmedFaults", () => {
  it.each(cases)("$name", ({ fault, given, expect: expected }) => {
    const armed = new ArmedFaults();
    armed.arm(fault);
    expect(given.map((occasion) => armed.strike(occasion).has("status"))).toEqual(expected);
  });

  it("several strike together, and one is switched off by its number", () => {
    const armed = new ArmedFaults();
    const first = armed.arm({ kind: "status", times: 0 });
    armed.arm({ kind: "byte-order-mark", times: 0 });
    expect(armed.strike(identify).kinds()).toEqual(["status", "byte-order-mark"]);
    armed.disarm(first);
    expect(armed.strike(identify).kinds()).toEqual(["byte-order-mark"]);
    armed.disarm();
    expect(armed.list()).toEqual([]);
  });
});
