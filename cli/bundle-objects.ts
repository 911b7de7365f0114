/** What harvestctl bundle writes: the bundle, and beside it, when asked for, ceilings and pointer; as YAML or JSON. */
import { stringify } from "yaml";
import { Fault } from "../harvester/fault.js";
import {
  bundleConfigMap,
  bundleKey,
  bundleManager,
  bundleNames,
  type BundleConfigMap,
} from "../source/bundle/bundle-config-map.js";
import { fairUseConfigMap, type FairUseConfigMap } from "../source/bundle/fair-use-config-map.js";
import { bundleFairUse } from "../source/bundle/lint-context.js";
import { packBundle, type PackedBundle } from "../source/bundle/pack-bundle.js";

export interface BundleWish {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly namespace?: string | undefined;
  /** Also the ceilings, for the admission policy. */
  readonly fairUse: boolean;
  /** Also the pointer, for kustomize. */
  readonly kustomize: boolean;
}

/** Says the bundle's name under a name that never changes. kustomize reads it while it builds and does not apply it. */
export interface PointerConfigMap {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly data: { readonly name: string; readonly digest: string };
}

export type BundleObject = BundleConfigMap | FairUseConfigMap | PointerConfigMap;

export interface BundleObjects {
  readonly packed: PackedBundle;
  /** The bundle first. */
  readonly objects: readonly BundleObject[];
}

export const pointerName = "harvest-policy-bundle";

/** Throws Fault `config` when the bundle is too big for a ConfigMap, or ceilings are asked for and cannot be read. */
export function bundleObjects(wish: BundleWish): BundleObjects {
  const { files, namespace } = wish;
  const packed = packBundle(files);
  const made = bundleConfigMap({ packed, ...(namespace === undefined ? {} : { namespace }) });
  if (made.kind === "too-big")
    throw new Fault("config", { code: "BundleTooBig", sentence: made.sentence, remedy: made.remedy });
  const { configMap } = made;
  return {
    packed,
    objects: [
      configMap,
      ...(wish.fairUse ? [ceilings(files, namespace)] : []),
      ...(wish.kustomize ? [pointer(configMap, packed.digest)] : []),
    ],
  };
}

function ceilings(files: ReadonlyMap<string, Uint8Array>, namespace: string | undefined): FairUseConfigMap {
  const parsed = bundleFairUse(files);
  if (parsed?.fairUse !== undefined) return fairUseConfigMap(parsed.fairUse, namespace);
  const [finding] = parsed?.findings ?? [];
  throw new Fault("config", {
    code: "BadFairUse",
    sentence:
      finding === undefined
        ? "There is no rules/fair-use.yaml, so there are no ceilings to write."
        : `${finding.place.file}:${String(finding.place.line)}: ${finding.sentence}`,
    remedy: finding?.remedy ?? "Write the file, or leave --fair-use away.",
  });
}

function pointer({ metadata }: BundleConfigMap, digest: string): PointerConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: pointerName,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: { [bundleNames.managedBy]: bundleManager },
      annotations: { "config.kubernetes.io/local-config": "true" },
    },
    data: { name: metadata.name, digest },
  };
}

const LINE = 76;

/** The same objects, the same bytes. The packed policy in lines, as it is in a kustomize build, so that editors survive it. */
export function yamlText(objects: readonly BundleObject[]): string {
  const documents = objects.map((object) =>
    stringify(wrapped(object), { lineWidth: 0, blockQuote: "literal" }),
  );
  return `# Written by harvestctl bundle. harvestctl bundle --check tells when it is stale.\n${documents.join("---\n")}`;
}

export function jsonText(objects: readonly BundleObject[]): string {
  const [only, ...more] = objects;
  const all = more.length === 0 ? only : { apiVersion: "v1", kind: "List", items: objects };
  return `${JSON.stringify(all, null, 2)}\n`;
}

function wrapped(object: BundleObject): unknown {
  if (!("binaryData" in object)) return object;
  const base64 = object.binaryData[bundleKey] ?? "";
  const lines = base64.replace(new RegExp(`.{${String(LINE)}}(?=.)`, "g"), "$&\n");
  return { ...object, binaryData: { [bundleKey]: `${lines}\n` } };
}
