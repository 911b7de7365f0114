import { describe, expect, it } from "vitest";
import { InFlightLimit, pace } from "./throttle.js";

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("InFlightLimit", () => {
  it("never lets more run at once than there are places, and serves in order", async () => {
    const limit = new InFlightLimit(2);
    const began: number[] = [];
    const finish: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const all = Promise.all(
      [0, 1, 2, 3, 4].map((n) =>
        limit.run(async () => {
          began.push(n);
          running += 1;
          most = Math.max(most, running);
          await new Promise<void>((resolve) => finish.push(resolve));
          running -= 1;
        }),
      ),
    );
    for (let round = 0; round < 5; round += 1) {
      await settle();
      finish[round]?.();
    }
    await all;
    expect(began).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
  });

  it("gives a place back when the task fails", async () => {
    const limit = new InFlightLimit(1);
    await expect(limit.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await limit.run(() => Promise.resolve("yes"))).toBe("yes");
  });

  it("gives a place back once, however often it is told to", async () => {
    const limit = new InFlightLimit(1);
    const release = await limit.take();
    release();
    release();
    await limit.take();
    let second = false;
    void limit.take().then(() => (second = true));
    await settle();
    expect(second).toBe(false);
  });

  it("who is aborted while waiting leaves the queue, and the next is served", async () => {
    const limit = new InFlightLimit(1);
    const release = await limit.take();
    const stop = new AbortController();
    const aborted = limit.take(stop.signal).catch((error: unknown) => error);
    const next = limit.take();
    stop.abort();
    expect(await aborted).toMatchObject({ kind: "interrupted" });
    release();
    (await next)();
    await expect(limit.take(AbortSignal.abort())).rejects.toMatchObject({ kind: "interrupted" });
    (await limit.take())();
  });
});

describe("pace", () => {
  it("reserves one request and waits as long as it is told", async () => {
    const asked: number[] = [];
    const slept: number[] = [];
    await pace({
      requestsPerSecond: 2,
      reserve: (rate) => {
        asked.push(rate);
        return Promise.resolve(750);
      },
      sleep: (ms) => {
        slept.push(ms);
        return Promise.resolve();
      },
    });
    expect([asked, slept]).toEqual([[2], [750]]);
  });

  it("reserves nothing without a rate", async () => {
    await pace({
      reserve: () => Promise.reject(new Error("asked")),
      sleep: () => Promise.reject(new Error("slept")),
    });
  });
});
