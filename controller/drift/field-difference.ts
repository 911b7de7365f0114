import { canonicalJson } from "../../source/difference/canonical-json.js";

/** One field that is not as it should be; values are short JSON, absent = the field is not there. */
export interface FieldDifference {
  /** Path in the manifest, e.g. spec.concurrency.maxRequests, spec.validation.xsd[1], containers[name=harvest]. */
  readonly field: string;
  /** As it should be: delivered (a source) or rendered (a child). */
  readonly delivered?: string;
  /** As it is in the cluster. */
  readonly live?: string;
}

/** Bounds of status.drift.fields in crds/. */
export const MAX_FIELDS = 32;
const MAX_TEXT = 512;

export function difference(
  field: string,
  values: { readonly delivered?: unknown; readonly live?: unknown },
): FieldDifference {
  const { delivered, live } = values;
  return {
    field: cut(field, MAX_TEXT),
    ...(delivered === undefined ? {} : { delivered: shortJson(delivered) }),
    ...(live === undefined ? {} : { live: shortJson(live) }),
  };
}

/** JSON of a value, cut at `max` characters with a visible mark. */
export function shortJson(value: unknown, max = MAX_TEXT): string {
  return cut(canonicalJson(value), max);
}

/** The first `max` characters; never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}
