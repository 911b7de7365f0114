import { bundleKey, bundleNames } from "./bundle-config-map.js";
import { bundleLimits } from "./bundle-limits.js";
import { shownDigest, unpackBundle } from "./unpack-bundle.js";

/** What is looked at of a ConfigMap; any object of the API server is one. */
export interface ConfigMapFacts {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

export type BundleReason = "BundleMissingData" | "BundleUntrue" | "BundleTooBig" | "BundleUnreadable";

export type ReadBundle =
  | {
      readonly kind: "usable";
      readonly digest: string;
      readonly files: ReadonlyMap<string, Uint8Array>;
      /** Sorted. */
      readonly paths: readonly string[];
    }
  | { readonly kind: "unusable"; readonly reason: BundleReason; readonly sentence: string };

/**
 * Is this ConfigMap the bundle it says it is? Its annotation must carry the digest of its files, and a name that ends in
 * twelve hex digits must carry the digest's first twelve.
 */
export function readBundle(configMap: ConfigMapFacts): ReadBundle {
  const { name, annotations } = configMap.metadata;
  const packed = packedBytes(configMap);
  if (!(packed instanceof Uint8Array)) return packed;
  const claimed = annotations?.[bundleNames.digest];
  if (claimed === undefined)
    return unusable(
      "BundleMissingData",
      `The ConfigMap ${name} has no annotation ${bundleNames.digest}, so nothing says which policy it should be: write it with harvestctl bundle.`,
    );
  const unpacked = unpackBundle(packed);
  if (unpacked.kind === "refused")
    return unusable(unpacked.reason, `The ConfigMap ${name} cannot be used. ${unpacked.sentence}`);
  const { digest, files } = unpacked;
  if (claimed !== digest) return untrue(name, { claimed, digest, place: "its annotation" });
  const ending = /-([0-9a-f]{12})$/.exec(name)?.[1];
  if (ending !== undefined && !digest.startsWith(ending))
    return untrue(name, { claimed: ending, digest, place: "its name" });
  return { kind: "usable", digest, files, paths: [...files.keys()].sort() };
}

function packedBytes(configMap: ConfigMapFacts): Uint8Array | Extract<ReadBundle, { kind: "unusable" }> {
  const { name } = configMap.metadata;
  const { binaryData } = configMap;
  const value =
    typeof binaryData === "object" && binaryData !== null && Object.hasOwn(binaryData, bundleKey)
      ? (binaryData as Readonly<Record<string, unknown>>)[bundleKey]
      : undefined;
  if (typeof value !== "string")
    return unusable(
      "BundleMissingData",
      `The ConfigMap ${name} has no binaryData.${bundleKey}: it is no policy bundle. Write it with harvestctl bundle.`,
    );
  // Line breaks are allowed in base64: a quarter more is more than enough for them.
  if (value.length > (bundleLimits.configMapBytes * 5) / 3)
    return unusable(
      "BundleTooBig",
      `The ConfigMap ${name} has more than the ${String(bundleLimits.configMapBytes)} bytes a ConfigMap may hold.`,
    );
  return Buffer.from(value, "base64");
}

function untrue(
  name: string,
  { claimed, digest, place }: { readonly claimed: string; readonly digest: string; readonly place: string },
): ReadBundle {
  return unusable(
    "BundleUntrue",
    `The ConfigMap ${name} is not the bundle it says it is: ${place} says ${shownDigest(claimed)}, but its files have the digest ${digest}. Write it anew with harvestctl bundle.`,
  );
}

function unusable(reason: BundleReason, sentence: string): Extract<ReadBundle, { kind: "unusable" }> {
  return { kind: "unusable", reason, sentence };
}
