import { annotations, gitManager } from "../names.js";
import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { KubeObject, ManagedFieldsEntry } from "../object.js";
import type { DriftSettings } from "../settings.js";
import { childSet } from "./field-set.js";
import { entriesOf, ownersOf } from "./managed-fields.js";
import { withoutAbsent } from "./without-absent.js";

export type DeliveryStatus = NonNullable<HarvestSourceStatus["delivery"]>;
export type Engine = NonNullable<DeliveryStatus["engine"]>;

export interface RecognisedDelivery {
  readonly engine: Engine;
  /** Its field manager, as far as managedFields name one. */
  readonly manager?: string;
  /** Git revision, where the delivery left it as an annotation. */
  readonly revision?: string;
}

type Recognisable = Pick<KubeObject, "apiVersion" | "metadata">;

/** Field managers of the engines (Flux kustomize-controller and helm-controller, Argo CD with and without server-side apply). */
const MANAGERS: Readonly<Partial<Record<Engine, readonly string[]>>> = {
  flux: ["kustomize-controller", "helm-controller"],
  argocd: ["argocd-controller", "argocd-application-controller"],
  "git-sync": [gitManager],
};

const FLUX_LABELS = ["kustomize.toolkit.fluxcd.io/", "helm.toolkit.fluxcd.io/"];
const ARGO_TRACKING = "argocd.argoproj.io/tracking-id";
/** Bound of status.delivery.revision in crds/. */
const MAX_REVISION = 256;

/**
 * Who delivers an object, by what only that delivery leaves on it. The label app.kubernetes.io/instance proves nothing:
 * Helm charts and people set it too.
 */
export function recogniseDelivery(
  live: Recognisable,
  settings: Pick<DriftSettings, "deliveryManagers">,
): RecognisedDelivery | undefined {
  const engine = engineOf(live, settings);
  if (engine === undefined) return undefined;
  const manager = managerOf(live, (name) => delivers(engine, name, settings));
  const revision = live.metadata.annotations?.[annotations.gitRevision]?.slice(0, MAX_REVISION);
  return withoutAbsent({ engine, manager, revision });
}

/** True when a field manager writes on behalf of this engine. */
export function delivers(
  engine: Engine,
  manager: string | undefined,
  settings: Pick<DriftSettings, "deliveryManagers">,
): boolean {
  if (manager === undefined) return false;
  return (MANAGERS[engine] ?? []).includes(manager) || settings.deliveryManagers.includes(manager);
}

function engineOf(live: Recognisable, settings: Pick<DriftSettings, "deliveryManagers">): Engine | undefined {
  const { labels = {}, annotations: notes = {} } = live.metadata;
  if (Object.keys(labels).some((label) => FLUX_LABELS.some((prefix) => label.startsWith(prefix))))
    return "flux";
  if (notes[ARGO_TRACKING] !== undefined) return "argocd";
  const written = writers(live);
  if (written.some(({ manager = "" }) => MANAGERS.flux?.includes(manager))) return "flux";
  if (written.some(({ manager = "" }) => MANAGERS.argocd?.includes(manager))) return "argocd";
  if (written.some(isOwnSync)) return "git-sync";
  // A hand that was named in the settings says more than a stamp, which anybody can write.
  if (written.some(({ manager = "" }) => settings.deliveryManagers.includes(manager))) return "managers";
  return notes[annotations.contentHash] === undefined ? undefined : "annotation";
}

/** A revert writes spec under the same manager, but only the sync owns the revision. */
function isOwnSync({ manager, fieldsV1 = {} }: ManagedFieldsEntry): boolean {
  const notes = childSet(childSet(fieldsV1, "f:metadata") ?? {}, "f:annotations") ?? {};
  return manager === gitManager && childSet(notes, `f:${annotations.gitRevision}`) !== undefined;
}

/** The one that owns spec, before one that owns something else. */
function managerOf(live: Recognisable, wanted: (manager: string) => boolean): string | undefined {
  const entries = [...ownersOf(live, "spec"), ...writers(live)];
  return entries.map(({ manager = "" }) => manager).find(wanted);
}

function writers(live: Recognisable): readonly ManagedFieldsEntry[] {
  return entriesOf(live).filter(({ subresource }) => (subresource ?? "") === "");
}
