/** A packed bundle as the ConfigMap that carries it into a cluster. Written by harvestctl bundle, read by the controller. */
import { bundleLimits } from "./bundle-limits.js";
import type { PackedBundle } from "./pack-bundle.js";

/** Equal to those of controller/names.ts, which this folder may not import; a test compares them. */
export const bundleNames = {
  label: "ingest.geoportal.io/policy-bundle",
  digest: "ingest.geoportal.io/policy-digest",
  files: "ingest.geoportal.io/policy-files",
  managedBy: "app.kubernetes.io/managed-by",
} as const;

/** Never harvest-controller: what carries that is a child of a source, and this belongs to whoever delivers it. */
export const bundleManager = "harvestctl";

/** The key of the ConfigMap, and so the file's name where it is mounted. */
export const bundleKey = "policy.json.gz";

export const defaultNamePrefix = "harvest-policy";

export interface BundleConfigMap {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  /** Another policy is another ConfigMap: nobody changes the rules under a pod that runs. */
  readonly immutable: true;
  readonly binaryData: Readonly<Record<string, string>>;
}

export interface ConfigMapWish {
  readonly packed: PackedBundle;
  readonly namespace?: string;
  /** Default harvest-policy. */
  readonly namePrefix?: string;
}

export type MadeConfigMap =
  | { readonly kind: "made"; readonly configMap: BundleConfigMap }
  /** Over the 1 MiB of a ConfigMap; `remedy` names what takes the room. */
  | { readonly kind: "too-big"; readonly sentence: string; readonly remedy: string };

export function bundleConfigMap(wish: ConfigMapWish): MadeConfigMap {
  const { packed, namespace, namePrefix } = wish;
  const over = packed.bytes.length - bundleLimits.configMapBytes;
  if (over > 0) return tooBig(packed, over);
  return {
    kind: "made",
    configMap: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: bundleName(packed.digest, namePrefix),
        ...(namespace === undefined ? {} : { namespace }),
        labels: {
          "app.kubernetes.io/name": "harvest-policy",
          [bundleNames.managedBy]: bundleManager,
          [bundleNames.label]: "true",
        },
        annotations: {
          [bundleNames.digest]: packed.digest,
          [bundleNames.files]: String(packed.files),
        },
      },
      immutable: true,
      binaryData: { [bundleKey]: Buffer.from(packed.bytes).toString("base64") },
    },
  };
}

/** prefix-<first 12 hex digits of the digest>. */
export function bundleName(digest: string, prefix: string = defaultNamePrefix): string {
  return `${prefix}-${digest.slice(0, 12)}`;
}

function tooBig({ bytes, biggest, files }: PackedBundle, over: number): MadeConfigMap {
  const named = biggest.map((one) => `${one.path} (${String(one.bytes)} bytes)`).join(", ");
  return {
    kind: "too-big",
    sentence: `${files === 1 ? "The file packs" : `The ${String(files)} files pack`} to ${String(bytes.length)} bytes, ${String(over)} more than the ${String(bundleLimits.configMapBytes)} a ConfigMap holds.`,
    remedy: `Drop what no source names; the biggest files are ${named}.`,
  };
}
