import { createHash } from "node:crypto";
import { annotations } from "../names.js";
import type { Key, KubeObject } from "../object.js";
import type { GitManifest } from "./read.js";
import { refusal, type Refusal } from "./refusal.js";

/** A manifest of the revision with the namespace it goes to. */
export interface DesiredObject {
  readonly key: Key;
  readonly file: string;
  readonly line: number;
  readonly contentHash: string;
  /** Of everything the manifest says, labels and annotations too. */
  readonly hash: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly source: GitManifest["source"];
}

interface DesiredQuestion {
  readonly manifests: readonly GitManifest[];
  readonly namespaces: readonly string[];
  readonly contentHash: (spec: GitManifest["source"]["spec"]) => string;
}

/** Written by the sync, so a manifest cannot say them. */
const OURS: readonly string[] = [annotations.contentHash, annotations.gitRevision];

/** The manifests with their namespaces, sorted by key, and why some may not go there. */
export function desiredSet(question: DesiredQuestion): {
  readonly objects: readonly DesiredObject[];
  readonly refusals: readonly Refusal[];
} {
  const byKey = new Map<Key, DesiredObject>();
  const refusals: Refusal[] = [];
  for (const manifest of question.manifests) {
    const placed = place(manifest, question.namespaces);
    if ("code" in placed) {
      refusals.push(placed);
      continue;
    }
    const object = desiredObject(manifest, placed.namespace, question);
    const other = byKey.get(object.key);
    if (other === undefined) byKey.set(object.key, object);
    else refusals.push(duplicate(object, other));
  }
  const objects = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return { objects, refusals };
}

/** What is applied, with the traces by which the delivery is known. */
export function appliedObject(object: DesiredObject, revision: string): KubeObject {
  const { source, key, labels, contentHash } = object;
  const namespace = key.split("/")[0];
  return {
    apiVersion: source.apiVersion,
    kind: source.kind,
    metadata: {
      name: source.metadata.name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations: {
        ...object.annotations,
        [annotations.contentHash]: contentHash,
        [annotations.gitRevision]: revision,
      },
    },
    spec: source.spec,
  };
}

function place(
  { source, file, line }: GitManifest,
  namespaces: readonly string[],
): { namespace: string } | Refusal {
  const { name, namespace } = source.metadata;
  const where = `${file}:${String(line)}`;
  const [only] = namespaces;
  if (namespace === undefined) {
    if (namespaces.length === 1 && only !== undefined) return { namespace: only };
    return refusal(
      "namespace-missing",
      `${where}: ${name} has no namespace, and the Git sync writes to several.`,
      {
        remedy: "Write metadata.namespace.",
      },
    );
  }
  if (namespaces.includes(namespace)) return { namespace };
  return refusal(
    "namespace-not-allowed",
    `${where}: the Git sync may not write to the namespace ${namespace} of ${name}.`,
    { remedy: `It may write to ${namespaces.join(", ")}.` },
  );
}

function desiredObject(
  manifest: GitManifest,
  namespace: string,
  { contentHash }: DesiredQuestion,
): DesiredObject {
  const { source, file, line } = manifest;
  const { name, labels = {}, annotations: notes = {} } = source.metadata;
  const own = Object.fromEntries(Object.entries(notes).filter(([key]) => !OURS.includes(key)));
  const spec = contentHash(source.spec);
  const said = JSON.stringify([spec, Object.entries(labels).sort(), Object.entries(own).sort()]);
  return {
    key: `${namespace}/${name}`,
    file,
    line,
    contentHash: spec,
    hash: createHash("sha256").update(said).digest("hex").slice(0, 16),
    labels,
    annotations: own,
    source,
  };
}

function duplicate(object: DesiredObject, other: DesiredObject): Refusal {
  return refusal(
    "duplicate",
    `${object.file}:${String(object.line)}: ${object.key} also stands at ${other.file}:${String(other.line)}.`,
    { key: object.key, remedy: "Keep one of them." },
  );
}
