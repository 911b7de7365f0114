import { isMap, isSeq } from "yaml";
import type { Edit } from "./edit.js";
import type { Broken, Fixer } from "./fixer.js";
import { removeItem } from "./remove-node.js";

/** Fixers that take a field or an item out. */
export const itemFixers: Readonly<Record<string, Fixer>> = {
  "manifest/cluster-field": removeField,
  "schema/empty-field": emptyField,
  "schema/duplicate-item": duplicateItem,
};

function removeField({ text, at: { pair, parent } }: Broken): Edit | undefined {
  return pair === undefined || !isMap(parent) ? undefined : removeItem({ text, parent, item: pair });
}

/** Labels and annotations without a value may be meant: the API server reads an empty text. */
function emptyField(broken: Broken): Edit | undefined {
  const [top, below] = broken.at.path;
  const named = top === "metadata" && (below === "labels" || below === "annotations");
  return named ? undefined : removeField(broken);
}

function duplicateItem({ text, at: { scalar, parent } }: Broken): Edit | undefined {
  return isSeq(parent) ? removeItem({ text, parent, item: scalar }) : undefined;
}
