import { describe, expect, it } from "vitest";
import { fakeClock, settle } from "../../tests/setup/fake-clock.js";
import { createWorkQueue, type HandledKey, type LookAgain } from "./work-queue.js";

interface Call {
  readonly key: string;
  readonly stopped: AbortSignal;
  done(again?: LookAgain): void;
  fail(problem?: unknown): void;
}

function bench({ workers = 2, graceMs = 30_000 } = {}) {
  const clock = fakeClock();
  const calls: Call[] = [];
  const worked: HandledKey[] = [];
  const seen: string[] = [];
  const queue = createWorkQueue({
    clock,
    random: () => 0,
    graceMs,
    hooks: {
      added: () => seen.push("added"),
      retried: () => seen.push("retried"),
      taken: (waited) => seen.push(`taken after ${String(waited)}`),
      worked: (work) => worked.push(work),
    },
  });
  const stop = new AbortController();
  const run = () =>
    queue.run(
      workers,
      (key, stopped) =>
        new Promise((resolve, reject) => {
          calls.push({ key, stopped, done: resolve, fail: reject });
        }),
      stop.signal,
    );
  const keys = () => calls.map(({ key }) => key);
  return { clock, calls, worked, seen, queue, stop, run, keys };
}

describe("the work queue", () => {
  it("keeps what is added before there are workers, each key once, in the order of the first add", async () => {
    const { queue, run, keys, calls, seen } = bench({ workers: 1 });
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    expect(queue.snapshot()).toMatchObject({ depth: 3, working: 0 });
    expect(seen).toEqual(["added", "added", "added"]);
    void run();
    for (let turn = 0; turn < 3; turn += 1) {
      calls[turn]!.done();
      await settle();
    }
    expect(keys()).toEqual(["a", "b", "c"]);
  });

  it("works with no more keys at once than it has workers", async () => {
    const { queue, run, keys, calls } = bench({ workers: 2 });
    void run();
    for (const key of ["a", "b", "c"]) queue.add(key);
    expect(keys()).toEqual(["a", "b"]);
    calls[1]!.done();
    await settle();
    expect(keys()).toEqual(["a", "b", "c"]);
  });

  it("remembers a key that is added while it is at work, and takes it again behind those that wait", async () => {
    const { queue, run, keys, calls } = bench({ workers: 1 });
    void run();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect(keys()).toEqual(["a"]);
    for (let turn = 0; turn < 3; turn += 1) {
      calls[turn]!.done();
      await settle();
    }
    expect(keys()).toEqual(["a", "b", "a"]);
    expect(queue.snapshot()).toMatchObject({ depth: 0, working: 0 });
  });

  it("of several dates for one key keeps the earliest", async () => {
    const { queue, run, keys, clock, calls } = bench();
    void run();
    queue.addAfter("a", 5_000);
    queue.addAfter("a", 2_000);
    queue.addAfter("a", 9_000);
    await clock.pass(1_999);
    expect(keys()).toEqual([]);
    await clock.pass(1);
    expect(keys()).toEqual(["a"]);
    calls[0]!.done();
    await clock.pass(60_000);
    expect(keys()).toEqual(["a"]);
  });

  it("keeps the date when the key is worked on earlier", async () => {
    const { queue, run, keys, clock, calls } = bench();
    void run();
    queue.addAfter("a", 5_000);
    queue.add("a");
    calls[0]!.done();
    await clock.pass(5_000);
    expect(keys()).toEqual(["a", "a"]);
  });

  it("brings a key that failed back after 750 ms, 1.5 s, 3 s, and after a success begins anew", async () => {
    const { queue, run, keys, clock, calls, worked } = bench();
    void run();
    queue.add("a");
    for (const [turn, ms] of [750, 1_500, 3_000].entries()) {
      calls[turn]!.fail(new Error("no"));
      await clock.pass(ms - 1);
      expect(keys()).toHaveLength(turn + 1);
      await clock.pass(1);
      expect(keys()).toHaveLength(turn + 2);
    }
    expect(worked.map(({ result, failures }) => `${result} ${String(failures)}`)).toEqual([
      "error 1",
      "error 2",
      "error 3",
    ]);
    calls[3]!.done();
    await settle();
    expect(queue.failures("a")).toBe(0);
    queue.add("a");
    calls[4]!.fail();
    await clock.pass(750);
    expect(keys()).toHaveLength(6);
  });

  it("looks again when the handler asks for it", async () => {
    const { queue, run, keys, clock, calls, worked } = bench();
    void run();
    queue.add("a");
    calls[0]!.done({ afterMs: 86_400_000 });
    await clock.pass(86_399_999);
    expect(keys()).toHaveLength(1);
    await clock.pass(1);
    expect(keys()).toHaveLength(2);
    expect(worked.map(({ result }) => result)).toEqual(["requeue_after"]);
  });

  it.each([-5, 0, NaN])("does not become a hot loop when the handler asks for %d ms", async (afterMs) => {
    const { queue, run, keys, clock, calls } = bench();
    void run();
    queue.add("a");
    calls[0]!.done({ afterMs });
    await clock.pass(999);
    expect(keys()).toHaveLength(1);
    await clock.pass(1);
    expect(keys()).toHaveLength(2);
  });

  it("takes a handler that throws before it promises anything for one that failed", async () => {
    const { queue, clock } = bench();
    const tries: string[] = [];
    void queue.run(
      1,
      (key) => {
        tries.push(key);
        throw new Error("at once");
      },
      new AbortController().signal,
    );
    queue.add("a");
    await clock.pass(750);
    expect(tries).toEqual(["a", "a"]);
  });

  it("tells how long keys waited and how old unfinished work is", async () => {
    const { queue, run, clock, calls, seen, worked } = bench({ workers: 1 });
    void run();
    queue.add("a");
    queue.add("b");
    await clock.pass(4_000);
    expect(queue.snapshot()).toEqual({
      depth: 1,
      delayed: 0,
      working: 1,
      unfinishedSeconds: 4,
      longestSeconds: 4,
    });
    calls[0]!.done();
    await settle();
    expect(seen.filter((word) => word.startsWith("taken"))).toEqual(["taken after 0", "taken after 4"]);
    expect(worked).toEqual([{ key: "a", result: "success", failures: 0, seconds: 4 }]);
  });

  it("after the stop takes nothing in, begins nothing, and ends when the work in progress is done", async () => {
    const { queue, run, keys, clock, calls, stop } = bench({ workers: 1 });
    const ended = run();
    queue.add("a");
    queue.add("b");
    queue.addAfter("d", 10);
    stop.abort();
    queue.add("c");
    queue.retry("e");
    await clock.pass(1_000);
    expect(calls[0]!.stopped.aborted).toBe(false);
    calls[0]!.done();
    expect(await ended).toEqual([]);
    expect(keys()).toEqual(["a"]);
    expect(clock.waiting).toBe(0);
  });

  it("waits no longer than the grace period, tells the work so, and names what was not done", async () => {
    const { queue, run, clock, calls, stop } = bench({ workers: 2, graceMs: 20_000 });
    const ended = run();
    queue.add("a");
    queue.add("b");
    stop.abort();
    calls[0]!.done();
    await clock.pass(20_000);
    expect(await ended).toEqual(["b"]);
    expect(calls[1]!.stopped.aborted).toBe(true);
  });

  it("ends at once when it was stopped before it began", async () => {
    const { queue, run, keys, stop } = bench();
    queue.add("a");
    stop.abort();
    expect(await run()).toEqual([]);
    expect(keys()).toEqual([]);
  });
});
