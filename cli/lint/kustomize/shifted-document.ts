import { isScalar } from "yaml";
import type { Place } from "../../../source/finding.js";
import { readDocuments, type ReadDocuments, type YamlDocument } from "../../../source/yaml/documents.js";
import { scalarAt, type Path } from "../../../source/yaml/node-place.js";
import { TextMap } from "../../../source/yaml/text-map.js";

/** The documents in a text that is itself a value of a document: their places are those of the file it stands in. */
export function documentsWithin(yaml: YamlDocument, path: Path): ReadDocuments {
  const scalar = scalarAt(yaml.document, path);
  const text = isScalar(scalar) && typeof scalar.value === "string" ? scalar.value : "";
  const read = readDocuments(text, yaml.map.file);
  const shift = shiftOf(yaml, path);
  return {
    documents: read.documents.map((document) => ({ ...document, map: new ShiftedMap(document.map, shift) })),
    findings: read.findings.map((finding) => ({ ...finding, place: shift(finding.place) })),
  };
}

type Shift = (place: Place) => Place;

/** Lines of a block text stand one for one below its head; any other text is one place. */
function shiftOf(yaml: YamlDocument, path: Path): Shift {
  const scalar = scalarAt(yaml.document, path);
  const [start, end] = scalar?.range ?? [0, 0];
  const head = yaml.map.place(start, start + 1);
  if (scalar?.type !== "BLOCK_LITERAL" && scalar?.type !== "BLOCK_FOLDED") return () => head;
  const lines = yaml.map.text.slice(start, end).split("\n");
  const indent = (lines.slice(1).find((line) => line.trim() !== "") ?? "").search(/\S|$/);
  return (place) => ({ ...place, line: place.line + head.line, column: place.column + indent });
}

class ShiftedMap extends TextMap {
  private readonly inner: TextMap;
  private readonly shift: Shift;

  constructor(inner: TextMap, shift: Shift) {
    super(inner.file, inner.text);
    this.inner = inner;
    this.shift = shift;
  }

  override place(start: number, end: number): Place {
    return this.shift(this.inner.place(start, end));
  }

  override start(): Place {
    return this.shift(this.inner.start());
  }
}
