import { describe, expect, it } from "vitest";
import { createBucket } from "./rate-limit.js";

describe("createBucket", () => {
  it("gives the burst at once, then one after another", () => {
    const bucket = createBucket({ perSecond: 10, burst: 3 }, 0);
    expect([0, 0, 0, 0, 0].map((at) => bucket.take(at))).toEqual([0, 0, 0, 100, 200]);
  });

  it("fills again in quiet times, never beyond the burst", () => {
    const bucket = createBucket({ perSecond: 10, burst: 2 }, 0);
    expect([0, 0, 60_000, 60_000, 60_000].map((at) => bucket.take(at))).toEqual([0, 0, 0, 0, 100]);
  });

  it("lets half a token be half a wait", () => {
    const bucket = createBucket({ perSecond: 10, burst: 1 }, 0);
    expect([0, 50].map((at) => bucket.take(at))).toEqual([0, 50]);
  });
});
