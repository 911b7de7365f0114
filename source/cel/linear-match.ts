import { RE2JS } from "@bufbuild/re2";

/** Patterns come from our own rules, a few dozen at most; the bound is for whoever evaluates more. */
const MAX_PATTERNS = 200;
const compiled = new Map<string, { test(text: string): boolean }>();

/**
 * CEL's `matches`: is there a match anywhere in the text? RE2 syntax and RE2's linear time, so that no text, however it is
 * made, can hold a pattern up. Throws for a pattern that RE2 does not take.
 */
export function linearMatch(text: string, pattern: string): boolean {
  const known = compiled.get(pattern);
  if (known !== undefined) return known.test(text);
  const made = RE2JS.compile(pattern);
  if (compiled.size < MAX_PATTERNS) compiled.set(pattern, made);
  return made.test(text);
}
