import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";

/** Do both say the same? Absent and undefined are one; neither the order of members nor that of the conditions counts. */
export function sameStatus(a: HarvestSourceStatus | undefined, b: HarvestSourceStatus | undefined): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

function canonical(status: HarvestSourceStatus | undefined): unknown {
  const conditions = [...(status?.conditions ?? [])].sort((x, y) => order(x.type, y.type));
  return sorted({ ...status, conditions });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([x], [y]) => order(x, y));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

function order(x: string, y: string): number {
  return x < y ? -1 : Number(x > y);
}
