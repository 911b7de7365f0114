import { describe, expect, it } from "vitest";
import { latestOfEach, slices } from "./batch.js";

interface Item {
  readonly identifier: string;
  readonly sequence?: number;
  readonly n?: number;
}

describe("a batch as it is written", () => {
  it.each<{ name: string; given: readonly Item[]; expect: readonly Item[] }>([
    {
      name: "sorted by identifier",
      given: [{ identifier: "b" }, { identifier: "a" }],
      expect: [{ identifier: "a" }, { identifier: "b" }],
    },
    {
      name: "C94 the last of two",
      given: [
        { identifier: "a", n: 1 },
        { identifier: "a", n: 2 },
      ],
      expect: [{ identifier: "a", n: 2 }],
    },
    {
      name: "C94 the highest sequence of two",
      given: [
        { identifier: "a", sequence: 9 },
        { identifier: "a", sequence: 8 },
      ],
      expect: [{ identifier: "a", sequence: 9 }],
    },
    {
      name: "C94 the last of two equal sequences",
      given: [
        { identifier: "a", sequence: 9, n: 1 },
        { identifier: "a", sequence: 9, n: 2 },
      ],
      expect: [{ identifier: "a", sequence: 9, n: 2 }],
    },
    {
      name: "the last where one has no sequence",
      given: [{ identifier: "a", sequence: 9 }, { identifier: "a" }],
      expect: [{ identifier: "a" }],
    },
    {
      name: "two identifiers alike but for what no database takes are one",
      given: [
        { identifier: "a\0", n: 1 },
        { identifier: "a\uFFFD", n: 2 },
      ],
      expect: [{ identifier: "a\uFFFD", n: 2 }],
    },
  ])("$name", ({ given, expect: expected }) => {
    expect(latestOfEach(given)).toEqual(expected);
  });

  it("is cut at 200 rows", () => {
    const items = Array.from({ length: 401 }, () => ({}));
    expect(slices(items).map((slice) => slice.length)).toEqual([200, 200, 1]);
  });

  it("is cut at 2 MiB of bodies; a bigger body stands alone", () => {
    const mebibyte = { packed: new Uint8Array(1024 * 1024) };
    const big = { packed: new Uint8Array(5 * 1024 * 1024) };
    expect(slices([mebibyte, mebibyte, mebibyte, big, mebibyte]).map((slice) => slice.length)).toEqual([
      2, 1, 1, 1,
    ]);
  });

  it("of nothing is nothing", () => {
    expect(slices([])).toEqual([]);
  });
});
