import { annotations } from "../names.js";
import type { Key, KubeObject } from "../object.js";
import { desiredSet, type DesiredObject } from "./desired.js";
import { refusal, type Refusal } from "./refusal.js";
import type { GitManifest } from "./read.js";

/** What the sync applied before. */
export interface InventoryEntry {
  readonly key: Key;
  /** Of the manifest as it was applied (DesiredObject.hash). */
  readonly hash: string;
}

/** What the cluster says of one object, as far as the decision needs it. */
export interface LiveFacts {
  readonly object: KubeObject;
  /** Who delivers it by drift's recogniseDelivery; undefined = nobody. */
  readonly engine: string | undefined;
  /** contentHash of its spec. */
  readonly contentHash: string;
}

export interface SyncQuestion {
  readonly manifests: readonly GitManifest[];
  readonly contentHash: (spec: GitManifest["source"]["spec"]) => string;
  readonly revision: string;
  readonly inventory: readonly InventoryEntry[];
  readonly live: ReadonlyMap<Key, LiveFacts>;
  readonly namespaces: readonly string[];
  readonly maxDeletePercent: number;
  /** A person allowed more deletions for this very revision. */
  readonly deletionsConfirmed: boolean;
}

export interface SyncDecision {
  /** True = nothing at all is applied or deleted. */
  readonly refused: boolean;
  readonly refusals: readonly Refusal[];
  readonly apply: readonly DesiredObject[];
  readonly prune: readonly { readonly key: Key; readonly uid?: string }[];
  /** As it should be already. */
  readonly unchanged: number;
  /** The inventory once all of it is done. */
  readonly inventory: readonly InventoryEntry[];
}

/** Flux and Argo CD would put back what we write, for ever. */
const OTHERS: ReadonlySet<string> = new Set(["flux", "argocd"]);

/** What one revision means for the cluster. A revision is taken as a whole or not at all; single objects may be left alone. */
export function decideSync(question: SyncQuestion): SyncDecision {
  const { objects, refusals } = desiredSet(question);
  if (refusals.length > 0) return refuse(question, refusals);
  const { prune, left } = pruned(question, objects);
  const guard = guardDeletions(question, { objects, prune });
  if (guard !== undefined) return refuse(question, [guard]);
  const taken = objects.filter(({ key }) => !isOthers(question.live.get(key)));
  const theirs = objects.filter(({ key }) => isOthers(question.live.get(key)));
  const apply = taken.filter((object) => mustApply(object, question));
  return {
    refused: false,
    refusals: [...theirs.map((object) => ownedRefusal(object, question)), ...left],
    apply,
    prune,
    unchanged: taken.length - apply.length,
    inventory: taken.map(({ key, hash }) => ({ key, hash })),
  };
}

function refuse({ inventory }: SyncQuestion, refusals: readonly Refusal[]): SyncDecision {
  return { refused: true, refusals, apply: [], prune: [], unchanged: 0, inventory };
}

function isOthers(live: LiveFacts | undefined): boolean {
  return live?.engine !== undefined && OTHERS.has(live.engine);
}

function ownedRefusal({ key, file, line }: DesiredObject, { live }: SyncQuestion): Refusal {
  const owner = live.get(key)?.engine === "flux" ? "Flux" : "Argo CD";
  return refusal(
    "owned-by-another",
    `${file}:${String(line)}: ${key} is delivered by ${owner}, and is left alone.`,
    {
      key,
      remedy: `Take it out of one of the two.`,
    },
  );
}

interface Pruned {
  readonly prune: SyncDecision["prune"];
  /** What is no longer ours to delete, with the reason. */
  readonly left: readonly Refusal[];
}

function pruned({ inventory, live, namespaces }: SyncQuestion, objects: readonly DesiredObject[]): Pruned {
  const wanted = new Set(objects.map(({ key }) => key));
  const prune: { key: Key; uid?: string }[] = [];
  const left: Refusal[] = [];
  for (const { key } of inventory) {
    const facts = live.get(key);
    if (wanted.has(key)) continue;
    const reason = whyLeft(key, facts, namespaces);
    if (reason !== undefined) left.push(reason);
    else if (facts !== undefined) prune.push({ key, uid: facts.object.metadata.uid });
  }
  return { prune, left };
}

function whyLeft(key: Key, facts: LiveFacts | undefined, namespaces: readonly string[]): Refusal | undefined {
  if (!namespaces.includes(key.split("/")[0] ?? ""))
    return refusal(
      "prune-namespace",
      `${key} is no longer in Git, but its namespace is no longer in the allow-list: it stays.`,
      { key },
    );
  if (facts === undefined) return undefined;
  if (facts.object.metadata.annotations?.[annotations.prune] === "disabled")
    return refusal(
      "prune-disabled",
      `${key} is no longer in Git, and stays: ${annotations.prune} is disabled on it.`,
      {
        key,
      },
    );
  if (facts.engine === "git-sync") return undefined;
  return refusal("prune-not-ours", `${key} is no longer in Git, and stays: somebody else made it anew.`, {
    key,
  });
}

function guardDeletions(
  { inventory, maxDeletePercent, deletionsConfirmed, revision }: SyncQuestion,
  { objects, prune }: { readonly objects: readonly DesiredObject[]; readonly prune: SyncDecision["prune"] },
): Refusal | undefined {
  if (objects.length === 0)
    return refusal(
      "empty",
      `${revision} holds no HarvestSource in the folder of the Git sync: nothing is deleted.`,
      {
        remedy:
          "Check the path. To remove all sources, switch the Git sync off and delete them with kubectl.",
      },
    );
  const percent = inventory.length === 0 ? 0 : (100 * prune.length) / inventory.length;
  // One by itself is how a source is retired, whatever share of a small set it is.
  if (prune.length <= 1 || percent <= maxDeletePercent || deletionsConfirmed) return undefined;
  return refusal(
    "too-many-deletions",
    `${revision} would delete ${String(prune.length)} of ${String(inventory.length)} sources (${named(prune)}); at most ${String(maxDeletePercent)} % are deleted at once. Nothing was applied.`,
    {
      remedy: `If it is meant, annotate ConfigMap harvest-gitops-inventory with ${CONFIRM_ANNOTATION}=<commit>.`,
    },
  );
}

/** On the inventory: the full id of the commit whose deletions somebody looked at. */
export const CONFIRM_ANNOTATION = "ingest.geoportal.io/confirm-deletions";

function named(prune: SyncDecision["prune"]): string {
  const names = prune.slice(0, 5).map(({ key }) => key);
  return prune.length > names.length ? `${names.join(", ")}, …` : names.join(", ");
}

/** A quiet pass writes nothing; a change by hand, in Git or in us is written. */
function mustApply(object: DesiredObject, { live, inventory }: SyncQuestion): boolean {
  const facts = live.get(object.key);
  if (facts === undefined || facts.contentHash !== object.contentHash || facts.engine !== "git-sync")
    return true;
  const { labels = {}, annotations: notes = {} } = facts.object.metadata;
  const applied = inventory.find(({ key }) => key === object.key)?.hash;
  return (
    applied !== object.hash ||
    notes[annotations.contentHash] !== object.contentHash ||
    !holds(labels, object.labels) ||
    !holds(notes, object.annotations)
  );
}

function holds(found: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => found[name] === value);
}
