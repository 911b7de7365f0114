import { ApiFault, type Api } from "../api.js";
import { gitManager } from "../names.js";
import { keyOf, type Key, type KubeObject } from "../object.js";
import { resources } from "../resources.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { checkout, type Checkout } from "./checkout.js";
import { decideSync, type LiveFacts, type SyncDecision } from "./decide.js";
import { appliedObject, type DesiredObject } from "./desired.js";
import { GitFault } from "./git-fault.js";
import { settingsProblem, type GitSyncSettings } from "./git-sync-settings.js";
import {
  confirmedCommit,
  INVENTORY_NAME,
  inventoryConfigMap,
  readInventory,
  sameInventory,
  union,
  type Inventory,
} from "./inventory.js";
import { readRevision } from "./read.js";
import { refusal, type Refusal } from "./refusal.js";
import { failed, refused, refusedFindings, synced, type SyncResult } from "./sync-result.js";

export interface GitSyncParts {
  readonly api: Api;
  readonly settings: GitSyncSettings;
  /** Of the controller: the inventory lives there. */
  readonly namespace: string;
  /** Decisions of the drift room, handed in. */
  readonly judge: {
    readonly contentHash: (spec: HarvestSource["spec"]) => string;
    /** recogniseDelivery(live)?.engine */
    readonly engineOf: (live: KubeObject) => string | undefined;
  };
  readonly now: () => Date;
}

/** One pass: fetch, read, decide, apply, prune. Never throws for what git, the files or the API server do. */
export async function syncOnce(parts: GitSyncParts, signal: AbortSignal): Promise<SyncResult> {
  const problem = settingsProblem(parts.settings);
  if (problem !== undefined) return failed("settings", problem);
  const result = await guarded(() => pass(parts, signal));
  if (result.kind !== "synced" && !signal.aborted)
    await guarded(async () => {
      await recordError(parts, result.sentence);
      return result;
    });
  return result;
}

async function guarded(work: () => Promise<SyncResult>): Promise<SyncResult> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof GitFault) return failed(thrown.code, thrown.message);
    if (thrown instanceof ApiFault) return failed("api", thrown.message);
    throw thrown;
  }
}

async function pass(parts: GitSyncParts, signal: AbortSignal): Promise<SyncResult> {
  const { api, settings, judge } = parts;
  const found = await checkout(settings, signal);
  const read = await readRevision(found, settings.path, signal);
  if (read.kind === "refused") return refusedFindings(found.revision, read.findings);
  const configMap = await api.get(resources.configMap, inventoryKey(parts));
  const inventory = readInventory(configMap);
  const decision = decideSync({
    manifests: read.manifests,
    contentHash: judge.contentHash,
    revision: found.revision,
    inventory: inventory.entries,
    live: await liveFacts(parts),
    namespaces: settings.namespaces,
    maxDeletePercent: settings.maxDeletePercent,
    deletionsConfirmed: confirmedCommit(configMap) === found.commit,
  });
  if (decision.refused) return refused(found.revision, decision.refusals);
  return carryOut({ parts, found, decision, inventory, signal });
}

interface Work {
  readonly parts: GitSyncParts;
  readonly found: Checkout;
  readonly decision: SyncDecision;
  readonly inventory: Inventory;
  readonly signal: AbortSignal;
}

/** Rehearsed first: a revision of which the server refuses a part is not applied in part. */
async function carryOut(work: Work): Promise<SyncResult> {
  const { parts, found, decision, inventory } = work;
  const { apply, prune, unchanged, refusals } = decision;
  const rejected = await rehearse(work);
  if (rejected.length > 0) return refused(found.revision, rejected);
  // Before anything is applied: what a pass that is killed has applied must not be forgotten.
  const noted = { ...inventory, entries: union(inventory.entries, decision.inventory) };
  await writeInventory(parts, inventory, noted);
  for (const object of apply) await applyOne(work, object, false);
  for (const { key, uid } of prune) {
    throwIfStopped(work.signal);
    await parts.api.delete(resources.harvestSource, key, { uid, propagation: "Background" });
  }
  await writeInventory(parts, noted, { entries: decision.inventory, revision: found.revision });
  return synced({
    revision: found.revision,
    applied: apply.map(({ key }) => key),
    pruned: prune.map(({ key }) => key),
    unchanged,
    refusals,
  });
}

async function rehearse(work: Work): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = [];
  for (const object of work.decision.apply) {
    try {
      await applyOne(work, object, true);
    } catch (thrown) {
      if (!(thrown instanceof ApiFault) || !isRejection(thrown)) throw thrown;
      const { key, file, line } = object;
      refusals.push(refusal("rejected", `${file}:${String(line)}: ${thrown.message}`, { key }));
    }
  }
  return refusals;
}

/** The server will say the same of the same manifest tomorrow; 409 and 429 pass. */
function isRejection({ status }: ApiFault): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 409 && status !== 429;
}

async function applyOne(
  { parts, found, signal }: Work,
  object: DesiredObject,
  dryRun: boolean,
): Promise<void> {
  throwIfStopped(signal);
  await parts.api.apply(resources.harvestSource, appliedObject(object, found.revision), {
    manager: gitManager,
    force: true,
    dryRun,
  });
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new GitFault("stopped", "The controller is stopping; the next pass goes on.");
}

async function liveFacts({ api, settings, judge }: GitSyncParts): Promise<ReadonlyMap<Key, LiveFacts>> {
  const facts = new Map<Key, LiveFacts>();
  for (const namespace of new Set(settings.namespaces)) {
    const { items } = await api.list(resources.harvestSource, { namespace });
    for (const object of items) {
      const spec = object["spec"] as HarvestSource["spec"];
      facts.set(keyOf(object), {
        object,
        engine: judge.engineOf(object),
        contentHash: judge.contentHash(spec),
      });
    }
  }
  return facts;
}

/** What people read of the last pass; what is remembered stays. */
async function recordError(parts: GitSyncParts, error: string): Promise<void> {
  const inventory = readInventory(await parts.api.get(resources.configMap, inventoryKey(parts)));
  await writeInventory(parts, inventory, { ...inventory, error });
}

/** Only when it says something else: a quiet pass writes nothing. */
async function writeInventory(
  { api, namespace, now }: GitSyncParts,
  before: Inventory,
  after: Inventory,
): Promise<void> {
  if (sameInventory(before, after)) return;
  const changeTime = `${now().toISOString().slice(0, 19)}Z`;
  await api.apply(resources.configMap, inventoryConfigMap(namespace, { ...after, changeTime }), {
    manager: gitManager,
    force: true,
  });
}

function inventoryKey({ namespace }: GitSyncParts): Key {
  return `${namespace}/${INVENTORY_NAME}`;
}
