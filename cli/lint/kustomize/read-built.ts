import { stringify } from "yaml";
import { nodeAt } from "../../../source/fix/node-at.js";
import type { Finding, Place } from "../../../source/finding.js";
import type { SuppressibleSource } from "../../../source/lint/suppression.js";
import { parseManifests } from "../../../source/parse.js";
import { readDocuments } from "../../../source/yaml/documents.js";
import type { BuiltObject } from "./built-object.js";

/** What a built object is: a source, or what is wrong with it, at the places where its values were written. */
export function readBuilt(object: BuiltObject): {
  readonly sources: readonly SuppressibleSource[];
  readonly findings: readonly Finding[];
} {
  const { file } = object.origins.place(["metadata", "name"]);
  // Written as one text and read again, so that the same code judges it that judges a manifest.
  const text = stringify(object.value, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
  const { sources, findings } = parseManifests(text, { file, named: false });
  return {
    sources: sources.map(({ source }) => ({
      source,
      file,
      place: (path, part) => object.origins.place(path, part),
      written: (path) => object.origins.written(path),
      parts: object.origins.parts(),
    })),
    findings: findings.map((finding) => ({ ...finding, place: placeOf(finding.place, text, object) })),
  };
}

function placeOf({ line, column }: Place, text: string, object: BuiltObject): Place {
  const [read] = readDocuments(text, "").documents;
  const start = (read?.map.counter.lineStarts[line - 1] ?? 0) + column - 1;
  const at = read === undefined ? undefined : nodeAt(read.document, start);
  return object.origins.place(at?.path ?? [], at?.part);
}
