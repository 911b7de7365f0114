/**
 * Whether a namespace is as its HarvestSources say. The measure is the server's own: what was rendered is created in another
 * namespace as a dry run, so that defaults are filled in, and what is live must be that to the last field.
 */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { settingsOf } from "../../controller/read-settings.js";
import type { KubeObject, LiveSource } from "../../controller/object.js";
import { renderChildren } from "../../controller/render/render-children.js";
import type { RenderSettings } from "../../controller/settings.js";
import { parseControllerConfig } from "../../source/controller-config/parse.js";
import type { Http } from "./cluster-http.js";
import { configText } from "./controller.js";
import { clusterPath, type Plural } from "./cluster-paths.js";
import type { TestBundle } from "./policy-bundle.js";

export interface Convergence {
  /** Sentences; none = converged. Sources that are being removed are left out. */
  problems(): Promise<readonly string[]>;
  /** Waits until there are none; throws them. */
  converged(seconds?: number): Promise<void>;
}

interface Place {
  readonly namespace: string;
  readonly bundle: TestBundle;
  readonly send: Http;
  readonly list: (plural: Plural) => Promise<readonly KubeObject[]>;
}

const kinds = ["configmaps", "networkpolicies", "cronjobs"] as const;
export function convergence(place: Place): Convergence {
  const settings = renderSettings(place);
  const asServed = new Map<string, unknown>();

  /** As the server would have it, did it not exist. */
  async function served(plural: (typeof kinds)[number], object: KubeObject): Promise<unknown> {
    const body = JSON.stringify({ ...object, metadata: { ...object.metadata, namespace: "default" } });
    const known = asServed.get(body);
    if (known !== undefined) return known;
    const { status, json, text } = await place.send("POST", `${clusterPath("default", plural)}?dryRun=All`, {
      body,
    });
    if (status > 299) throw new Error(`What was rendered is refused: ${text}`);
    const plain = plainOf(json as unknown as KubeObject);
    asServed.set(body, plain);
    return plain;
  }

  async function problemsOf(source: LiveSource, live: Live): Promise<readonly string[]> {
    const { name, uid } = source.metadata;
    const { configMap, networkPolicy, cronJob } = renderChildren({
      source,
      bundle: { name: place.bundle.name, digest: place.bundle.digest },
      settings,
      suspended:
        source.spec.suspend || source.metadata.annotations?.["ingest.geoportal.io/paused"] !== undefined,
    });
    const wanted = { configmaps: configMap, networkpolicies: networkPolicy, cronjobs: cronJob };
    const found: string[] = [...statusProblems(source)];
    for (const plural of kinds) {
      const owned = live[plural].filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid);
      const names = owned.map(({ metadata }) => metadata.name);
      const expected = await served(plural, wanted[plural]);
      if (!isDeepStrictEqual(names, [wanted[plural].metadata.name]))
        found.push(`${name} owns ${plural} ${names.join(", ")}, not ${wanted[plural].metadata.name}`);
      else
        found.push(...differences(`${plural} ${names[0] ?? ""}`, plainOf(owned[0]!), expected).slice(0, 5));
    }
    return found;
  }

  async function problems(): Promise<readonly string[]> {
    const sources = (await place.list("harvestsources")) as readonly LiveSource[];
    const [configmaps = [], networkpolicies = [], cronjobs = []] = await Promise.all(
      kinds.map((plural) => place.list(plural)),
    );
    const found = sources
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((source) => problemsOf(source, { configmaps, networkpolicies, cronjobs }));
    return (await Promise.all(found)).flat();
  }

  return {
    problems,
    converged: async (seconds = 60) => {
      const deadline = Date.now() + seconds * 1000;
      for (;;) {
        const found = await problems();
        if (found.length === 0) return;
        if (Date.now() > deadline)
          throw new Error(`Not converged within ${String(seconds)} s:\n${found.join("\n")}`);
        await wait(100);
      }
    },
  };
}

type Live = Readonly<Record<(typeof kinds)[number], readonly KubeObject[]>>;

/** With what the controllers of these tests are set up. */
function renderSettings({ namespace, bundle }: Place): RenderSettings {
  const text = configText({ kubeconfig: "", namespace, bundleName: bundle.name });
  const { config, findings } = parseControllerConfig(text, "controller.yaml");
  if (config === undefined) throw new Error(JSON.stringify(findings));
  return settingsOf(config, { namespace, environment: {} }).render;
}

function statusProblems(live: LiveSource): readonly string[] {
  return [...generationProblem(live), ...conditionProblems(live), ...requestProblem(live)];
}

function generationProblem({ metadata, status }: LiveSource): readonly string[] {
  const { name, generation } = metadata;
  const observed = status?.observedGeneration;
  return observed === generation
    ? []
    : [`${name} has generation ${String(generation)}, observed ${String(observed)}`];
}

function conditionProblems({ metadata: { name }, status }: LiveSource): readonly string[] {
  const conditions = new Map((status?.conditions ?? []).map(({ type, ...rest }) => [type, rest]));
  const ready = conditions.get("Ready");
  const wrong = ["Stalled", "Reconciling"].filter((type) => conditions.has(type));
  return [
    ...(ready?.status === "True" ? [] : [`${name} is not Ready: ${ready?.message ?? "no condition"}`]),
    ...wrong.map((type) => `${name} is ${type}: ${conditions.get(type)?.message ?? ""}`),
  ];
}

function requestProblem({ metadata: { name, annotations }, status }: LiveSource): readonly string[] {
  const asked = annotations?.["ingest.geoportal.io/requestedAt"];
  return asked === undefined || status?.lastHandledRequestedAt === asked
    ? []
    : [`${name}: the request "${asked}" was not handled`];
}

/** Without what belongs to one object of one server; items of a list do not say their kind. */
function plainOf({ metadata, ...rest }: KubeObject): unknown {
  const { name, labels, annotations, ownerReferences, finalizers } = metadata;
  const own = { status: undefined, kind: undefined, apiVersion: undefined };
  const plain = { ...rest, ...own, metadata: { name, labels, annotations, ownerReferences, finalizers } };
  return JSON.parse(JSON.stringify(plain));
}

function differences(path: string, live: unknown, expected: unknown): readonly string[] {
  if (isDeepStrictEqual(live, expected)) return [];
  if (!isFields(live) || !isFields(expected))
    return [`${path} is ${JSON.stringify(live) ?? "absent"}, not ${JSON.stringify(expected) ?? "there"}`];
  const keys = [...new Set([...Object.keys(live), ...Object.keys(expected)])];
  return keys.flatMap((key) => differences(`${path}.${key}`, live[key], expected[key]));
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
