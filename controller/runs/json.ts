/** Reading values nobody promised anything about: of the expected type, or undefined. */
import { boundedText } from "../bounded-text.js";

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** The objects of a list, at most `most` of them. */
export function listOf(value: unknown, most: number): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, most).map(fieldsOf) : [];
}

export function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = boundedText(value, max);
  return text === "" ? undefined : text;
}

/** A number of things: whole, not negative, exact. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** A reason code, CamelCase as a condition's reason must be; anything else is no code. */
export function codeOf(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(value) ? value : undefined;
}

/** Without the members that are undefined; undefined when none is left. */
export function present<T extends object>(value: T): T | undefined {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
