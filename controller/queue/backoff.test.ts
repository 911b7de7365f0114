import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.js";

describe("how long a key that failed waits", () => {
  it.each([
    { name: "the first failure", failures: 1, random: 0, expect: 750 },
    { name: "the first failure, by chance later", failures: 1, random: 0.5, expect: 1_125 },
    { name: "the second", failures: 2, random: 0, expect: 1_500 },
    { name: "the fifth", failures: 5, random: 0, expect: 12_000 },
    { name: "the tenth", failures: 10, random: 0, expect: 384_000 },
    { name: "the eleventh is at the bound", failures: 11, random: 0, expect: 450_000 },
    { name: "a failure that never ends", failures: 100_000, random: 0.999999999, expect: 900_000 },
    { name: "a count that is none", failures: 0, random: 0, expect: 750 },
  ])("$name", ({ failures, random, expect: ms }) => {
    expect(backoffMs(failures, random)).toBe(ms);
  });

  it("is never outside 750 ms to 15 min", () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
        const ms = backoffMs(failures, random);
        expect(ms).toBeGreaterThanOrEqual(750);
        expect(ms).toBeLessThanOrEqual(900_000);
      }),
    );
  });
});
