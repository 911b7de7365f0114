import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock, settle } from "../../tests/setup/fake-clock.js";
import { createWorkQueue, type LookAgain, type WorkQueue } from "./work-queue.js";

const key = fc.constantFrom("a", "b", "c", "d");
const step = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), key }),
  fc.record({ kind: fc.constant("retry" as const), key }),
  fc.record({ kind: fc.constant("forget" as const), key }),
  fc.record({ kind: fc.constant("addAfter" as const), key, ms: fc.nat(5_000) }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(3_000) }),
  fc.record({
    kind: fc.constant("end" as const),
    which: fc.nat(9),
    how: fc.constantFrom("done" as const, "fail" as const, "again" as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Work {
  readonly key: string;
  readonly resolve: (again?: LookAgain) => void;
  readonly reject: (problem: unknown) => void;
}

/** Runs the steps against a queue and notes, in one count of moments, when a key was wanted and when its work began. */
class Trial {
  readonly clock = fakeClock();
  readonly queue: WorkQueue = createWorkQueue({ clock: this.clock, random: () => 0.5 });
  readonly wanted = new Map<string, number>();
  readonly began = new Map<string, number>();
  readonly working: Work[] = [];
  collisions = 0;
  moment = 0;

  handle(this: Trial, name: string): Promise<LookAgain | undefined> {
    if (this.working.some((work) => work.key === name)) this.collisions += 1;
    this.began.set(name, ++this.moment);
    return new Promise((resolve, reject) => {
      this.working.push({ key: name, resolve, reject });
    });
  }

  want(name: string): void {
    this.wanted.set(name, ++this.moment);
  }

  async take(next: Step): Promise<void> {
    if (next.kind === "pass") await this.clock.pass(next.ms);
    else if (next.kind === "end") await this.end(next.which, next.how);
    else if (next.kind === "forget") this.queue.forget(next.key);
    else {
      this.want(next.key);
      if (next.kind === "addAfter") this.queue.addAfter(next.key, next.ms);
      else this.queue[next.kind](next.key);
    }
  }

  async end(which: number, how: "done" | "fail" | "again"): Promise<void> {
    const [work] = this.working.splice(which % Math.max(1, this.working.length), 1);
    if (work === undefined) return;
    if (how !== "done") this.want(work.key);
    if (how === "done") work.resolve();
    else if (how === "again") work.resolve({ afterMs: 1_000 });
    else work.reject(new Error("failed"));
    await settle();
  }

  /** Ends all work well and lets all dates come. */
  async drain(): Promise<void> {
    for (let round = 0; round < 100; round += 1) {
      while (this.working.length > 0) await this.end(0, "done");
      await this.clock.pass(900_000);
      if (this.working.length === 0 && this.queue.snapshot().delayed === 0) return;
    }
  }
}

describe("any order of adds, dates, failures and ends", () => {
  it("never works on one key twice at once, and never loses a key", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, workers) => {
          const trial = new Trial();
          void trial.queue.run(workers, (name) => trial.handle(name), new AbortController().signal);
          for (const next of steps) await trial.take(next);
          await trial.drain();
          expect(trial.collisions).toBe(0);
          for (const [name, moment] of trial.wanted) expect(trial.began.get(name)).toBeGreaterThan(moment);
          expect(trial.queue.snapshot()).toMatchObject({ depth: 0, working: 0, delayed: 0 });
        },
      ),
      { numRuns: 150 },
    );
  });
});
