import { annotations } from "../names.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { LiveSource, ManagedFieldsEntry } from "../object.js";
import type { DriftMode, DriftSettings } from "../settings.js";
import { contentHash } from "./content-hash.js";
import { driftSentence } from "./drift-sentence.js";
import { cut, MAX_FIELDS, type FieldDifference } from "./field-difference.js";
import { ownersOf } from "./managed-fields.js";
import {
  delivers,
  recogniseDelivery,
  type DeliveryStatus,
  type RecognisedDelivery,
} from "./recognise-delivery.js";
import { specDifferences } from "./spec-differences.js";
import { withoutAbsent } from "./without-absent.js";

/** What the delivery last delivered: kept from when it was seen in the cluster, or read from Git by the own sync. */
export interface DeliveredSpec {
  readonly spec: HarvestSource["spec"];
  readonly revision?: string;
  /** Where it is kept. */
  readonly configMapName?: string;
}

export interface DriftQuestion {
  /** With its status: status.delivery remembers a delivery whose traces were wiped. */
  readonly live: LiveSource;
  readonly delivered?: DeliveredSpec;
  readonly settings: DriftSettings;
  readonly now: Date;
}

export type SourceDrift =
  /** Nobody is known to deliver it: whoever writes it may. */
  | { readonly kind: "untracked" }
  /** live.spec is what was delivered: keep it as `delivered` for next time. */
  | { readonly kind: "delivered"; readonly delivery: DeliveryStatus }
  | DriftedSource;

export interface DriftedSource {
  readonly kind: "drifted";
  readonly delivery: DeliveryStatus;
  /** At most MAX_FIELDS; empty when what was delivered is not known. */
  readonly fields: readonly FieldDifference[];
  /** Differences beyond those. */
  readonly moreFields: number;
  /** Who wrote spec last, and when; absent when managedFields do not say. */
  readonly manager?: string;
  readonly time?: string;
  /** What is to be done: put back, only tell, or nothing. */
  readonly action: DriftMode;
  readonly sentence: string;
}

/** A clock may be wrong by this much; a time later than that is forged, and not repeated. */
const CLOCK_SKEW_MS = 300_000;

/** Bounds of status.delivery in crds/. */
const MAX_MANAGER = 128;
const MAX_HASH = 80;

/**
 * Does spec say what was delivered? Only spec is looked at: labels, annotations (the brake and "harvest now" among them),
 * finalizers and status are never drift.
 */
export function sourceDrift(question: DriftQuestion): SourceDrift {
  const evidence = gather(question);
  if (evidence === undefined) return { kind: "untracked" };
  if (!isAsDelivered(evidence)) return drifted(evidence);
  return { kind: "delivered", delivery: deliveredStatus(evidence) };
}

interface Evidence extends DriftQuestion {
  readonly found: RecognisedDelivery;
  readonly liveHash: string;
  /** The hash the delivery left on the object. */
  readonly stamp: string | undefined;
  /** Who owns spec: one, or several that agree. */
  readonly owners: readonly ManagedFieldsEntry[];
  readonly deliveryOwns: boolean;
  /** Differences from the delivered spec; undefined = that is not known. */
  readonly differences?: readonly FieldDifference[];
}

function gather(question: DriftQuestion): Evidence | undefined {
  const { live, delivered, settings } = question;
  const found = recogniseDelivery(live, settings) ?? remembered(live);
  if (found === undefined) return undefined;
  const stamp = live.metadata.annotations?.[annotations.contentHash];
  const owners = ownersOf(live, "spec");
  const evidence: Evidence = {
    ...question,
    found,
    liveHash: contentHash(live.spec),
    owners,
    deliveryOwns: owners.some(({ manager }) => delivers(found.engine, manager, settings)),
    stamp,
  };
  if (delivered === undefined || !isOfThisDelivery(evidence, delivered.spec)) return evidence;
  return { ...evidence, differences: specDifferences(delivered.spec, live.spec) };
}

/** By what we wrote down when it delivered: a hand edit may have wiped its traces. */
function remembered({ status }: LiveSource): RecognisedDelivery | undefined {
  const { engine, manager, revision } = status?.delivery ?? {};
  return engine === undefined ? undefined : withoutAbsent({ engine, manager, revision });
}

/**
 * With a stamp on the object, the kept spec must be the stamped one: by its hash, or by the stamp we noted with it (a
 * newer schema with more defaults gives the same spec another hash). Whoever edits by hand may stamp his own edit: for an
 * engine known by its hand that proves nothing.
 */
function isOfThisDelivery(evidence: Evidence, spec: DeliveredSpec["spec"]): boolean {
  const { stamp, live, liveHash, found } = evidence;
  if (stamp === undefined || (found.engine !== "annotation" && stamp === liveHash)) return true;
  return live.status?.delivery?.contentHash === stamp || contentHash(spec) === stamp;
}

function isAsDelivered(evidence: Evidence): boolean {
  const { found, stamp, liveHash, owners, differences } = evidence;
  if (differences?.length === 0) return true;
  if (stamp !== undefined && stamp !== liveHash) return false;
  // A stamp is all that "annotation" delivers by; the other engines are known by their hand.
  if (stamp !== undefined && found.engine === "annotation") return true;
  if (evidence.deliveryOwns) return true;
  return differences === undefined && (owners.length === 0 || isAsRemembered(evidence));
}

function isAsRemembered({ live, liveHash }: Evidence): boolean {
  return live.status?.delivery?.contentHash === liveHash;
}

function drifted(evidence: Evidence): DriftedSource {
  const { settings, live, found, differences = [] } = evidence;
  const override = live.metadata.annotations?.[annotations.drift];
  const action = actionOf(evidence, isMode(override) ? override : settings.mode);
  const writer = lastWriter(evidence);
  const facts = {
    engine: found.engine,
    fields: differences.slice(0, MAX_FIELDS),
    moreFields: Math.max(0, differences.length - MAX_FIELDS),
    action,
    ...writer,
  };
  const delivery = driftedStatus(evidence);
  const sentence = driftSentence({ ...facts, revision: delivery.revision, override });
  return {
    kind: "drifted",
    delivery,
    fields: facts.fields,
    moreFields: facts.moreFields,
    action,
    sentence,
    ...writer,
  };
}

export function isMode(text: string | undefined): text is DriftMode {
  return text === "revert" || text === "warn" || text === "off";
}

/** Flux and Argo CD put back themselves: two that put back fight for ever. What is not known cannot be put back. */
function actionOf({ found, differences }: Evidence, mode: DriftMode): DriftMode {
  if (mode !== "revert") return mode;
  if (found.engine === "flux" || found.engine === "argocd") return "warn";
  return differences === undefined ? "warn" : "revert";
}

/** Of those that own spec the latest that does not deliver; else the latest. */
function lastWriter({ owners, found, settings, now }: Evidence): { manager?: string; time?: string } {
  const latest = [...owners].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  const writer = latest.find(({ manager }) => !delivers(found.engine, manager, settings)) ?? latest[0];
  const time = writer?.time;
  const credible = time !== undefined && Date.parse(time) <= now.getTime() + CLOCK_SKEW_MS;
  return withoutAbsent({
    manager: writer?.manager === undefined ? undefined : cut(writer.manager, MAX_MANAGER),
    time: credible ? time : undefined,
  });
}

function timeOf({ time = "" }: ManagedFieldsEntry): string {
  return time;
}

/** The spec kept from an earlier delivery is not this one's: the caller keeps the live one. */
function deliveredStatus(evidence: Evidence): DeliveryStatus {
  const { stamp, liveHash, differences, delivered } = evidence;
  return deliveryStatus(evidence, {
    hash: stamp ?? liveHash,
    kept: differences?.length === 0 ? delivered?.configMapName : undefined,
  });
}

function driftedStatus(evidence: Evidence): DeliveryStatus {
  const { stamp, liveHash, delivered, differences, live } = evidence;
  const known = differences === undefined ? undefined : delivered;
  const remembered = known === undefined ? live.status?.delivery?.contentHash : contentHash(known.spec);
  return deliveryStatus(evidence, {
    hash: stamp !== undefined && stamp !== liveHash ? stamp : remembered,
    kept: known?.configMapName,
  });
}

function deliveryStatus(
  { found, delivered, live }: Evidence,
  { hash, kept }: { readonly hash: string | undefined; readonly kept: string | undefined },
): DeliveryStatus {
  const manager = found.manager ?? live.status?.delivery?.manager;
  return withoutAbsent({
    engine: found.engine,
    contentHash: hash === undefined ? undefined : cut(hash, MAX_HASH),
    manager: manager === undefined ? undefined : cut(manager, MAX_MANAGER),
    revision: found.revision ?? delivered?.revision,
    configMapName: kept,
  });
}
