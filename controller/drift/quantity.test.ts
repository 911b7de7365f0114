import { describe, expect, it } from "vitest";
import { sameQuantity } from "./quantity.js";

describe("sameQuantity", () => {
  const table: { a: unknown; b: unknown; same: boolean }[] = [
    { a: "1", b: "1000m", same: true },
    { a: 1, b: "1", same: true },
    { a: "0.5", b: "500m", same: true },
    { a: ".5", b: "500m", same: false },
    { a: "1024Mi", b: "1Gi", same: true },
    { a: "1.5Gi", b: "1536Mi", same: true },
    { a: "1e3", b: "1k", same: true },
    { a: "1E3", b: "1000", same: true },
    { a: "1E", b: "1000P", same: true },
    { a: "1G", b: "1Gi", same: false },
    { a: "1", b: "1m", same: false },
    { a: "-1", b: "1", same: false },
    { a: "0", b: "0Gi", same: true },
    { a: "1e999999999", b: "1e999999999", same: false },
    { a: "9".repeat(100), b: "9".repeat(100), same: false },
    { a: "abc", b: "abc", same: false },
    { a: undefined, b: "0", same: false },
  ];
  it.each(table)("$a and $b: $same", ({ a, b, same }) => {
    expect(sameQuantity(a, b)).toBe(same);
  });
});
