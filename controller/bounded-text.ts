/**
 * Text from outside, made fit for a status, an event or a log: no control characters (a terminal would obey them), no
 * halves of characters (the API server would replace them), and at most `max` characters, counted as the API server
 * counts `maxLength`: code points. What was cut ends with "…".
 */
export function boundedText(text: string, max: number): string {
  // Twice as many UTF-16 units hold at least `max` characters and one more: no need to look at the rest of a flood.
  const clean = text
    .slice(0, 2 * max + 2)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, " ")
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .trim();
  const characters = Array.from(clean);
  if (characters.length <= max) return clean;
  return `${characters.slice(0, max - 1).join("")}…`;
}

/** An RFC 3339 time as the API server takes it for `format: date-time`; anything else is undefined. */
export function instantOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 40) return undefined;
  const fits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value);
  return fits && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** A date as the product writes it everywhere: UTC, whole seconds. */
export function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
