import { isMap, isScalar, visit, type Node } from "yaml";
import type { Finding } from "../finding.js";
import type { TextMap } from "./text-map.js";

/** Keys that stand twice in one map: one of the values would be lost without a word (YAML 1.2.2 §3.2.1.3). */
export function duplicateKeys(contents: Node | null, map: TextMap): readonly Finding[] {
  const findings: Finding[] = [];
  visit(contents, (_, node) => {
    if (isMap(node)) findings.push(...inMap(node.items, map));
  });
  return findings;
}

function inMap(items: readonly { readonly key: unknown }[], map: TextMap): readonly Finding[] {
  const lines = new Map<string, number>();
  const findings: Finding[] = [];
  for (const { key } of items) {
    if (!isScalar(key) || !key.range || key.value === "<<") continue;
    const name = String(key.value);
    const place = map.place(key.range[0], key.range[1]);
    const first = lines.get(name);
    if (first === undefined) lines.set(name, place.line);
    else
      findings.push({
        rule: "yaml/duplicate-key",
        severity: "error",
        place,
        sentence: `${name} stands twice in this map, first on line ${String(first)}; one of the two would be lost.`,
        remedy: "Remove one of them.",
      });
  }
  return findings;
}
