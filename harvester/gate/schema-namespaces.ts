/** Which namespaces a schema set speaks of, for routing records to it. */
import { referencesOf, resolveReference, targetNamespace } from "../xml/references.js";
import { readSource, type SourceElement } from "../xml/source-tree.js";

export interface SchemaNamespaces {
  /** What the entry is for: its target namespace; for one that only gathers others, those it imports. */
  readonly own: ReadonlySet<string>;
  /** All of the set, own included. */
  readonly all: ReadonlySet<string>;
}

/** The entry is known to compile, so what cannot be read here is passed over. */
export function schemaNamespaces(entry: string, files: ReadonlyMap<string, Uint8Array>): SchemaNamespaces {
  const all = new Set<string>();
  const seen = new Set<string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const root = seen.has(path) ? undefined : read(path, files);
    seen.add(path);
    if (root === undefined) continue;
    all.add(targetNamespace(root));
    for (const reference of referencesOf(root)) {
      all.add(reference.namespace);
      queue.push(resolveReference(path, reference.href) ?? path);
    }
  }
  return { own: ownNamespaces(read(entry, files)), all };
}

function ownNamespaces(root: SourceElement | undefined): ReadonlySet<string> {
  if (root === undefined) return new Set();
  const target = targetNamespace(root);
  return target === ""
    ? new Set(["", ...referencesOf(root).map((reference) => reference.namespace)])
    : new Set([target]);
}

function read(path: string, files: ReadonlyMap<string, Uint8Array>): SourceElement | undefined {
  const bytes = files.get(path);
  const result = bytes === undefined ? undefined : readSource(path, bytes);
  return result?.kind === "read" ? result.root : undefined;
}
