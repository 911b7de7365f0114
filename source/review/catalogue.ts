import { clusterEntries } from "./catalogue/cluster.js";
import { deletionEntries } from "./catalogue/deletions.js";
import type { CatalogueEntry } from "./catalogue/entry.js";
import { gateEntries } from "./catalogue/gates.js";
import { hostEntries } from "./catalogue/hosts.js";
import { readingEntries } from "./catalogue/reading.js";
import { scheduleEntries } from "./catalogue/schedules.js";
import { sourceEntries } from "./catalogue/sources.js";
import { transportEntries } from "./catalogue/transport.js";

const entries = [
  ...sourceEntries,
  ...readingEntries,
  ...gateEntries,
  ...deletionEntries,
  ...hostEntries,
  ...scheduleEntries,
  ...transportEntries,
  ...clusterEntries,
] as const;

/** The id of a kind of consequence. */
export type ConsequenceId = (typeof entries)[number]["id"];

/** Every kind of consequence, in the order of docs/consequences.md. */
export const catalogue: readonly CatalogueEntry[] = entries;

const byId: ReadonlyMap<string, CatalogueEntry> = new Map(catalogue.map((entry) => [entry.id, entry]));

/** What a kind means; undefined = there is none of that id. */
export function explainConsequence(id: string): CatalogueEntry | undefined {
  return byId.get(id);
}
