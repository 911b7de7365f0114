/** All that one decision about a source is made from: read from the caches, and live where absence would decide. */
import { readBundle, type ReadBundle } from "../source/bundle/read-bundle.js";
import type { LocatedSource } from "../source/located-source.js";
import { usableSources } from "../source/usable-sources.js";
import type { Api, Lister } from "./api.js";
import type { HostIndex } from "./host-index.js";
import { located } from "./located.js";
import { cronJobName, networkPolicyName } from "./names.js";
import { keyOf, type Key, type KubeObject, type LiveSource } from "./object.js";
import type { Delivered, Observed } from "./observed.js";
import type { RecentWrites } from "./recent-writes.js";
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
  const { listers, writes } = context;
  const source = writes.newest(resources.harvestSource, key, listers.sources.get(key)) as
    LiveSource | undefined;
  if (source === undefined) return undefined;
  const { name, namespace = "", uid = "" } = source.metadata;
  const cronJob = await child(resources.cronJob, `${namespace}/${cronJobName(name)}`, context);
  const networkPolicy = await child(
    resources.networkPolicy,
    `${namespace}/${networkPolicyName(name)}`,
    context,
  );
  const configMaps = owned(resources.configMap, listers.configMaps, { uids: [uid], writes });
  const uids = cronJob?.metadata.uid === undefined ? [uid] : [uid, cronJob.metadata.uid];
  const jobs = owned(resources.job, listers.jobs, { uids, writes });
  return {
    source,
    errors: located(source).errors,
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

/** The cache holds what carries our label; a stranger's object with our name shows only in a live read. */
async function child(
  resource: typeof resources.cronJob | typeof resources.networkPolicy,
  key: Key,
  { api, listers, writes }: GatherContext,
): Promise<KubeObject | undefined> {
  const lister = resource.kind === "CronJob" ? listers.cronJobs : listers.networkPolicies;
  return writes.newest(resource, key, lister.get(key)) ?? (await api.get(resource, key));
}

function owned(
  resource: Resource,
  lister: Lister,
  { uids, writes }: { readonly uids: readonly string[]; readonly writes: RecentWrites },
): readonly KubeObject[] {
  return uids
    .flatMap((uid) => [...lister.ownedBy(uid), ...writes.ownedBy(resource, uid)])
    .map((object) => writes.newest(resource, keyOf(object), lister.get(keyOf(object))))
    .filter((object) => object !== undefined)
    .filter((object, i, all) => all.findIndex(({ metadata }) => metadata.uid === object.metadata.uid) === i);
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

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
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

/** The delivered spec is kept in the ConfigMap that was rendered from it. */
function deliveredOf(
  { status }: LiveSource,
  configMaps: readonly KubeObject[],
): { readonly delivered?: Delivered } {
  const { configMapName, revision } = status?.delivery ?? {};
  const kept = configMaps.find(({ metadata }) => metadata.name === configMapName);
  const text = (kept?.["data"] as Readonly<Record<string, string>> | undefined)?.["source.yaml"];
  if (configMapName === undefined || text === undefined) return {};
  const [first] = usableSources(text, { file: configMapName, named: true }).sources;
  if (first === undefined) return {};
  return {
    delivered: { spec: first.source.spec, configMapName, ...(revision !== undefined && { revision }) },
  };
}
