/** The repository's own policy, or one with changes, as the ConfigMap a cluster has. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { bundleConfigMap } from "../../source/bundle/bundle-config-map.js";
import { packBundle } from "../../source/bundle/pack-bundle.js";

const root = join(import.meta.dirname, "../..");

export interface TestBundle {
  readonly name: string;
  readonly digest: string;
  /** JSON of the ConfigMap, for kubectl apply. */
  readonly text: string;
}

/** `changes`: path → new text, or undefined to leave the file out. */
export function testBundle(
  namespace: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): TestBundle {
  const files = new Map([...walk(join(root, "schemas")), ...walk(join(root, "rules"))]);
  for (const [path, text] of Object.entries(changes))
    if (text === undefined) files.delete(path);
    else files.set(path, Buffer.from(text));
  const packed = packBundle(files);
  const made = bundleConfigMap({ packed, namespace });
  if (made.kind !== "made") throw new Error("The bundle of the repository is too big for a ConfigMap.");
  return {
    name: made.configMap.metadata.name,
    digest: packed.digest,
    text: JSON.stringify(made.configMap),
  };
}

function walk(folder: string): readonly (readonly [string, Uint8Array])[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return walk(path);
    return [[relative(root, path).split(sep).join("/"), readFileSync(path)] as const];
  });
}
