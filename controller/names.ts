/** Names, labels, annotations and managers the controller leaves in a cluster. Everything deterministic: the name is the lock. */

export const group = "ingest.geoportal.io";

/** Field manager of the children and of the status. */
export const manager = "harvest-controller";
/** Field manager of the own Git sync, and of a revert to what somebody without a known manager delivered. */
export const gitManager = "harvest-gitops";

export const labels = {
  managedBy: "app.kubernetes.io/managed-by",
  name: "app.kubernetes.io/name",
  /** Name of the HarvestSource a child belongs to. */
  source: `${group}/source`,
  /** spec | delivered: which ConfigMap it is; scheduled | requested | withdraw: which kind of Job and Pod. */
  role: `${group}/role`,
  /** "true" on a ConfigMap that `harvestctl bundle` packed. */
  policyBundle: `${group}/policy-bundle`,
} as const;

/** Children carry it, so that one selector finds them all. */
export const managedBy = { key: labels.managedBy, value: "harvest-controller" } as const;
export const childSelector = `${managedBy.key}=${managedBy.value}`;
export const bundleSelector = `${labels.policyBundle}=true`;

export const annotations = {
  /** A new value = one run at once; echoed in status.lastHandledRequestedAt. */
  requestedAt: `${group}/requestedAt`,
  /** The brake: a reason, honoured while it stands. */
  paused: `${group}/paused`,
  /** RFC 3339; the brake ends by itself then. */
  pausedUntil: `${group}/paused-until`,
  /** revert | warn | off, for this object. */
  drift: `${group}/drift`,
  /** Left by the delivery: sha256:<hex> of the spec with its defaults (contentHash). */
  contentHash: `${group}/content-hash`,
  /** Left by the delivery: branch@sha1:<commit>. */
  gitRevision: `${group}/git-revision`,
  /** disabled = the own Git sync does not delete this object. */
  prune: `${group}/prune`,
  /** On children: hash of what was rendered. */
  renderedHash: `${group}/rendered-hash`,
  /** On a bundle and on pod templates: SHA-256 of the bundle's files, in hex. */
  bundleDigest: `${group}/policy-digest`,
} as const;

export const finalizer = `${group}/finalizer`;

export function cronJobName(source: string): string {
  return `harvest-${source}`;
}

export function networkPolicyName(source: string): string {
  return `harvest-${source}`;
}

/** `hash`: the first 10 hex digits of the hash of its data, so that another spec is another, immutable, ConfigMap. */
export function configMapName(source: string, hash: string): string {
  return `harvest-${source}-${hash.slice(0, 10)}`;
}

/** `hash`: of the annotation's value; a replayed event makes the same name. At most 44 + 8 + 1 + 10 = 63 characters. */
export function requestedJobName(source: string, hash: string): string {
  return `harvest-${source}-${hash.slice(0, 10)}`;
}

/** One for each life of a source: `uid` is the HarvestSource's. */
export function withdrawJobName(source: string, uid: string): string {
  return `harvest-${source}-w${uid.replaceAll("-", "").slice(0, 9)}`;
}
