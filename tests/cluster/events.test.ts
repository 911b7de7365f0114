/** Events on a real API server, as `kubectl` shows them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApi } from "../../controller/cluster/client.js";
import { loadConnection } from "../../controller/cluster/connection.js";
import { systemClock } from "../../controller/clock.js";
import { createEventRecorder } from "../../controller/events/event-recorder.js";
import type { Occurrence } from "../../controller/events/occurrence.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { testCluster } from "../setup/cluster.js";

const cluster = await testCluster();
const connection =
  cluster === undefined ? undefined : loadConnection({ kubeconfig: cluster.kubeconfig, environment: {} });

afterAll(async () => {
  await connection?.close();
  await cluster?.remove();
});

describe.skipIf(connection === undefined)("events on a real API server", { timeout: 60_000 }, () => {
  const sources = new Map<string, KubeObject>();
  const dropped: string[] = [];

  function api() {
    return createApi(connection!);
  }

  function recorder() {
    return createEventRecorder({
      api: api(),
      clock: systemClock,
      reporter: { component: "harvest-controller", instance: "pod-1" },
      onDropped: (reason, problem) => dropped.push(`${reason} ${String(problem ?? "")}`),
    });
  }

  async function create(name: string): Promise<void> {
    const { namespace } = cluster!;
    const spec = { baseUrl: "https://example.org/oai", metadataPrefix: "iso19139", schedule: "0 4 * * *" };
    const source = {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name, namespace },
      spec,
    };
    sources.set(name, await api().create(resources.harvestSource, source, "test"));
  }

  beforeAll(async () => {
    for (const name of ["counted", "alike", "loud", "long", "expired", "gone"]) await create(name);
  });

  function happened(name: string, message: string, changes: Partial<Occurrence> = {}): Occurrence {
    return { object: sources.get(name)!, type: "Normal", reason: "RunCompleted", message, ...changes };
  }

  async function eventsOf(name: string): Promise<readonly KubeObject[]> {
    const fieldSelector = `involvedObject.kind=HarvestSource,involvedObject.name=${name}`;
    return (await api().list(resources.event, { namespace: cluster!.namespace, fieldSelector })).items;
  }

  it("counts the same again, and `kubectl describe` shows it", async () => {
    const events = recorder();
    for (let time = 0; time < 3; time += 1) {
      events.record(happened("counted", "100 records read, 3 changed."));
      await events.flush(10_000);
    }
    events.record(happened("counted", "The endpoint refused.", { type: "Warning", reason: "RunFailed" }));
    await events.flush(10_000);
    expect(dropped).toEqual([]);
    const found = await eventsOf("counted");
    expect(found.map((event) => [event["type"], event["reason"], event["count"]]).sort()).toEqual([
      ["Normal", "RunCompleted", 3],
      ["Warning", "RunFailed", 1],
    ]);
    const { stdout } = await cluster!.kubectl(["describe", "harvestsource", "counted"]);
    const shown = stdout.slice(stdout.indexOf("Events:"));
    expect(shown).toMatch(
      /Normal +RunCompleted +\S+ \(x3 over \S+\) +harvest-controller +100 records read, 3 changed\./,
    );
    expect(shown).toMatch(/Warning +RunFailed +\S+ +harvest-controller +The endpoint refused\./);
  });

  it("gathers many alike into one", async () => {
    const events = recorder();
    for (let run = 0; run < 14; run += 1) events.record(happened("alike", `run ${String(run)}`));
    await events.flush(10_000);
    const found = await eventsOf("alike");
    expect(found).toHaveLength(11);
    expect(found.find(({ count }) => count === 4)?.["message"]).toBe(
      "Many alike, of which this is the latest: run 13",
    );
  });

  it("hears an object 25 times at once and no more", async () => {
    const events = recorder();
    for (let time = 0; time < 40; time += 1) events.record(happened("loud", "again"));
    await events.flush(10_000);
    expect((await eventsOf("loud")).map(({ count }) => count)).toEqual([25]);
    expect(dropped.filter((reason) => reason.startsWith("spam"))).toHaveLength(15);
  });

  it("is accepted with the longest message and every odd character", async () => {
    const events = recorder();
    events.record(happened("long", `${"ä🌊\u0000\n".repeat(400)}`));
    events.record(happened("long", "", { reason: "NothingSaid" }));
    await events.flush(10_000);
    expect(dropped.filter((reason) => reason.startsWith("failed"))).toEqual([]);
    expect(await eventsOf("long")).toHaveLength(2);
  });

  it("creates an event again that the server has forgotten", async () => {
    const events = recorder();
    events.record(happened("expired", "done"));
    await events.flush(10_000);
    const [first] = await eventsOf("expired");
    await api().delete(resources.event, `${cluster!.namespace}/${first!.metadata.name}`);
    events.record(happened("expired", "done"));
    await events.flush(10_000);
    expect((await eventsOf("expired")).map(({ count }) => count)).toEqual([2]);
  });

  it("drops, counts and goes on when the namespace is not there", async () => {
    const events = recorder();
    const before = dropped.length;
    const metadata = { ...sources.get("gone")!.metadata, namespace: "nowhere-at-all" };
    events.record(happened("gone", "x", { object: { ...sources.get("gone")!, metadata } }));
    events.record(happened("gone", "y"));
    await events.flush(10_000);
    expect(dropped.slice(before)).toEqual([expect.stringMatching(/^failed ApiFault: .*nowhere-at-all/)]);
    expect((await eventsOf("gone")).map(({ message }) => message)).toEqual(["y"]);
  });
});
