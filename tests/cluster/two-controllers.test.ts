/** Two whole controllers on one API server: one works at a time, whatever becomes of it. Each has a proxy that notes its writes. */
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApiProxy, wordOf, type ApiProxy, type Passing } from "../setup/api-proxy.js";
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

  it("a leader that was frozen beyond its lease in the middle of a pass writes nothing when it wakes, and ends", async () => {
    const { leader, standby } = await two();
    await stage.create("a");
    await stage.converged();
    // Its first write is done, and the answer that would start the second waits at its door while it sleeps.
    let letGo = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (letGo = resolve));
    let held = 0;
    leader.proxy.weather = {
      after: async ({ write }) => {
        if (!write) return undefined;
        held += 1;
        await asleep;
        return undefined;
      },
    };
    await stage.create("b");
    await until("its first write waits for an answer", () => held > 0);
    leader.controller.kill("SIGSTOP");
    await standby.controller.said("Leading.");
    await stage.converged();
    letGo();
    // The bytes are in its socket before it wakes.
    await wait(200);
    leader.controller.kill("SIGCONT");
    expect(await leader.controller.ended).toBe(1);
    const taken = leaseWrites(standby)[0]!.at;
    expect(
      writesOf(leader)
        .filter(({ at }) => at > taken)
        .map(wordOf),
    ).toEqual([]);
    expect(
      leader.controller.lines().some(({ message }) => /lease .* (held by|renewed)/.test(String(message))),
    ).toBe(true);
    await stage.edit("b", { spec: { schedule: "5 * * * *" } });
    await stage.converged();
  });
});
