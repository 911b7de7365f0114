import { canonicalJson } from "../difference/canonical-json.js";
import { compareValues, differenceText, type ValueDifference } from "../difference/compare-values.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import type { LocatedSource } from "../located-source.js";
import type { FieldChange } from "./source-change.js";

/** Fields of metadata and spec whose value differs, defaults filled in on both sides, sorted by path. */
export function fieldChanges(base: LocatedSource, head: LocatedSource): readonly FieldChange[] {
  const before = content(base.source);
  const after = content(head.source);
  // Nearly all sources of a change are the same: one comparison of texts settles them.
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return compareValues({ path: [], before, after })
    .flatMap(leaves)
    .map((each) => fieldChange(each, base, head));
}

function content({ metadata, spec }: HarvestSource): object {
  const { labels = {}, annotations = {}, ...names } = metadata;
  return { metadata: { ...names, labels, annotations }, spec };
}

/** A map that only one side has is told field by field, as if the other had an empty one. */
function leaves(difference: ValueDifference): readonly ValueDifference[] {
  const { path, before, after } = difference;
  if (before === undefined && isFields(after)) return compareValues({ path, before: {}, after });
  if (after === undefined && isFields(before)) return compareValues({ path, before, after: {} });
  return [difference];
}

function isFields(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldChange(difference: ValueDifference, base: LocatedSource, head: LocatedSource): FieldChange {
  const { path, before, after } = difference;
  return {
    field: differenceText(difference),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    beforeIsDefault: before !== undefined && !base.written(path),
    afterIsDefault: after !== undefined && !head.written(path),
  };
}
