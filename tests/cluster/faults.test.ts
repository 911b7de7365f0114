/** A whole controller while connection and server fail in every way: afterwards all is as the sources say, nothing twice. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { requestCounts, type ApiWeather, type Passing } from "../setup/api-proxy.js";
import type { TestController } from "../setup/controller.js";
import { startControlPlane } from "../setup/control-plane.js";
import {
  installCrd,
  openStage,
  residentMegabytes,
  until,
  type ControllerStage,
} from "../setup/controller-stage.js";
import { startFaultProxy, type FaultProxy } from "../setup/fault-proxy.js";

const plane = await startControlPlane({ parts: "api" });

/** controller → network → stage.proxy → API server: bytes fail in the first, requests in the second. */
let stage: ControllerStage;
let network: FaultProxy;
let controller: TestController;

/** Reflectors of a controller: sources, CronJobs, NetworkPolicies, ConfigMaps, bundles, Jobs, pods. */
const REFLECTORS = 7;

/** A controller at rest, with the sources people will do something to. */
async function begin(silenceSeconds?: number): Promise<void> {
  stage = await openStage(plane!);
  network = await startFaultProxy({ target: stage.proxy.server });
  controller = stage.start({
    kubeconfig: kubeconfig(),
    config: {
      // No election in the way of what is looked at here.
      leaderElection: { leaseSeconds: 600, renewSeconds: 500, retrySeconds: 2 },
      ...(silenceSeconds !== undefined && { api: { silenceSeconds } }),
    },
  });
  for (const name of ["changed", "edited", "asked", "again", "old"]) await stage.create(name);
  await stage.converged();
}

/** Of the whole way. */
function kubeconfig(): string {
  return stage.kubeconfig(`https://127.0.0.1:${String(network.port)}`);
}

/** What people do meanwhile: sources come, change and go; a run is asked for; children are edited and deleted by hand. */
async function people(round = "1"): Promise<void> {
  await stage.create(`new-${round}`);
  await stage.edit("changed", { spec: { schedule: `${round} */6 * * *` } });
  await stage.remove("old");
  await stage.ask("asked", round);
  await stage.edit("cronjobs/harvest-edited", { spec: { suspend: true, schedule: "1 1 1 1 1" } });
  await stage.remove("networkpolicies/harvest-edited");
  // Gone and back between two looks: another life with the same name.
  await stage.remove("again");
  await stage.create("again", { schedule: `${round} 3 * * *` });
}

interface Fault {
  readonly name: string;
  /** Brings it on; what it answers takes it away. `changed` resolves when people have done what they do. */
  readonly bring: (changed: Promise<void>) => Promise<void>;
  /** A watch without a byte for so long is given up; absent = the usual. */
  readonly silenceSeconds?: number;
  /** How many requests may reach the server from its beginning until all is well again, leases and probes not counted. */
  readonly most: number;
}

describe.skipIf(plane === undefined)("a controller in bad weather", { timeout: 180_000 }, () => {
  beforeAll(async () => {
    await installCrd(plane!);
  });
  afterEach(async () => {
    await network.stop();
    await stage.stop();
  });
  afterAll(() => plane?.stop());

  const faults: readonly Fault[] = [
    {
      name: "nothing",
      bring: (changed) => changed,
      most: 60,
    },
    {
      name: "every connection reset, twice",
      bring: async (changed) => {
        network.resetAll();
        await changed;
        network.resetAll();
      },
      most: 90,
    },
    {
      name: "every connection half-closed",
      bring: async (changed) => {
        network.halfClose();
        await changed;
      },
      most: 90,
    },
    {
      name: "every connection cut in the middle of a line",
      bring: async (changed) => {
        network.cutAfter(700);
        await changed;
        network.cutAfter(undefined);
      },
      most: 90,
    },
    {
      name: "a freeze of everything for longer than a watch may be silent",
      silenceSeconds: 5,
      bring: async (changed) => {
        network.freeze();
        await changed;
        await until("the silence was noticed", () => ended("silent") > 0);
        network.thaw();
      },
      most: 90,
    },
    {
      name: "nobody who listens",
      bring: async (changed) => {
        await network.refuse();
        network.resetAll();
        await changed;
        await network.accept();
      },
      most: 90,
    },
    {
      name: "410 in a 200 on every watch, and again on the next",
      bring: async (changed) => {
        expireWatches();
        await changed;
        expireWatches();
      },
      most: 90,
    },
    {
      name: "half an event and the end on every watch",
      bring: async (changed) => {
        for (const watch of stage.proxy.watches()) {
          watch.write('{"type":"MODIFIED","object":{"kind":"HarvestSource","metadata":{"na');
          watch.end();
        }
        await changed;
      },
      most: 90,
    },
    {
      name: "a watch that says what is no event",
      bring: async (changed) => {
        for (const watch of stage.proxy.watches()) watch.write("<html>Please log in</html>\n");
        await changed;
      },
      most: 90,
    },
    {
      name: "429 with Retry-After to everybody",
      bring: async (changed) => {
        for (const watch of stage.proxy.watches()) watch.end();
        stage.proxy.weather = answering(429, { "retry-after": "2" });
        await changed;
        await until("it was turned away", () => refused(429).length >= 2 * REFLECTORS);
        stage.proxy.weather = {};
        expect(askedAgainWithin(2_000)).toEqual([]);
      },
      most: 120,
    },
    {
      name: "a storm of 500",
      bring: async (changed) => {
        for (const watch of stage.proxy.watches()) watch.reset();
        stage.proxy.weather = answering(500, {});
        await changed;
        await until("it has asked in vain", () => refused(500).length >= 2 * REFLECTORS);
        stage.proxy.weather = {};
      },
      most: 150,
    },
    {
      name: "every answer to a write lost",
      bring: async (changed) => {
        let lost = 0;
        stage.proxy.weather = {
          after: ({ write }) => {
            if (write) lost += 1;
            return write ? "reset" : undefined;
          },
        };
        await changed;
        await until("writes were lost", () => lost > 10);
        stage.proxy.weather = {};
      },
      most: 200,
    },
    {
      name: "an API server that is killed and comes back",
      bring: async (changed) => {
        await changed;
        await plane!.killApiServer();
        await plane!.restartApiServer();
      },
      most: 150,
    },
  ];

  it.each(faults)("is well after $name", async ({ bring, most, silenceSeconds }) => {
    await begin(silenceSeconds);
    const from = stage.proxy.log.length;
    await bring(people());
    await stage.converged();
    expect(await requestedRuns()).toEqual(["1"]);
    const counts = JSON.stringify(requestCounts(stage.proxy.log, from));
    expect(requestsSince(from).length, counts).toBeLessThan(most);
  });

  it("ends when it is cut off for longer than its lease, and the one that is started again goes on", async () => {
    await begin();
    await controller.stop();
    controller = stage.start({ kubeconfig: kubeconfig() });
    await controller.said("Leading.");
    network.freeze();
    await people();
    expect(await controller.ended).toBe(1);
    expect(controller.lines().at(-1)?.["message"]).toContain("could not be renewed for 4 s");
    network.thaw();
    controller = stage.start({ kubeconfig: kubeconfig() });
    await stage.converged();
    expect(await requestedRuns()).toEqual(["1"]);
  });

  it("does not grow", async () => {
    await begin();
    const sizes: number[] = [];
    for (let round = 1; round <= 30; round += 1) {
      // As the server ends them after some minutes; sooner than a second would be a fault, and make it wait.
      const old = stage.proxy.watches().filter(({ passing }) => passing.at < Date.now() - 1_500);
      for (const watch of old) watch.end();
      for (const name of ["changed", "edited", "again"])
        await stage.edit(name, { spec: { schedule: `${String(round)} 3 * * *` } });
      await stage.edit("cronjobs/harvest-edited", { spec: { suspend: true } });
      await stage.converged();
      sizes.push(Math.round(residentMegabytes(controller.pid)));
    }
    const half = Math.max(...sizes.slice(0, 15));
    expect(Math.max(...sizes.slice(15)), `MB: ${sizes.join(", ")}`).toBeLessThan(half + 30);
  });
});

function expireWatches(): void {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    reason: "Expired",
    code: 410,
  };
  for (const watch of stage.proxy.watches()) {
    watch.write(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
    watch.end();
  }
}

function answering(status: number, headers: Readonly<Record<string, string>>): ApiWeather {
  return {
    before: ({ resource }) =>
      resource.startsWith("leases.")
        ? undefined
        : { status, headers, body: JSON.stringify({ kind: "Status", status: "Failure", code: status }) },
  };
}

function refused(status: number): readonly Passing[] {
  return stage.proxy.log.filter((passing) => passing.status === status);
}

/** Requests that were sent again sooner than they were told. */
function askedAgainWithin(ms: number): readonly string[] {
  const what = ({ verb, path }: Passing): string => {
    const { pathname, searchParams } = new URL(path, "https://any");
    return `${verb} ${pathname} ${searchParams.get("labelSelector") ?? ""}`;
  };
  return refused(429).flatMap((one) => {
    const again = stage.proxy.log.find((next) => next.number > one.number && what(next) === what(one));
    return again === undefined || again.at - one.at >= ms ? [] : [what(one)];
  });
}

function requestsSince(number: number): readonly Passing[] {
  return stage.proxy.log.filter(
    (passing) => passing.number > number && !passing.resource.startsWith("leases."),
  );
}

/** What the Jobs that stand alone were asked for with: one for each value, whatever was lost on the way. */
async function requestedRuns(): Promise<readonly (string | undefined)[]> {
  const jobs = await stage.list("jobs");
  return jobs.map(({ metadata }) => metadata.annotations?.["ingest.geoportal.io/requestedAt"]);
}

/** How often the controller said that a list or watch ended so. */
function ended(reason: string): number {
  return controller.lines().filter((line) => line["reason"] === reason).length;
}
