import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startControlPlane, type ControlPlane } from "../setup/control-plane.js";
import { reflectorScene, type ReflectorScene } from "./reflector-scene.js";

const crd = join(import.meta.dirname, "../../crds/ingest.geoportal.io_harvestsources.yaml");
/** Starting servers and waiting out back-offs, on a busy machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

async function plane(flags: readonly string[] = []): Promise<ControlPlane | undefined> {
  const started = await startControlPlane({ parts: "api", apiServerFlags: flags });
  if (started === undefined) return undefined;
  const applied = await started.kubectl(["apply", "--server-side", "-f", crd]);
  const ready = await started.kubectl(["wait", "--for=condition=Established", "--timeout=60s", "-f", crd]);
  if (applied.code === 0 && ready.code === 0) return started;
  await started.stop();
  throw new Error(applied.stderr + ready.stderr);
}

/** Cache, what was told, and the server are one. */
async function converged(scene: ReflectorScene): Promise<void> {
  await expect
    .poll(async () => ({ cached: scene.cached(), told: scene.told(), live: await scene.live() }), {
      timeout: 60_000,
      interval: 100,
    })
    .toSatisfy(({ cached, told, live }: Record<"cached" | "told" | "live", readonly string[]>) => {
      return cached.join() === live.join() && told.join() === live.join();
    });
}

async function isWatching({ reflector }: ReflectorScene): Promise<void> {
  await expect.poll(() => reflector.state().phase, { timeout: 60_000 }).toBe("watching");
}

function restarts({ reflector }: ReflectorScene): Readonly<Record<string, number>> {
  return reflector.state().counts.restarts;
}

const server = await plane();

describe.skipIf(server === undefined)("a reflector on a real API server", () => {
  let scene: ReflectorScene;

  async function begin(limits: Parameters<typeof reflectorScene>[1] = {}): Promise<void> {
    scene = await reflectorScene(server!, limits);
    await scene.put("one", "@daily");
    await scene.put("two", "@daily");
    await isWatching(scene);
    await converged(scene);
  }

  afterEach(async () => {
    await scene.close();
  });

  afterAll(async () => {
    await server?.stop();
  });

  it("follows what is made, changed and deleted, with one list and one watch", async () => {
    await begin();
    await scene.put("one", "@hourly");
    await scene.put("three", "@daily");
    await scene.remove("two");
    await converged(scene);
    expect(scene.cached()).toHaveLength(2);
    expect([scene.requests("list"), scene.requests("watch")]).toEqual([1, 1]);
    const [first] = scene.reflector.lister.list("default");
    expect(first).toMatchObject({
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      spec: { schedule: "@hourly" },
    });
  });

  it("sees what is there before it begins, whole, with kind and defaults", async () => {
    await begin();
    const other = await reflectorScene(server!);
    await converged(other);
    expect(other.reflector.lister.get("default/two")).toMatchObject({
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      spec: { protocol: "oai-pmh" },
      status: { observedGeneration: -1 },
    });
    await other.close();
  });

  it("outlasts a freeze shorter than the limit of silence without a new request", async () => {
    await begin({ silenceMs: 30_000 });
    scene.proxy.freeze();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await scene.put("two", "@weekly");
    scene.proxy.thaw();
    await converged(scene);
    expect([scene.requests("list"), scene.requests("watch")]).toEqual([1, 1]);
  });

  it("leaves a connection frozen for longer, and catches up over a new one", async () => {
    await begin({ silenceMs: 2_000 });
    scene.proxy.freeze();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await scene.put("three", "@daily");
    await expect.poll(() => restarts(scene)["silent"], { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    expect(scene.cached()).toContainEqual(expect.stringMatching(/^two@/));
    const before = scene.reflector.state().counts;
    scene.proxy.thaw();
    await converged(scene);
    // A quiet stream is silent again after 2 s; nothing else may have ended.
    expect(Object.keys(restarts(scene))).toEqual(["silent"]);
    expect(scene.reflector.state().counts.watches - before.watches).toBeLessThanOrEqual(2);
    expect(scene.requests("list")).toBe(1);
  });

  it("resumes after a reset, with what happened meanwhile", async () => {
    await begin();
    await scene.proxy.refuse();
    scene.proxy.resetAll();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await scene.proxy.accept();
    await converged(scene);
    expect(scene.requests("list")).toBe(1);
    expect(scene.requests("watch")).toBeLessThanOrEqual(4);
    expect(Object.keys(restarts(scene))).toEqual(["unreachable"]);
  });

  it("bears a storm of resets with few requests", async () => {
    await begin();
    for (let number = 0; number < 40; number += 1) {
      scene.proxy.resetAll();
      await scene.put("one", `${String(number)} * * * *`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await converged(scene);
    // At least 4 s: waits of 0.8 to 1.6, 1.6 to 3.2, 3.2 to 6.4 s.
    expect(scene.requests("watch")).toBeLessThanOrEqual(6);
    expect(scene.requests("list")).toBe(1);
  });

  it("resumes after the server's side was closed", async () => {
    await begin();
    scene.proxy.halfClose();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await converged(scene);
    expect(scene.requests("list")).toBe(1);
    expect(scene.requests("watch")).toBeLessThanOrEqual(4);
  });

  it("resumes after a line was cut in the middle", async () => {
    await begin();
    scene.proxy.cutAfter(300);
    await scene.put("one", "@hourly");
    await scene.put("three", "@daily");
    await expect.poll(() => restarts(scene)["unreachable"], { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    scene.proxy.cutAfter(undefined);
    await converged(scene);
    expect(scene.requests("list")).toBe(1);
    expect(scene.requests("watch")).toBeLessThanOrEqual(5);
  });

  it("bears a slow line", async () => {
    await begin();
    scene.proxy.delay(300);
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await converged(scene);
    expect([scene.requests("list"), scene.requests("watch")]).toEqual([1, 1]);
  });

  it("finds what went while the API server was killed and had forgotten its history", async () => {
    await begin();
    await server!.killApiServer();
    await expect.poll(() => restarts(scene)["unreachable"], { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    // Held back until the world has changed.
    await scene.proxy.refuse();
    scene.proxy.resetAll();
    await server!.restartApiServer();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await scene.put("three", "@daily");
    await scene.proxy.accept();
    await converged(scene);
    await isWatching(scene);
    expect(scene.requests("list")).toBeLessThanOrEqual(6);
    expect(scene.requests("watch")).toBeLessThanOrEqual(8);
  });

  it("the periodic list changes nothing when nothing was missed", async () => {
    await begin({ relistMs: 2_000 });
    await expect.poll(() => restarts(scene)["relist-due"], { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    expect(scene.reflector.state().counts).toMatchObject({ changes: 2 });
    await converged(scene);
  });

  it("leaves no connection behind and tells nothing more once it is stopped", async () => {
    await begin();
    const { length } = scene.notes;
    scene.reflector.stop();
    await scene.put("one", "@hourly");
    await scene.disconnect();
    await expect.poll(() => scene.proxy.connections().open, { timeout: 20_000 }).toBe(0);
    expect(scene.notes).toHaveLength(length);
    expect(scene.told()).not.toEqual(await scene.live());
  });
});

describe.skipIf(server === undefined)("a server that compacts its history", () => {
  let scene: ReflectorScene;
  let forgetful: ControlPlane;

  beforeAll(async () => {
    // Without its cache in between the API server answers what etcd answers.
    forgetful = (await plane(["--watch-cache=false", "--etcd-compaction-interval=1s"]))!;
    scene = await reflectorScene(forgetful);
  });

  afterAll(async () => {
    await scene.close();
    await forgetful.stop();
  });

  it("answers 410 to a watch from before: everything is listed, deletions too, once", async () => {
    await scene.put("one", "@daily");
    await scene.put("two", "@daily");
    await isWatching(scene);
    await converged(scene);
    const known = scene.reflector.state().resourceVersion!;
    await scene.proxy.refuse();
    scene.proxy.resetAll();
    await scene.put("one", "@hourly");
    await scene.remove("two");
    await scene.put("three", "@daily");
    await expect.poll(() => scene.isCompacted(known), { timeout: 60_000, interval: 500 }).toBe(true);
    await scene.proxy.accept();
    await converged(scene);
    await isWatching(scene);
    expect(restarts(scene)["expired"]).toBe(1);
    expect(scene.reflector.state().counts.lists).toBe(2);
    expect(scene.cached().map((word) => word.split("@")[0])).toEqual(["one", "three"]);
  });
});
