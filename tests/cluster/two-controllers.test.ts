/** Two whole controllers on one API server: one works at a time, whatever becomes of it. Each has a proxy that notes its writes. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApiProxy, wordOf, type ApiProxy, type ApiWeather, type Passing } from "../setup/api-proxy.js";
import type { TestController } from "../setup/controller.js";
import { startControlPlane } from "../setup/control-plane.js";
import { installCrd, openStage, until, type ControllerStage } from "../setup/controller-stage.js";

const plane = await startControlPlane({ parts: "api" });
const quick = { leaseSeconds: 6, renewSeconds: 4, retrySeconds: 1 };

let stage: ControllerStage;
const proxies: ApiProxy[] = [];

interface Candidate {
  readonly name: string;
  readonly controller: TestController;
  readonly proxy: ApiProxy;
}

async function candidate(name: string, leaderElection: object = quick): Promise<Candidate> {
  const proxy = await startApiProxy({ target: plane!, namespace: stage.namespace });
  proxies.push(proxy);
  const controller = stage.start({
    kubeconfig: proxy.kubeconfig,
    identity: name,
    config: { leaderElection },
  });
  return { name, proxy, controller };
}

/** One that leads, and one that has seen everything and waits. */
async function two(leaderElection?: object): Promise<{ leader: Candidate; standby: Candidate }> {
  const leader = await candidate("one", leaderElection);
  await leader.controller.said("Leading.");
  const standby = await candidate("two", leaderElection);
  await until("the standby is ready", async () => (await probe(standby, "readyz")) === 200);
  return { leader, standby };
}

async function probe({ controller }: Candidate, path: string): Promise<number> {
  return (await fetch(`${await controller.url()}/${path}`)).status;
}

function writesOf({ proxy }: Candidate): readonly Passing[] {
  return proxy.log.filter(({ write }) => write);
}

/** Successful writes of the lease: when, and by whom it was held from then on. */
function leaseWrites({ proxy }: Candidate): readonly { readonly at: number; readonly holder: string }[] {
  return proxy.log
    .filter(({ verb, resource, status }) => verb !== "get" && resource.startsWith("leases.") && status! < 300)
    .map(({ at, body }) => ({
      at,
      holder: (JSON.parse(body) as { spec: { holderIdentity: string } }).spec.holderIdentity,
    }));
}

async function masterStatus({ controller }: Candidate): Promise<string | undefined> {
  return /^leader_election_master_status\{[^}]*\} (\d)$/m.exec(await controller.metrics())?.[1];
}

describe.skipIf(plane === undefined)("two controllers on a real API server", { timeout: 120_000 }, () => {
  beforeAll(() => installCrd(plane!));
  beforeEach(async () => {
    stage = await openStage(plane!);
  });
  afterEach(async () => {
    await stage.stop();
    for (const proxy of proxies.splice(0)) await proxy.stop();
  });
  afterAll(() => plane?.stop());

  it("the standby sees everything, is ready, says that it does not lead, and writes nothing", async () => {
    const { leader, standby } = await two();
    await stage.create("a");
    await stage.converged();
    expect([await probe(leader, "readyz"), await probe(standby, "readyz")]).toEqual([200, 200]);
    expect([await probe(leader, "healthz"), await probe(standby, "healthz")]).toEqual([200, 200]);
    expect([await masterStatus(leader), await masterStatus(standby)]).toEqual(["1", "0"]);
    expect(writesOf(standby)).toEqual([]);
    expect(writesOf(leader).length).toBeGreaterThan(0);
  });

  it("a leader killed in the middle of its work is followed after its lease, not before, and nothing is left undone", async () => {
    const { leader, standby } = await two();
    await stage.create("a");
    await stage.converged();
    const before = writesOf(leader).length;
    for (const name of ["b", "c", "d", "e", "f"]) await stage.create(name);
    await until("it is in the middle of its work", () => writesOf(leader).length > before + 6);
    leader.controller.kill("SIGKILL");
    await leader.controller.ended;
    await standby.controller.said("Leading.");
    await stage.converged();
    const lastRenewal = leaseWrites(leader).at(-1)!.at;
    expect(writesOf(standby)[0]!.at).toBeGreaterThan(lastRenewal + quick.leaseSeconds * 1000);
    expect(writesOf(leader).at(-1)!.at).toBeLessThan(leaseWrites(standby)[0]!.at);
    expect(await masterStatus(standby)).toBe("1");
  });

  it("a leader told to stop hands over at once: the other need not wait for the end of a long lease", async () => {
    const long = { leaseSeconds: 600, renewSeconds: 500, retrySeconds: 1 };
    const { leader, standby } = await two(long);
    await stage.create("a");
    await stage.converged();
    expect(await leader.controller.stop()).toBe(0);
    await standby.controller.said("Leading.");
    await stage.create("b");
    await stage.converged();
    const given = leaseWrites(leader).at(-1)!;
    expect(given.holder).toBe("");
    expect(writesOf(leader).filter(({ at }) => at > given.at)).toEqual([]);
    expect(writesOf(standby)[0]!.at).toBeGreaterThan(given.at);
  });

  /** Where it is in a write while it sleeps, as its proxy makes it; `letGo` comes before it wakes. */
  function interruption(asleep: Promise<void>): Readonly<Record<string, ApiWeather>> {
    return {
      // The answer that would start the next write waits at its door.
      "before the answer to a write": {
        after: async ({ write }) => {
          if (write) await asleep;
          return undefined;
        },
      },
      // The timer of the next try is due before the one that tells it of the lost lease.
      "between two tries of a write": {
        before: ({ write }) => (write ? { status: 503, body: "{}" } : undefined),
      },
    };
  }

  it.each(["before the answer to a write", "between two tries of a write"])(
    "a leader frozen beyond its lease %s writes nothing when it wakes, and ends",
    async (where) => {
      const { leader, standby } = await two();
      await stage.create("a");
      await stage.converged();
      let letGo = (): void => undefined;
      leader.proxy.weather = interruption(new Promise<void>((resolve) => (letGo = resolve)))[where]!;
      const before = writesOf(leader).length;
      await stage.create("b");
      await until("it is in the middle of a write", () => writesOf(leader).length > before);
      leader.controller.kill("SIGSTOP");
      await standby.controller.said("Leading.");
      await stage.converged();
      const taken = leaseWrites(standby)[0]!.at;
      letGo();
      leader.proxy.weather = {};
      // The bytes are in its socket before it wakes.
      await wait(200);
      leader.controller.kill("SIGCONT");
      expect(await leader.controller.ended).toBe(1);
      expect(
        writesOf(leader)
          .filter(({ at }) => at > taken)
          .map(wordOf),
      ).toEqual([]);
      expect(leader.controller.lines().at(-1)?.["message"]).toMatch(
        /lease .*(is held by|could not be renewed)/,
      );
      await stage.edit("b", { spec: { schedule: "5 * * * *" } });
      await stage.converged();
    },
  );
});
