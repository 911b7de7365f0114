/** Is a file that harvestctl bundle wrote still what it would write? By content, whatever zlib packed it. */
import { parseAllDocuments } from "yaml";
import { bundleKey, bundleNames } from "../source/bundle/bundle-config-map.js";
import { fairUseName } from "../source/bundle/fair-use-config-map.js";
import { readBundle, type ConfigMapFacts } from "../source/bundle/read-bundle.js";
import { pointerName, type BundleObject } from "./bundle-objects.js";

export type Difference =
  | { readonly kind: "added" | "changed" | "removed"; readonly path: string }
  /** Anything but a file of the policy, in one sentence. */
  | { readonly kind: "other"; readonly sentence: string };

export interface Expected {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** As bundleObjects made them: the bundle first. */
  readonly objects: readonly BundleObject[];
}

/** Empty: it is up to date. Files in the order of their paths, then the rest. */
export function bundleDifferences(text: string, expected: Expected): readonly Difference[] {
  const found = configMapsOf(text);
  if (typeof found === "string") return [other(found)];
  const bundles = found.filter(isBundle);
  const [bundle, second] = bundles;
  if (bundle === undefined) return [other("It holds no policy bundle.")];
  if (second !== undefined) return [other(`It holds ${String(bundles.length)} policy bundles.`)];
  const read = readBundle(bundle);
  if (read.kind === "unusable") return [other(read.sentence)];
  return [
    ...fileDifferences(read.files, expected.files),
    ...expected.objects.flatMap((object) => objectDifferences(found, bundle, object)),
  ];
}

function isBundle({ metadata, binaryData }: ConfigMapFacts): boolean {
  const labels = (metadata as { labels?: Readonly<Record<string, unknown>> }).labels ?? {};
  const hasKey = typeof binaryData === "object" && binaryData !== null && bundleKey in binaryData;
  return hasKey || labels[bundleNames.label] === "true";
}

function fileDifferences(
  old: ReadonlyMap<string, Uint8Array>,
  now: ReadonlyMap<string, Uint8Array>,
): readonly Difference[] {
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths.flatMap((path): readonly Difference[] => {
    const [before, after] = [old.get(path), now.get(path)];
    if (before === undefined) return [{ kind: "added", path }];
    if (after === undefined) return [{ kind: "removed", path }];
    return Buffer.compare(before, after) === 0 ? [] : [{ kind: "changed", path }];
  });
}

function objectDifferences(
  found: readonly ConfigMapFacts[],
  bundle: ConfigMapFacts,
  expected: BundleObject,
): readonly Difference[] {
  const { name, namespace } = expected.metadata;
  const isTheBundle = "binaryData" in expected;
  const given = isTheBundle ? bundle : found.find(({ metadata }) => metadata.name === name);
  if (given === undefined) return [other(`It lacks the ConfigMap ${name}.`)];
  if (namespace !== undefined && given.metadata.namespace !== namespace)
    return [
      other(
        `${given.metadata.name} is for the namespace ${given.metadata.namespace ?? "(none)"}, not ${namespace}.`,
      ),
    ];
  if (isTheBundle || sameData(given["data"], expected.data)) return [];
  const what: Readonly<Record<string, string>> = {
    [fairUseName]: "has other ceilings than rules/fair-use.yaml",
    [pointerName]: "points to another bundle",
  };
  return [other(`The ConfigMap ${name} ${what[name] ?? "has other data"}.`)];
}

function sameData(given: unknown, expected: Readonly<Record<string, string>>): boolean {
  if (typeof given !== "object" || given === null) return Object.keys(expected).length === 0;
  const entries = Object.entries(given as Readonly<Record<string, unknown>>).sort(byKey);
  return JSON.stringify(entries) === JSON.stringify(Object.entries(expected).sort(byKey));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}

/** The sentence says why there are none. */
function configMapsOf(text: string): readonly ConfigMapFacts[] | string {
  const documents = parseAllDocuments(text, { logLevel: "silent" });
  if ("empty" in documents) return "It is empty.";
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken !== undefined) return `It is no YAML: ${broken.message.split("\n", 1)[0] ?? ""}`;
  return documents.flatMap((document) => {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    const items = isObject(value) && Array.isArray(value["items"]) ? (value["items"] as unknown[]) : [value];
    return items.filter(isConfigMap);
  });
}

function isConfigMap(value: unknown): value is ConfigMapFacts {
  if (!isObject(value) || value["kind"] !== "ConfigMap") return false;
  const metadata = value["metadata"];
  return isObject(metadata) && typeof metadata["name"] === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function other(sentence: string): Difference {
  return { kind: "other", sentence };
}
