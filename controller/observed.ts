import type { ReadBundle } from "../source/bundle/read-bundle.js";
import type { HarvestSourceSpec } from "../source/harvest-source.generated.js";
import type { LocatedSource } from "../source/located-source.js";
import type { Finding } from "../source/finding.js";
import type { KubeObject, LiveSource } from "./object.js";

/** Everything one decision about a source is made from; absent things are absent values. */
export interface Observed {
  readonly source: LiveSource;
  /** Why the manifest itself cannot be used, in lint's words. */
  readonly errors: readonly Finding[];
  /** All usable sources asked from the same host, this one included, the oldest first. */
  readonly neighbours: readonly LocatedSource[];
  readonly bundle: ReadBundle | { readonly kind: "missing"; readonly sentence: string };
  /** By the names we give; theirs or ours. */
  readonly cronJob?: KubeObject;
  readonly networkPolicy?: KubeObject;
  /** Owned by this source. */
  readonly configMaps: readonly KubeObject[];
  readonly jobs: readonly KubeObject[];
  readonly pods: readonly KubeObject[];
  /** The spec the delivery left, where it is known. */
  readonly delivered?: Delivered;
}

export interface Delivered {
  readonly spec: HarvestSourceSpec;
  readonly revision?: string;
  readonly configMapName?: string;
}
