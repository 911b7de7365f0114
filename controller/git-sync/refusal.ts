import type { Key } from "../object.js";

export type RefusalCode =
  | "empty"
  | "too-many-deletions"
  | "duplicate"
  | "namespace-missing"
  | "namespace-not-allowed"
  | "owned-by-another"
  | "prune-disabled"
  | "prune-namespace"
  | "prune-not-ours"
  | "rejected";

/** Something the sync does not do, why, and what next. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly key?: Key;
  readonly remedy?: string;
}

export function refusal(
  code: RefusalCode,
  sentence: string,
  more: { readonly key?: Key; readonly remedy?: string } = {},
): Refusal {
  return { code, sentence, ...more };
}
