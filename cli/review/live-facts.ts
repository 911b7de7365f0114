import { ApiFault } from "../../controller/api.js";
import type { ClusterApi } from "../../controller/cluster/client.js";
import { objectPath } from "../../controller/cluster/resource-path.js";
import { warningTexts } from "../../controller/cluster/warning-header.js";
import { ownersOf } from "../../controller/drift/managed-fields.js";
import { keyOf as objectKey, type LiveSource } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { canonicalJson } from "../../source/difference/canonical-json.js";
import { compareValues, differenceText } from "../../source/difference/compare-values.js";
import { filledSpec } from "../../source/difference/filled-spec.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { LiveDrift, LiveFacts } from "../../source/review/facts.js";
import { keyOf } from "../../source/review/source-key.js";
import type { KnownFacts, Trees } from "./run-review.js";

export interface LiveWish {
  readonly api: ClusterApi;
  /** Of sources that name none. */
  readonly namespace: string;
}

type DryRun = NonNullable<LiveFacts["dryRun"]>;

const MANAGER = "harvestctl-diff";

/**
 * What the cluster has that differs from the base, and what the API server would say to the heads that change. Changes
 * nothing. Throws ApiFault when the cluster cannot be asked.
 */
export async function liveFacts({ api, namespace }: LiveWish, trees: Trees): Promise<KnownFacts> {
  const base = byKey(trees.base.sources);
  const head = byKey(trees.head.sources);
  const live = await liveSources(api, { namespace, sources: [...base.values(), ...head.values()] });
  const facts = new Map<string, LiveFacts>();
  const unknowns: string[] = [];
  for (const key of [...new Set([...base.keys(), ...head.keys()])].sort()) {
    const before = base.get(key);
    const found = before === undefined ? undefined : live.get(clusterKey(before, namespace));
    const drift = before === undefined || found === undefined ? [] : driftOf(before, found);
    const after = changed(before, head.get(key));
    const answer = after === undefined ? undefined : await dryRun(api, inNamespace(after, namespace));
    if (typeof answer === "string") unknowns.push(`The API server was not asked about ${key}: ${answer}`);
    const verdict = typeof answer === "object" ? { dryRun: answer } : {};
    if (drift.length > 0 || typeof answer === "object") facts.set(key, { drift, ...verdict });
  }
  return { facts: { live: facts }, unknowns };
}

function byKey(sources: Trees["base"]["sources"]): ReadonlyMap<string, HarvestSource> {
  return new Map(sources.map((located) => [keyOf(located), located.source]));
}

function clusterKey({ metadata }: HarvestSource, namespace: string): string {
  return `${metadata.namespace ?? namespace}/${metadata.name}`;
}

function inNamespace(source: HarvestSource, namespace: string): HarvestSource {
  return { ...source, metadata: { ...source.metadata, namespace: source.metadata.namespace ?? namespace } };
}

/** The head where it says something else than the base: the server has accepted the rest before. */
function changed(
  before: HarvestSource | undefined,
  after: HarvestSource | undefined,
): HarvestSource | undefined {
  if (after === undefined) return undefined;
  return before !== undefined && canonicalJson(before) === canonicalJson(after) ? undefined : after;
}

/** One list a namespace, however many sources it has. */
async function liveSources(
  api: ClusterApi,
  { namespace, sources }: { readonly namespace: string; readonly sources: readonly HarvestSource[] },
): Promise<ReadonlyMap<string, LiveSource>> {
  const namespaces = new Set(sources.map(({ metadata }) => metadata.namespace ?? namespace));
  const found = new Map<string, LiveSource>();
  for (const each of [...namespaces].sort()) {
    const { items } = await api.list(resources.harvestSource, { namespace: each });
    for (const item of items) found.set(objectKey(item), item as LiveSource);
  }
  return found;
}

function driftOf(before: HarvestSource, live: LiveSource): readonly LiveDrift[] {
  const differences = compareValues({
    path: ["spec"],
    before: filledSpec(before.spec),
    after: filledSpec(live.spec),
  });
  const [writer] = [...ownersOf(live, "spec")].sort((a, b) => ((a.time ?? "") < (b.time ?? "") ? 1 : -1));
  return differences.map((each) => ({
    field: differenceText(each),
    ...(each.before === undefined ? {} : { base: each.before }),
    ...(each.after === undefined ? {} : { live: each.after }),
    ...(writer?.manager === undefined ? {} : { manager: writer.manager }),
    ...(writer?.time === undefined ? {} : { time: writer.time }),
  }));
}

/** The server's verdict; a text = why it could not be asked. Throws ApiFault when there is no server to ask. */
async function dryRun(api: ClusterApi, source: HarvestSource): Promise<DryRun | string> {
  const query = { fieldManager: MANAGER, force: true, dryRun: "All", fieldValidation: "Strict" };
  const { name, namespace = "" } = source.metadata;
  const path = objectPath(resources.harvestSource, `${namespace}/${name}`, { query });
  const headers = { "content-type": "application/apply-patch+yaml" };
  try {
    const answer = await api.raw("PATCH", path, { body: JSON.stringify(source), headers, replayable: true });
    const messages = warningTexts(answer.headers["warning"]);
    await answer.text();
    return { accepted: true, messages };
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status === 0 || error.status === 401) throw error;
    return mayNotAsk(error) ? error.message : { accepted: false, messages: [error.message] };
  }
}

/** 403 is said by RBAC, which has not looked at the object, and by admission, which has. */
function mayNotAsk({ status, detail }: ApiFault): boolean {
  const { message = "" } = (detail.cause ?? {}) as { readonly message?: string };
  return status === 403 && /cannot (patch|create) resource/.test(message);
}
