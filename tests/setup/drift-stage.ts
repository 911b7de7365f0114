/** A namespace with a whole controller, sources that a delivery brings, and what people do to them with kubectl and with programs. */
import { setTimeout as wait } from "node:timers/promises";
import type { KubeObject, LiveSource } from "../../controller/object.js";
import { startApiProxy, type ApiProxy, type Passing } from "./api-proxy.js";
import type { TestCluster } from "./cluster.js";
import { clusterPath, type Plural } from "./cluster-paths.js";
import { manifest, until, type Fields } from "./controller-stage.js";
import { startController, type TestController } from "./controller.js";
import { convergence, type Convergence } from "./convergence.js";
import { testBundle } from "./policy-bundle.js";

/** One controller at a time, which gives its lease back: on a busy machine a short one would be lost. */
const leaderElection = { leaseSeconds: 600, renewSeconds: 500, retrySeconds: 2 };

/** The field manager that delivers, by the configuration of these controllers. */
export const deliverer = "ci-deliver";

/** An object as a program has it in hand before it writes it back. */
export interface Writable {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

export interface EventSeen {
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly count: number;
}

export interface DriftStage extends Convergence {
  readonly namespace: string;
  readonly proxy: ApiProxy;
  /** Ends the one that runs and starts another, with these fields over the usual ones. */
  start(config?: Fields, env?: Readonly<Record<string, string>>): Promise<TestController>;
  /** kubectl; throws what it said when it failed. */
  kubectl(args: readonly string[], input?: object): Promise<string>;
  /** As a pipeline with `kubectl apply --server-side` does; waits until the controller knows it as delivered. */
  deliver(names: readonly string[], spec?: Fields): Promise<void>;
  /** Reads, changes, and writes the whole object back. */
  update(target: string, change: (object: Writable) => void, manager?: string): Promise<void>;
  /** "cronjobs/harvest-a", or the name of a source; undefined = not there. */
  read(target: string): Promise<KubeObject | undefined>;
  source(name: string): Promise<LiveSource>;
  /** Waits until the source is as the predicate wants it. */
  sourceIs(what: string, name: string, is: (source: LiveSource) => boolean): Promise<LiveSource>;
  events(name: string, reason: string): Promise<readonly EventSeen[]>;
  /** Waits for an event of the source whose message holds all the words. */
  told(name: string, reason: string, words: readonly string[]): Promise<EventSeen>;
  /** Sum of all series whose line begins so. */
  metric(prefix: string): Promise<number>;
  /** Requests about one source since then: its own, its children's. */
  requests(name: string, from: number): readonly Passing[];
  stop(): Promise<void>;
}

export function conditionOf(source: LiveSource, type: string) {
  return source.status?.conditions?.find((condition) => condition.type === type);
}

export async function openDriftStage(cluster: TestCluster): Promise<DriftStage> {
  const { namespace, http } = cluster;
  const bundle = testBundle(namespace);
  const proxy = await startApiProxy({ target: cluster, namespace });
  const running: { controller?: TestController } = {};

  async function must(method: string, path: string, call?: Parameters<typeof http>[2]): Promise<KubeObject> {
    const { status, json, text } = await http(method, path, call);
    if (status > 299) throw new Error(`${method} ${path} was answered ${String(status)}: ${text}`);
    return json as unknown as KubeObject;
  }

  function place(target: string): string {
    const [plural, name] = target.includes("/") ? target.split("/") : ["harvestsources", target];
    return clusterPath(namespace, plural as Plural, name);
  }

  async function list(plural: Plural): Promise<readonly KubeObject[]> {
    const { items } = (await must("GET", clusterPath(namespace, plural))) as unknown as {
      items: KubeObject[];
    };
    return items;
  }

  const kubectl: DriftStage["kubectl"] = async (args, input) => {
    const options = input === undefined ? {} : { input: JSON.stringify(input) };
    const { code, stdout, stderr } = await cluster.kubectl(args, options);
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${String(code)}: ${stderr}`);
    return stdout;
  };

  const read: DriftStage["read"] = async (target) => {
    const { status, json } = await http("GET", place(target));
    return status === 200 ? (json as unknown as KubeObject) : undefined;
  };

  const source = async (name: string) => (await must("GET", place(name))) as LiveSource;

  const sourceIs: DriftStage["sourceIs"] = async (what, name, is) => {
    const seen: { last?: LiveSource | undefined } = {};
    try {
      return await until(`${name} ${what}`, async () => {
        seen.last = (await read(name)) as LiveSource | undefined;
        return seen.last !== undefined && is(seen.last) && seen.last;
      });
    } catch (problem) {
      const { spec, status, metadata } = seen.last ?? {};
      const said =
        running.controller
          ?.lines()
          .slice(-12)
          .map((line) => JSON.stringify(line)) ?? [];
      throw new Error(
        [
          String(problem),
          JSON.stringify({ spec, status, managedFields: metadata?.managedFields }),
          "The controller's last lines:",
          ...said,
        ].join("\n"),
        { cause: problem },
      );
    }
  };

  async function events(name: string, reason: string): Promise<readonly EventSeen[]> {
    const all = (await list("events")) as unknown as readonly {
      reason: string;
      message: string;
      count: number;
      involvedObject: { name: string; kind: string };
    }[];
    return all
      .filter(({ involvedObject: of }) => of.kind === "HarvestSource" && of.name === name)
      .map(({ reason, message, count }) => ({ reason, message, count, source: name }))
      .filter((event) => event.reason === reason);
  }

  async function metric(prefix: string): Promise<number> {
    const page = (await running.controller?.metrics()) ?? "";
    return page
      .split("\n")
      .filter((line) => line.startsWith(prefix))
      .map((line) => Number(line.split(" ").at(-1)))
      .reduce((sum, value) => sum + value, 0);
  }

  async function end(): Promise<void> {
    await running.controller?.stop();
    delete running.controller;
  }

  await must("POST", clusterPath(namespace, "configmaps"), { body: bundle.text });

  const stage = {
    namespace,
    proxy,
    kubectl,
    source,
    sourceIs,
    events,
    metric,
    start: async (config: Fields = {}, env: Readonly<Record<string, string>> = {}) => {
      await end();
      const { drift = { deliveryManagers: [deliverer] }, ...more } = config;
      const { kubeconfig } = proxy;
      const wish = {
        kubeconfig,
        namespace,
        bundleName: bundle.name,
        config: { drift, leaderElection, ...more },
        env,
      };
      running.controller = startController(wish);
      await running.controller.said("Leading.");
      return running.controller;
    },
    deliver: async (names: readonly string[], spec: Fields = {}) => {
      const items = names.map((name) => manifest(name, spec));
      const args = ["apply", "--server-side", `--field-manager=${deliverer}`, "-f", "-"];
      await kubectl(args, { apiVersion: "v1", kind: "List", items });
      for (const name of names)
        await sourceIs(
          "is known as delivered",
          name,
          (live) =>
            live.status?.delivery?.configMapName !== undefined &&
            live.status.observedGeneration === live.metadata.generation &&
            conditionOf(live, "Drifted")?.status === "False" &&
            conditionOf(live, "Ready")?.status === "True",
        );
    },
    update: async (target: string, change: (object: Writable) => void, manager = "my-script") => {
      for (;;) {
        const object = await must("GET", place(target));
        change(object as unknown as Writable);
        const path = `${place(target)}?fieldManager=${manager}`;
        const { status, text } = await http("PUT", path, { body: object });
        if (status < 300) return;
        // Somebody else wrote between the two, as happens to every editor.
        if (status !== 409) throw new Error(text);
      }
    },
    read,
    told: async (name: string, reason: string, words: readonly string[]) => {
      const seen: { last: readonly EventSeen[] } = { last: [] };
      try {
        return await until("told", async () => {
          seen.last = await events(name, reason);
          return seen.last.find(({ message }) => words.every((word) => message.includes(word)));
        });
      } catch {
        throw new Error(
          `No event ${reason} of ${name} with ${words.join(", ")}, but ${JSON.stringify(seen.last)}`,
        );
      }
    },
    requests: (name: string, from: number) =>
      proxy.log
        .slice(from)
        .filter((passing) => new RegExp(`[/"](harvest-)?${name}([/"?-]|$)`).test(passing.path)),
    stop: async () => {
      await end();
      await proxy.stop();
    },
  };
  return { ...stage, ...convergence({ namespace, bundle, send: http, list }) };
}

/** resourceVersions of all objects of these kinds whose name has the text. */
export async function versionsOf(
  stage: DriftStage,
  targets: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return Promise.all(targets.map(async (target) => (await stage.read(target))?.metadata.resourceVersion));
}

/** Nothing is written any more: the versions are the same in so many looks in a row, 100 ms apart. */
export async function standsStill(stage: DriftStage, targets: readonly string[], looks = 15): Promise<void> {
  let before = await versionsOf(stage, targets);
  for (let same = 0, all = 0; same < looks; all += 1) {
    if (all > looks * 20) throw new Error(`${targets.join(", ")}: never stand still`);
    await wait(100);
    const now = await versionsOf(stage, targets);
    same = JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
    before = now;
  }
}
