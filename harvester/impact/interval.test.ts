import { expect, it } from "vitest";
import { confidenceInterval } from "./interval.js";

/**
 * By hand: with 10 records and 5 looked at, `total` of them bad, the chance to find none is C(10 - total, 5) / C(10, 5),
 * with C(10, 5) = 252: 1 → 126/252 = 0.5, 2 → 56/252 = 0.222, 3 → 21/252 = 0.083, 4 → 6/252 = 0.024 < 0.025.
 * One found: at least one when 1 is bad → 0.5. At most one when 6 are bad: none is impossible, exactly one is
 * C(6, 1) C(4, 4) / 252 = 6/252 = 0.024 < 0.025; when 5 are: (C(5, 5) + C(5, 1) C(5, 4)) / 252 = 26/252 = 0.103.
 */
it.each([
  { name: "none found", given: { population: 10, size: 5, found: 0 }, expect: { low: 0, high: 3 } },
  { name: "one found", given: { population: 10, size: 5, found: 1 }, expect: { low: 1, high: 5 } },
  { name: "all found", given: { population: 10, size: 5, found: 5 }, expect: { low: 7, high: 10 } },
  { name: "nothing left to guess", given: { population: 7, size: 7, found: 3 }, expect: { low: 3, high: 3 } },
  { name: "nothing looked at", given: { population: 4, size: 0, found: 0 }, expect: { low: 0, high: 4 } },
  { name: "nothing there", given: { population: 0, size: 0, found: 0 }, expect: { low: 0, high: 0 } },
  // The rule of three in its exact form: 1 - 0.025^(1/1000) = 0.00368 of very many.
  {
    name: "none of a thousand of ten million",
    given: { population: 10_000_000, size: 1000, found: 0 },
    expect: { low: 0, high: 36_818 },
  },
])("$name", ({ given, expect: expected }) => {
  expect(confidenceInterval(given)).toEqual(expected);
});

it("holds as often as it says, whatever the truth is", () => {
  const [population, size] = [60, 12];
  for (let truth = 0; truth <= population; truth += 1) {
    let covered = 0;
    for (let found = 0; found <= Math.min(size, truth); found += 1) {
      const { low, high } = confidenceInterval({ population, size, found });
      if (low <= truth && truth <= high) covered += chance({ population, size, truth, found });
    }
    expect(covered).toBeGreaterThanOrEqual(0.95 - 1e-9);
  }
});

function chance(of: { population: number; size: number; truth: number; found: number }): number {
  const { population, size, truth, found } = of;
  return (choose(truth, found) * choose(population - truth, size - found)) / choose(population, size);
}

function choose(of: number, take: number): number {
  if (take < 0 || take > of) return 0;
  let product = 1;
  for (let i = 1; i <= take; i += 1) product = (product * (of - take + i)) / i;
  return product;
}
