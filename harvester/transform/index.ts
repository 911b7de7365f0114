/** Every metadata format to one canonical record. A format is one entry of this table and one folder. */
import type { CanonicalRecord } from "../canonical.js";
import type { Violation } from "../record.js";
import { placesOf } from "../xml/tree-path.js";
import type { XmlElement } from "../xml/tree.js";
import { mapIso19139 } from "./iso19139/record.js";
import type { Mapped } from "./mapped.js";
import { mapOaiDc } from "./oai-dc/record.js";

const mappings: Readonly<Record<string, (root: XmlElement) => Mapped>> = {
  iso19139: mapIso19139,
  oai_dc: mapOaiDc,
};

/** The metadataPrefixes that can be mapped. */
export const prefixes: readonly string[] = Object.keys(mappings);

export type Transformed =
  | { readonly kind: "mapped"; readonly canonical: CanonicalRecord; readonly remarks: readonly Violation[] }
  | { readonly kind: "unmappable"; readonly violation: Violation };

/**
 * Maps one payload. Pure and total: the same tree gives the same answer, and no tree makes it throw.
 * Remarks (severity warning or info) name what was left out.
 */
export function transform(prefix: string, tree: XmlElement): Transformed {
  const map = Object.hasOwn(mappings, prefix) ? mappings[prefix] : undefined;
  if (map === undefined)
    return unmappable(tree, { rule: "unknown-prefix", message: unknownPrefix(prefix), at: tree });
  const mapped = map(tree);
  if (mapped.kind === "unmappable") return unmappable(tree, mapped);
  return { kind: "mapped", canonical: mapped.canonical, remarks: mapped.remarks.violations(tree) };
}

function unmappable(
  tree: XmlElement,
  { rule, message, at }: { readonly rule: string; readonly message: string; readonly at: XmlElement },
): Transformed {
  const xpath = placesOf(tree, new Set([at])).get(at) ?? "/";
  return { kind: "unmappable", violation: { gate: "transform", rule, severity: "error", message, xpath } };
}

function unknownPrefix(prefix: string): string {
  return `There is no mapping for the metadataPrefix '${prefix.slice(0, 60)}': use one of ${prefixes.join(", ")}.`;
}
