import type { SourceRow } from "../../harvester/persist/reading.js";
import type { Theme } from "./colour.js";
import { table, type Column } from "./table.js";
import { ago, count, duration, time } from "./words.js";

export interface StatusContext {
  readonly now: Date;
  readonly theme: Theme;
  readonly width: number;
}

/** One line a source: state, freshness, size, trouble, and what it waits for. */
export function statusText(sources: readonly SourceRow[], context: StatusContext): string {
  if (sources.length === 0)
    return "No source has been harvested into this store yet. Begin with: harvestctl run --source MANIFEST";
  const columns: Column<SourceRow>[] = [
    { title: "source", cell: (s) => s.name, shrinks: true },
    { title: "state", cell: (s) => stateOf(s) },
    { title: "last success", cell: (s) => ago(s.lastSuccess ?? undefined, context.now) },
    { title: "lag", cell: (s) => (s.lagSeconds === null ? "–" : duration(s.lagSeconds)) },
    { title: "records", cell: (s) => count(s.alive), align: "right" },
    { title: "quarantined", cell: (s) => count(s.quarantined), align: "right" },
    { title: "note", cell: (s) => noteOf(s, context.now), shrinks: true },
  ];
  return table(sources, columns, context.width);
}

function stateOf(source: SourceRow): string {
  if (source.holder !== null) return "running";
  if (source.failuresInRow > 0) return `failing ${source.failuresInRow.toString()}`;
  return source.lastSuccess === null ? "new" : "fresh";
}

function noteOf(source: SourceRow, now: Date): string {
  if (source.blockedUntil !== null && Date.parse(source.blockedUntil) > now.getTime())
    return `resting until ${time(source.blockedUntil)}: ${source.blockedBecause ?? ""}`;
  if (source.failuresInRow > 0) return source.lastRun?.message ?? "";
  return "";
}
