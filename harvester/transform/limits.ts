/** Caps on what one record may bring into the store: far above honest records, far below what hurts. */
import type { XmlElement } from "../xml/tree.js";
import { type Remarks } from "./remarks.js";

/** Longest text of each kind, in UTF-16 units. */
export const textLimits = {
  /** Keywords, names, codes, identifiers. */
  word: 1_000,
  /** Titles. */
  line: 4_000,
  /** Abstract, lineage, constraints. */
  prose: 100_000,
} as const;

/** A longer web address is dropped: cut, it would lead elsewhere. */
export const MAX_URL_LENGTH = 4_000;

/** Most entries of one list. */
const MAX_LIST = 1_000;

/** The value, cut between characters when it is too long. */
export function cutText(value: string, limit: number): string {
  if (value.length <= limit) return value;
  const last = value.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return value.slice(0, splitsPair ? limit - 1 : limit).trimEnd();
}

/** The first elements of a list, with a remark when there are more than a list may hold. */
export function capped(elements: readonly XmlElement[], remarks: Remarks): readonly XmlElement[] {
  if (elements.length <= MAX_LIST) return elements;
  const name = elements[0]?.tag ?? "element";
  const message = `There are ${String(elements.length)} <${name}>: the first ${String(MAX_LIST)} are kept.`;
  remarks.warn("list-too-long", message, elements[MAX_LIST]);
  return elements.slice(0, MAX_LIST);
}

/** Each value once, in order of first appearance. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
