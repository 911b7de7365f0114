/** All that one decision about a source is made from: read from the caches, and live where absence would decide. */
import { readBundle, type ReadBundle } from "../source/bundle/read-bundle.js";
import { compareText } from "../source/compare-text.js";
import type { LocatedSource } from "../source/located-source.js";
import { usableSources } from "../source/usable-sources.js";
import type { Api, Lister } from "./api.js";
import type { HostIndex } from "./host-index.js";
import { located } from "./located.js";
import { configMapName, cronJobName, networkPolicyName } from "./names.js";
import { keyOf, type Key, type KubeObject, type LiveSource } from "./object.js";
import type { Delivered, Observed } from "./observed.js";
import type { RecentWrites } from "./recent-writes.js";
import { hashOf } from "./render/child-object.js";
import { manifestFile, specHashOf } from "./render/config-map.js";
import { resources, type Resource } from "./resources.js";

export interface Listers {
  readonly sources: Lister;
  readonly cronJobs: Lister;
  readonly networkPolicies: Lister;
  readonly configMaps: Lister;
  readonly bundles: Lister;
  readonly jobs: Lister;
  readonly pods: Lister;
}

export interface GatherContext {
  readonly api: Api;
  readonly listers: Listers;
  readonly writes: RecentWrites;
  readonly hosts: HostIndex;
  readonly bundleName: string;
}

/** Undefined when the source is gone: its children go by ownership. */
export async function gather(key: Key, context: GatherContext): Promise<Observed | undefined> {
  const { listers } = context;
  const source = (await newest("sources", key, context)) as LiveSource | undefined;
  if (source === undefined) return undefined;
  const { name, namespace = "", uid = "" } = source.metadata;
  const { errors } = located(source);
  const cronJob = await child("cronJobs", `${namespace}/${cronJobName(name)}`, context);
  const networkPolicy = await child("networkPolicies", `${namespace}/${networkPolicyName(name)}`, context);
  const configMaps = await configMapsOf(source, errors.length === 0, context);
  const uids = cronJob?.metadata.uid === undefined ? [uid] : [uid, cronJob.metadata.uid];
  const jobs = await owned("jobs", uids, context);
  return {
    source,
    errors,
    neighbours: neighbours(source, context),
    bundle: bundleOf(namespace, context),
    ...(cronJob !== undefined && { cronJob }),
    ...(networkPolicy !== undefined && { networkPolicy }),
    configMaps,
    jobs,
    pods: jobs.flatMap((job) => listers.pods.ownedBy(job.metadata.uid ?? "")),
    ...deliveredOf(source, configMaps),
  };
}

const resourcesOf = {
  sources: resources.harvestSource,
  cronJobs: resources.cronJob,
  networkPolicies: resources.networkPolicy,
  configMaps: resources.configMap,
  jobs: resources.job,
} as const satisfies Readonly<Partial<Record<keyof Listers, Resource>>>;

/** The newer of what the cache has and what this process wrote. */
async function newest(
  store: keyof typeof resourcesOf,
  key: Key,
  { api, listers, writes }: GatherContext,
): Promise<KubeObject | undefined> {
  const cached = listers[store].get(key);
  const seen = writes.newest(resourcesOf[store], key, cached);
  if (cached !== undefined || seen === undefined) return seen;
  // Written, and not in the cache: not yet there, or gone again before it was looked at. Nobody would tell a second time.
  const live = await api.get(resourcesOf[store], key);
  if (live === undefined) writes.forget(resourcesOf[store], key, seen.metadata.uid ?? "");
  return live;
}

/** The cache holds what carries our label; a stranger's object with our name shows only in a live read. */
async function child(
  store: "cronJobs" | "networkPolicies" | "configMaps",
  key: Key,
  context: GatherContext,
): Promise<KubeObject | undefined> {
  return (await newest(store, key, context)) ?? (await context.api.get(resourcesOf[store], key));
}

/** Those it owns, and the one it needs now, whoever owns that. */
async function configMapsOf(
  source: LiveSource,
  usable: boolean,
  context: GatherContext,
): Promise<readonly KubeObject[]> {
  const { name, namespace = "", uid = "" } = source.metadata;
  const found = await owned("configMaps", [uid], context);
  if (!usable) return found;
  const needed = configMapName(name, specHashOf(source));
  if (found.some(({ metadata }) => metadata.name === needed)) return found;
  const other = await child("configMaps", `${namespace}/${needed}`, context);
  return other === undefined ? found : [...found, other];
}

async function owned(
  store: "configMaps" | "jobs",
  uids: readonly string[],
  context: GatherContext,
): Promise<readonly KubeObject[]> {
  const known = uids.flatMap((uid) => [
    ...context.listers[store].ownedBy(uid),
    ...context.writes.ownedBy(resourcesOf[store], uid),
  ]);
  const keys = [...new Set(known.map(keyOf))];
  const found = await Promise.all(keys.map((key) => newest(store, key, context)));
  return found.filter((object) => object !== undefined);
}

/** Older sources keep what they had: the newest is the one with which a ceiling is passed or an endpoint is doubled. */
function neighbours(source: LiveSource, { listers, hosts }: GatherContext): readonly LocatedSource[] {
  const own = keyOf(source);
  return hosts
    .neighbours(source)
    .map((key) => (key === own ? source : (listers.sources.get(key) as LiveSource | undefined)))
    .filter((live) => live !== undefined && live.metadata.deletionTimestamp === undefined)
    .sort((a, b) => compareText(ageOf(a), ageOf(b)))
    .flatMap((live) => (live === undefined ? [] : located(live).sources));
}

function ageOf(live: LiveSource | undefined): string {
  return live === undefined ? "" : `${live.metadata.creationTimestamp ?? ""} ${keyOf(live)}`;
}

/** Unpacking a bundle costs milliseconds and it never changes: once for each object of the cache. */
const bundlesRead = new WeakMap<KubeObject, ReadBundle>();

function bundleOf(namespace: string, { listers, bundleName }: GatherContext): Observed["bundle"] {
  const configMap = listers.bundles.get(`${namespace}/${bundleName}`);
  if (configMap === undefined)
    return {
      kind: "missing",
      sentence: `There is no policy bundle ${bundleName} in namespace ${namespace}. Apply the one that harvestctl bundle wrote there, or name another one in the controller's configuration.`,
    };
  const before = bundlesRead.get(configMap);
  if (before !== undefined) return before;
  const read = readBundle(configMap);
  bundlesRead.set(configMap, read);
  return read;
}

/** The delivered spec is kept in the ConfigMap that was rendered from it; one whose name is not its hash is not that one. */
function deliveredOf(
  { metadata, status }: LiveSource,
  configMaps: readonly KubeObject[],
): { readonly delivered?: Delivered } {
  const { configMapName: keptName, revision } = status?.delivery ?? {};
  const kept = configMaps.find((configMap) => configMap.metadata.name === keptName);
  const text = (kept?.["data"] as Readonly<Record<string, string>> | undefined)?.[manifestFile];
  if (keptName === undefined || text === undefined) return {};
  if (keptName !== configMapName(metadata.name, hashOf(text))) return {};
  const [first] = usableSources(text, { file: keptName, named: true }).sources;
  if (first === undefined) return {};
  return {
    delivered: {
      spec: first.source.spec,
      configMapName: keptName,
      ...(revision !== undefined && { revision }),
    },
  };
}
