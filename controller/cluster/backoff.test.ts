import { describe, expect, it } from "vitest";
import { backoffMs } from "./backoff.js";

describe("waiting after failures", () => {
  const table = [
    { failures: 0, least: 800, most: 1_600 },
    { failures: 1, least: 800, most: 1_600 },
    { failures: 2, least: 1_600, most: 3_200 },
    { failures: 3, least: 3_200, most: 6_400 },
    { failures: 4, least: 6_400, most: 12_800 },
    { failures: 5, least: 12_800, most: 25_600 },
    { failures: 6, least: 15_000, most: 30_000 },
    { failures: 7, least: 15_000, most: 30_000 },
    { failures: 1_000_000, least: 15_000, most: 30_000 },
  ];
  it.each(table)("after $failures: $least to $most ms", ({ failures, least, most }) => {
    expect(backoffMs(failures, 0)).toBe(least);
    expect(backoffMs(failures, 0.5)).toBe((least + most) / 2);
    expect(backoffMs(failures, 0.999_999_9)).toBe(most);
  });
});
