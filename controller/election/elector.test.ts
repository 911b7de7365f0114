import { describe, expect, it } from "vitest";
import { fakeClock, settle } from "../../tests/setup/fake-clock.js";
import { ApiFault } from "../api.js";
import type { KubeObject } from "../object.js";
import type { LeaseApi } from "./lease-door.js";
import { runElection } from "./run-election.js";

const settings = { leaseName: "controller", leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 };

function fault(status: number, reason: string): ApiFault {
  return new ApiFault(`${reason} (test)`, { status, reason, verb: "patch", resource: "leases" });
}

/** One lease with the optimistic lock of the API server, and ways to be ill. The real one is in tests/cluster/election.test.ts. */
function leaseServer() {
  let stored: KubeObject | undefined;
  let version = 0;
  const log: string[] = [];
  const server = {
    ill: undefined as undefined | "down" | "hangs" | "deaf",
    log,
    spec: () => stored?.["spec"] as Record<string, unknown> | undefined,
    put(spec: Record<string, unknown> | undefined) {
      version += 1;
      const metadata = { name: "controller", namespace: "harvest", resourceVersion: String(version) };
      stored =
        spec === undefined
          ? undefined
          : { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
      return stored;
    },
  };
  async function answer<T>(call: string, act: () => T): Promise<T> {
    log.push(call);
    if (server.ill === "down") throw fault(0, "ECONNREFUSED");
    if (server.ill === "hangs") return new Promise(() => undefined);
    const done = act();
    // The write arrives, its answer does not.
    if (server.ill === "deaf" && call !== "get") throw fault(0, "ECONNRESET");
    return Promise.resolve(done);
  }
  const api: LeaseApi = {
    get: () => answer("get", () => stored),
    create: (_, object) =>
      answer("create", () => {
        if (stored !== undefined) throw fault(409, "AlreadyExists");
        return server.put(object["spec"] as Record<string, unknown>)!;
      }),
    patch: (_, __, { body }) =>
      answer("patch", () => {
        const change = body as unknown as KubeObject;
        if (stored === undefined) throw fault(404, "NotFound");
        if (change.metadata.resourceVersion !== stored.metadata.resourceVersion) throw fault(409, "Conflict");
        return server.put({ ...server.spec(), ...(change["spec"] as object) })!;
      }),
  };
  return { api, server };
}

function bench() {
  const clock = fakeClock();
  const { api, server } = leaseServer();
  const candidate = (identity: string, own: { onLeading?: (signal: AbortSignal) => Promise<void> } = {}) => {
    const stop = new AbortController();
    const told: string[] = [];
    const faults: string[] = [];
    let finish: () => void = () => undefined;
    const election = runElection(
      {
        api,
        settings,
        namespace: "harvest",
        identity,
        clock,
        random: () => 0.5,
        onLeading: (signal) => {
          told.push("leads");
          signal.addEventListener("abort", () => told.push("work is to end"));
          return own.onLeading?.(signal) ?? new Promise((resolve) => (finish = resolve));
        },
        onLost: (sentence) => told.push(sentence),
        onNewLeader: (holder) => told.push(`leader ${holder.split("_")[0]!}`),
        onFault: (problem) => faults.push((problem as Error).message),
      },
      stop.signal,
    );
    return {
      election,
      stop,
      told,
      faults,
      finish: () => {
        finish();
      },
    };
  };
  return { clock, server, candidate };
}

describe("an election", () => {
  it("creates the lease, leads, and renews every two seconds with one request", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(6_000);
    expect(a.told).toEqual(["leader a", "leads"]);
    expect(server.log).toEqual(["get", "create", "patch", "patch", "patch"]);
    expect(server.spec()).toEqual({
      holderIdentity: expect.stringMatching(/^a_[0-9a-f-]{36}$/) as string,
      leaseDurationSeconds: 15,
      acquireTime: "2026-12-01T00:00:00.000000Z",
      renewTime: "2026-12-01T00:00:06.000000Z",
      leaseTransitions: 0,
    });
    expect(a.election.status()).toMatchObject({ leading: true, sinceRenewMs: 0, lastRenew: clock.now() });
  });

  it("lets the other lead when the lease of a silent leader is over by the other's own clock", async () => {
    const { clock, server, candidate } = bench();
    server.put({
      holderIdentity: "dead",
      leaseDurationSeconds: 15,
      leaseTransitions: 2,
      renewTime: "2026-12-01T05:00:00.000000Z",
    });
    const b = candidate("b");
    await clock.pass(14_999);
    expect(b.told).toEqual(["leader dead"]);
    expect(b.election.status()).toMatchObject({ leading: false, leader: "dead", sinceRenewMs: undefined });
    await clock.pass(1);
    expect(b.told).toEqual(["leader dead", "leader b", "leads"]);
    expect(server.spec()).toMatchObject({ leaseTransitions: 3 });
  });

  it("is not misled by a wall clock that jumps", async () => {
    const { clock, candidate } = bench();
    const a = candidate("a");
    const b = candidate("b");
    for (const hours of [1, -2, 5]) {
      clock.jump(hours * 3_600_000);
      await clock.pass(60_000);
    }
    expect(a.told).toEqual(["leader a", "leads"]);
    expect(b.told).toEqual(["leader a"]);
  });

  it("stops: tells the work, renews until it has ended, then gives the lease back and the other leads", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(2_000);
    const b = candidate("b");
    a.stop.abort();
    await clock.pass(20_000);
    expect(a.told).toEqual(["leader a", "leads", "work is to end"]);
    expect(b.told).toEqual(["leader a"]);
    a.finish();
    await settle();
    await a.election.ended;
    expect(server.spec()).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(a.election.status()).toMatchObject({ leading: false, elected: false });
    await clock.pass(4_400);
    expect(b.told).toEqual(["leader a", "leader b", "leads"]);
  });

  it("is lost at the deadline though the call still hangs, and does not give back what may be another's", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(4_000);
    server.ill = "hangs";
    await clock.pass(9_999);
    expect(a.election.status().leading).toBe(true);
    await clock.pass(1);
    expect(a.told).toEqual([
      "leader a",
      "leads",
      "work is to end",
      "The lease harvest/controller could not be renewed for 10 s: this process stops at once, for another may lead soon. Look at the connection to the API server.",
    ]);
    expect(a.election.status()).toMatchObject({ leading: false, elected: true });
    server.ill = undefined;
    await clock.pass(30_000);
    await a.election.ended;
    expect(server.spec()).toMatchObject({ renewTime: "2026-12-01T00:00:04.000000Z" });
  });

  it("survives an API server that is away for less than the deadline, and says so once", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(2_000);
    server.ill = "down";
    await clock.pass(7_000);
    server.ill = undefined;
    await clock.pass(60_000);
    expect(a.told).toEqual(["leader a", "leads"]);
    expect(a.faults).toEqual(["ECONNREFUSED (test)"]);
    expect(a.election.status().leading).toBe(true);
  });

  it("leads when its first write arrived but the answer did not, and counts no change of leader", async () => {
    const { clock, server, candidate } = bench();
    server.ill = "deaf";
    const a = candidate("a");
    await settle();
    server.ill = undefined;
    await clock.pass(10_000);
    expect(a.told).toEqual(["leader a", "leads"]);
    expect(server.spec()).toMatchObject({ leaseTransitions: 0 });
  });

  it("stops leading when somebody wrote another holder into the lease", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(2_000);
    server.put({ ...server.spec(), holderIdentity: "thief" });
    await clock.pass(2_000);
    expect(a.told.slice(2)).toEqual([
      "leader thief",
      "work is to end",
      "The lease harvest/controller is held by thief now: this process stops at once and starts again as a candidate.",
    ]);
    await a.election.ended;
    expect(server.spec()).toMatchObject({ holderIdentity: "thief" });
  });

  it("writes a deleted lease anew and goes on, and the other does not take it meanwhile", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a");
    await clock.pass(1_000);
    const b = candidate("b");
    await clock.pass(4_500);
    server.put(undefined);
    await clock.pass(30_000);
    expect(a.told).toEqual(["leader a", "leads"]);
    expect(b.told.every((word) => word === "leader a")).toBe(true);
    expect(server.spec()).toMatchObject({ leaseDurationSeconds: 15 });
  });

  it("of many candidates lets one lead", async () => {
    const { clock, candidate } = bench();
    const all = Array.from({ length: 10 }, (_, index) => candidate(`c${String(index)}`));
    await clock.pass(60_000);
    expect(all.filter(({ told }) => told.includes("leads"))).toHaveLength(1);
    expect(all.filter(({ election }) => election.status().leading)).toHaveLength(1);
  });

  it("gives the lease back when the work ends by itself, and ends with its failure", async () => {
    const { clock, server, candidate } = bench();
    const a = candidate("a", { onLeading: () => Promise.reject(new Error("the work broke")) });
    const ended = a.election.ended.catch((problem: unknown) => problem);
    await clock.pass(2_000);
    expect(await ended).toEqual(new Error("the work broke"));
    expect(server.spec()).toMatchObject({ holderIdentity: "" });
  });

  it("as a candidate stops at once and leaves the lease alone", async () => {
    const { clock, server, candidate } = bench();
    server.put({ holderIdentity: "other", leaseDurationSeconds: 15 });
    const a = candidate("a");
    await clock.pass(1_000);
    a.stop.abort();
    await a.election.ended;
    await clock.pass(60_000);
    expect(server.log).toEqual(["get"]);
    expect(clock.waiting).toBe(0);
  });
});

describe("times that would let two lead at once", () => {
  it.each([
    {
      name: "a lease shorter than the renewal",
      change: { leaseSeconds: 10 },
      expect: /make lease longer than renew/,
    },
    {
      name: "no time for a second try",
      change: { retrySeconds: 9 },
      expect: /make renew more than 1\.2 times retry/,
    },
    { name: "a lease in halves", change: { leaseSeconds: 15.5 }, expect: /whole seconds/ },
    { name: "no pause between two tries", change: { retrySeconds: 0 }, expect: /must be above 0/ },
    { name: "no number", change: { renewSeconds: NaN }, expect: /make renew more than/ },
  ])("$name is refused", ({ change, expect: sentence }) => {
    const { api } = leaseServer();
    const run = () =>
      runElection(
        {
          api,
          settings: { ...settings, ...change },
          namespace: "harvest",
          identity: "a",
          clock: fakeClock(),
          random: () => 0,
          onLeading: () => Promise.resolve(),
          onLost: () => undefined,
        },
        new AbortController().signal,
      );
    expect(run).toThrow(sentence);
  });
});
