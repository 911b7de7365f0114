import { describe, expect, it } from "vitest";
import { inOrder } from "./in-order.js";

async function* numbers(upTo: number, read: number[] = []): AsyncGenerator<number, void, void> {
  for (let n = 1; n <= upTo; n += 1) {
    read.push(n);
    yield n;
    await Promise.resolve();
  }
}

function later<T>(value: T, turns: number): Promise<T> {
  return turns === 0
    ? Promise.resolve(value)
    : new Promise((done) =>
        setImmediate(() => {
          done(later(value, turns - 1));
        }),
      );
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

describe("inOrder", () => {
  it("gives results in the order of the items, though later ones finish first", async () => {
    const results = await collect(inOrder(numbers(5), (n) => later(n * 10, 6 - n), 3));
    expect(results).toEqual([10, 20, 30, 40, 50]);
  });

  it("works on no more than atOnce items at a time", async () => {
    let now = 0;
    let most = 0;
    const work = async (n: number): Promise<number> => {
      now += 1;
      most = Math.max(most, now);
      await later(n, 3);
      now -= 1;
      return n;
    };
    await collect(inOrder(numbers(20), work, 4));
    expect(most).toBeLessThanOrEqual(5);
    expect(most).toBeGreaterThan(1);
  });

  it("hands over the results before a failure, then the failure", async () => {
    async function* failing(): AsyncGenerator<number, void, void> {
      yield 1;
      yield 2;
      await Promise.resolve();
      throw new Error("cut");
    }
    const seen: number[] = [];
    await expect(async () => {
      for await (const n of inOrder(failing(), (x) => Promise.resolve(x), 2)) seen.push(n);
    }).rejects.toThrow("cut");
    expect(seen).toEqual([1, 2]);
  });

  it("hands over a failure of the work in its turn", async () => {
    const seen: number[] = [];
    const work = (n: number): Promise<number> => (n === 3 ? Promise.reject(new Error("bad 3")) : later(n, 2));
    await expect(async () => {
      for await (const n of inOrder(numbers(9), work, 3)) seen.push(n);
    }).rejects.toThrow("bad 3");
    expect(seen).toEqual([1, 2]);
  });

  it("closes the source when the consumer stops early", async () => {
    let closed = false;
    async function* source(): AsyncGenerator<number, void, void> {
      try {
        for (let n = 0; ; n += 1) yield await later(n, 1);
      } finally {
        closed = true;
      }
    }
    for await (const n of inOrder(source(), (x) => Promise.resolve(x), 2)) if (n >= 3) break;
    expect(closed).toBe(true);
  });

  it("ends at once on an empty source", async () => {
    expect(await collect(inOrder(numbers(0), (n) => Promise.resolve(n), 2))).toEqual([]);
  });
});
