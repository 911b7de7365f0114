/** Leader election on a real API server, with processes that are killed and frozen, and clocks that are wrong. */
import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection, type Connection } from "../../controller/cluster/connection.js";
import { systemClock, type Clock } from "../../controller/clock.js";
import { runElection } from "../../controller/election/run-election.js";
import type { ElectionOptions } from "../../controller/election/election.js";
import type { LeaseApi } from "../../controller/election/lease-door.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { testCluster } from "../setup/cluster.js";
import { quickSettings } from "../setup/elector-process.js";

const cluster = await testCluster();
const program = join(import.meta.dirname, "../setup/elector-process.ts");
const hour = 3_600_000;

const processes: Elector[] = [];
const stops: AbortController[] = [];
const open: Connection[] = [];

afterEach(async () => {
  for (const { child } of processes.splice(0)) child.kill("SIGKILL");
  for (const stop of stops.splice(0)) stop.abort();
  await connect().delete(resources.lease, leaseKey());
});

afterAll(async () => {
  for (const connection of open) await connection.close();
  await cluster?.remove();
});

function leaseKey(): string {
  return `${cluster!.namespace}/${quickSettings.leaseName}`;
}

function connect(kubeconfig = cluster!.kubeconfig) {
  const connection = loadConnection({ kubeconfig, environment: {} });
  open.push(connection);
  return createApi(connection, { retry: { maxAttempts: 1 } });
}

interface Said {
  readonly what: "begins" | "leads" | "works" | "lost" | "ended";
  readonly at: number;
}

interface Elector {
  readonly name: string;
  readonly child: ChildProcess;
  readonly said: Said[];
  /** Resolves when it has said so; rejects when it ends without. */
  until(what: Said["what"]): Promise<void>;
  readonly exited: Promise<number | null>;
}

function start(name: string): Elector {
  const args = ["--import", "tsx", program, cluster!.kubeconfig, cluster!.namespace, name];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const said: Said[] = [];
  let rest = "";
  child.stdout.on("data", (part: Buffer) => {
    const lines = (rest + part.toString()).split("\n");
    rest = lines.pop() ?? "";
    said.push(...lines.map((line) => JSON.parse(line) as Said));
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const elector: Elector = {
    name,
    child,
    said,
    exited,
    until: async (what) => {
      while (!said.some((one) => one.what === what)) {
        if (child.exitCode !== null) throw new Error(`${name} ended before it said "${what}"`);
        await wait(20);
      }
    },
  };
  processes.push(elector);
  return elector;
}

/** Who worked, in the order of the time, each term once: no name between two of another means that nobody overlapped. */
function terms(...electors: readonly Elector[]): string[] {
  return electors
    .flatMap(({ name, said }) => said.filter(({ what }) => what === "works").map(({ at }) => ({ name, at })))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
    .filter((name, index, all) => name !== all[index - 1]);
}

async function lease(): Promise<KubeObject & { readonly spec: Record<string, unknown> }> {
  return (await connect().get(resources.lease, leaseKey())) as KubeObject & { spec: Record<string, unknown> };
}

/** Two that begin together: who leads, and who waits. */
async function startTwo(): Promise<{ readonly leader: Elector; readonly standby: Elector }> {
  const both = [start("a"), start("b")] as const;
  const leader = await Promise.race(both.map((one) => one.until("works").then(() => one)));
  const standby = both[0] === leader ? both[1] : both[0];
  await standby.until("begins");
  // Long enough for several looks at the lease.
  await wait(1_500);
  expect(standby.said.map(({ what }) => what)).toEqual(["begins"]);
  return { leader, standby };
}

describe.skipIf(cluster === undefined)("two electors on a real API server", { timeout: 60_000 }, () => {
  it("one leads; killed without a word, the other leads after the lease, and they never work at once", async () => {
    const { leader, standby } = await startTwo();
    leader.child.kill("SIGKILL");
    await standby.until("works");
    expect(terms(leader, standby)).toEqual([leader.name, standby.name]);
    expect((await lease()).spec).toMatchObject({ leaseTransitions: 1, leaseDurationSeconds: 3 });
  });

  it("a frozen leader loses the lease, does nothing when it wakes, and ends with a failure", async () => {
    const { leader, standby } = await startTwo();
    leader.child.kill("SIGSTOP");
    await standby.until("works");
    leader.child.kill("SIGCONT");
    expect(await leader.exited).toBe(1);
    expect(leader.said.at(-1)?.what).toBe("lost");
    expect(terms(leader, standby)).toEqual([leader.name, standby.name]);
  });

  it("a leader that stops gives the lease back, and the other need not wait for its end", async () => {
    const { leader, standby } = await startTwo();
    leader.child.kill("SIGTERM");
    expect(await leader.exited).toBe(0);
    await standby.until("works");
    expect(leader.said.at(-1)?.what).toBe("ended");
    expect(terms(leader, standby)).toEqual([leader.name, standby.name]);
  });
});

/** An elector in this process. */
function elect(own: Partial<ElectionOptions> & { readonly identity: string }) {
  const stop = new AbortController();
  stops.push(stop);
  const faults: string[] = [];
  let leads: () => void = () => undefined;
  const leading = new Promise<void>((resolve) => (leads = resolve));
  const election = runElection(
    {
      api: connect(),
      settings: quickSettings,
      namespace: cluster!.namespace,
      clock: systemClock,
      random: Math.random,
      onLeading: (signal) => {
        leads();
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            resolve();
          });
        });
      },
      onLost: () => undefined,
      onFault: (problem) => faults.push((problem as Error).message),
      ...own,
    },
    stop.signal,
  );
  return { election, stop, faults, leading };
}

/** A clock that is right about how long things take and wrong about the time. */
function skewed(ms: number): Clock {
  return { ...systemClock, now: () => Date.now() + ms };
}

const wrongClocks = [
  { name: "leader-ahead", leader: hour, standby: 0 },
  { name: "leader-behind", leader: -hour, standby: 0 },
  { name: "both-off", leader: -hour, standby: hour },
];

/** One elector whose connection dies later, one that waits, each with its own clock; answers who leads before and after. */
async function electByClocks({ name, leader, standby }: (typeof wrongClocks)[number]) {
  const settings = { ...quickSettings, leaseName: name };
  const api = connect();
  let dead = false;
  const fragile: LeaseApi = {
    ...api,
    patch: (...call) => (dead ? new Promise(() => undefined) : api.patch(...call)),
  };
  const first = elect({ identity: "first", settings, clock: skewed(leader), api: fragile });
  await first.leading;
  const second = elect({ identity: "second", settings, clock: skewed(standby) });
  // Longer than the lease: a standby that believed the clocks would have it by now.
  await wait(4_000);
  const before = [first.election.status().leading, second.election.status().leading];
  dead = true;
  await second.leading;
  return { name, before, firstStillLeads: first.election.status().leading };
}

describe.skipIf(cluster === undefined)("wrong clocks", { timeout: 60_000 }, () => {
  it("do not matter: nobody takes a lease that is renewed, and one that is not is taken", async () => {
    expect(await Promise.all(wrongClocks.map(electByClocks))).toEqual(
      wrongClocks.map(({ name }) => ({ name, before: [true, false], firstStillLeads: false })),
    );
  });
});

describe.skipIf(cluster === undefined)("the lease on a real API server", { timeout: 60_000 }, () => {
  it("is created, renewed and given back as others write theirs, and keeps what we do not know", async () => {
    const { election, stop, leading } = elect({ identity: "pod-1" });
    await leading;
    const first = await lease();
    expect(first.spec).toEqual({
      holderIdentity: expect.stringMatching(/^pod-1_[0-9a-f-]{36}$/) as string,
      leaseDurationSeconds: 3,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/\.\d{6}Z$/) as string,
      renewTime: expect.stringMatching(/\.\d{6}Z$/) as string,
    });
    await connect().patch(resources.lease, leaseKey(), {
      type: "application/merge-patch+json",
      manager: "test",
      body: { metadata: { labels: { theirs: "yes" } } },
    });
    let later = first;
    while (later.spec["renewTime"] === first.spec["renewTime"]) later = await lease();
    expect(later.spec).toMatchObject({ acquireTime: first.spec["acquireTime"], leaseTransitions: 0 });
    expect(later.metadata.labels).toEqual({ theirs: "yes" });
    expect(election.status().leading).toBe(true);
    stop.abort();
    await election.ended;
    expect((await lease()).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
  });

  it("is had by one of five that begin together", async () => {
    const all = ["a", "b", "c", "d", "e"].map((identity) => elect({ identity }));
    await Promise.race(all.map(({ leading }) => leading));
    await wait(2_000);
    expect(all.filter(({ election }) => election.status().leading)).toHaveLength(1);
    expect((await lease()).spec["leaseTransitions"]).toBe(0);
  });

  it("is not had without the right, and the sentence names what is missing", async () => {
    const kubeconfig = join(cluster!.kubeconfig, "../nobody");
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        "current-context": "x",
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        clusters: [
          {
            name: "c",
            cluster: {
              server: cluster!.server,
              "certificate-authority-data": Buffer.from(cluster!.certificateAuthority).toString("base64"),
            },
          },
        ],
        users: [{ name: "u", user: { token: cluster!.token, as: "nobody" } }],
      }),
    );
    const { election, faults } = elect({ identity: "n", api: connect(kubeconfig) });
    while (faults.length === 0) await wait(20);
    expect(faults[0]).toMatch(/get leases\.coordination\.k8s\.io/);
    await wait(1_500);
    expect(faults).toHaveLength(1);
    expect(election.status().leading).toBe(false);
  });
});
