import { describe, expect, it } from "vitest";
import { sameStatus } from "./same-status.js";

describe("sameStatus", () => {
  const a = { type: "A", status: "True", reason: "R", message: "m", lastTransitionTime: "t" } as const;
  const b = { ...a, type: "B" };
  it.each([
    { name: "nothing and nothing", one: undefined, two: {}, expect: true },
    { name: "absent and undefined", one: { summary: undefined }, two: {}, expect: true },
    {
      name: "order",
      one: { records: 1, conditions: [a, b] },
      two: { conditions: [b, a], records: 1 },
      expect: true,
    },
    { name: "a number", one: { records: 1 }, two: { records: 2 }, expect: false },
    {
      name: "a message",
      one: { conditions: [a] },
      two: { conditions: [{ ...a, message: "n" }] },
      expect: false,
    },
    { name: "no condition", one: { conditions: [a] }, two: {}, expect: false },
    {
      name: "within",
      one: { lastRun: { counts: { read: 1 } } },
      two: { lastRun: { counts: {} } },
      expect: false,
    },
  ])("$name", ({ one, two, expect: expected }) => {
    expect(sameStatus(one, two)).toBe(expected);
    expect(sameStatus(two, one)).toBe(expected);
  });
});
