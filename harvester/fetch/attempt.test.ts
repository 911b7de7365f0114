import { describe, expect, it } from "vitest";
import { Fault } from "../fault.js";
import { attempt, type AttemptOptions, type WaitNotice } from "./attempt.js";

const policy = { initialMs: 1000, maxMs: 60_000, jitter: "none", maxAttempts: 3 } as const;

interface Bench extends AttemptOptions {
  readonly slept: number[];
  readonly notices: WaitNotice[];
}

function bench(over: Partial<AttemptOptions> = {}): Bench {
  const slept: number[] = [];
  const notices: WaitNotice[] = [];
  return {
    policy,
    respectRetryAfter: true,
    maxWaitMs: () => 3_600_000,
    random: () => 0.5,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    onWait: (notice) => notices.push(notice),
    slept,
    notices,
    ...over,
  };
}

function transient(retryAfterMs?: number): Fault {
  const detail = { code: "ServerError", sentence: "It failed with status 502.", status: 502 };
  return new Fault("transient", retryAfterMs === undefined ? detail : { ...detail, retryAfterMs });
}

function failing(faults: readonly unknown[]): (n: number) => Promise<string> {
  return (n) =>
    n <= faults.length ? Promise.reject(faults[n - 1] as Error) : Promise.resolve(`answer ${String(n)}`);
}

describe("attempt", () => {
  it("answers at once without a wait", async () => {
    const options = bench();
    expect(await attempt(failing([]), options)).toBe("answer 1");
    expect(options.slept).toEqual([]);
  });

  it("C78 a 502 in the middle, then fine: the same request again, each wait told", async () => {
    const options = bench();
    expect(await attempt(failing([transient(), transient()]), options)).toBe("answer 3");
    expect(options.slept).toEqual([1000, 2000]);
    expect(options.notices.map(({ attempt: n, ms, reason }) => [n, ms, reason])).toEqual([
      [1, 1000, "backoff"],
      [2, 2000, "backoff"],
    ]);
  });

  it("gives up after maxAttempts and says how often it tried", async () => {
    const thrown = await attempt(failing([transient(), transient(), transient()]), bench()).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({
      kind: "transient",
      message: "It failed with status 502. (3 attempts)",
      detail: { status: 502 },
    });
  });

  it("C87 a 404 is thrown as it is, after one request", async () => {
    const gone = new Fault("gone", { code: "NotFound", sentence: "Nothing here." });
    const options = bench();
    expect(await attempt(failing([gone]), options).catch((error: unknown) => error)).toBe(gone);
    expect(options.slept).toEqual([]);
  });

  it("C74 Retry-After longer than the run: thrown with the quiet in full, no wait", async () => {
    const options = bench({ maxWaitMs: () => 60_000 });
    const thrown = await attempt(failing([transient(86_400_000)]), options).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      message: "It failed with status 502. The next request may be sent in 24 h.",
      detail: { retryAfterMs: 86_400_000 },
    });
    expect(options.slept).toEqual([]);
  });

  it("what is no Fault is our bug, and not tried again", async () => {
    const thrown = await attempt(failing([new TypeError("x is undefined")]), bench()).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ kind: "bug" });
  });

  it("an abort during the wait ends it as interrupted", async () => {
    const stop = new AbortController();
    const options = bench({
      signal: stop.signal,
      sleep: () => {
        stop.abort();
        return Promise.reject(new Error("aborted"));
      },
    });
    const thrown = await attempt(failing([transient()]), options).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ kind: "interrupted", code: "Interrupted" });
  });

  it("an abort with a Fault as its reason is thrown as that Fault", async () => {
    const stop = new AbortController();
    const reason = new Fault("interrupted", { code: "RunTimeOver", sentence: "Time is over." });
    stop.abort(reason);
    expect(await attempt(failing([]), bench({ signal: stop.signal })).catch((error: unknown) => error)).toBe(
      reason,
    );
  });
});
