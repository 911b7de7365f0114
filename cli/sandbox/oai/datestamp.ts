/** UTC datestamps in the two granularities of OAI-PMH §3.3. */

export type Granularity = "second" | "day";

export const granularityText: Readonly<Record<Granularity, string>> = {
  second: "YYYY-MM-DDThh:mm:ssZ",
  day: "YYYY-MM-DD",
};

export function formatDatestamp(seconds: number, granularity: Granularity): string {
  const text = new Date(seconds * 1000).toISOString();
  return granularity === "day" ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
}

export interface ReadDatestamp {
  /** First second it means. */
  readonly first: number;
  /** Last second it means: a day means all of it. */
  readonly last: number;
  readonly granularity: Granularity;
}

/** Undefined when the text is in neither form, or names a day that does not exist. */
export function readDatestamp(text: string): ReadDatestamp | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDay && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text)) return undefined;
  const first = Date.parse(isDay ? `${text}T00:00:00Z` : text) / 1000;
  const granularity = isDay ? "day" : "second";
  if (Number.isNaN(first) || formatDatestamp(first, granularity) !== text) return undefined;
  return { first, last: isDay ? first + 86_399 : first, granularity };
}
