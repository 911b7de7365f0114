import type { CatalogueEntry } from "./catalogue/entry.js";
import { sourceEntries } from "./catalogue/sources.js";

const entries = [...sourceEntries] as const;

/** The id of a kind of consequence. */
export type ConsequenceId = (typeof entries)[number]["id"];

/** Every kind of consequence, in the order of the page. */
export const catalogue: readonly CatalogueEntry[] = entries;

const byId: ReadonlyMap<string, CatalogueEntry> = new Map(catalogue.map((entry) => [entry.id, entry]));

/** What a kind means; undefined = there is none of that id. */
export function explainConsequence(id: string): CatalogueEntry | undefined {
  return byId.get(id);
}
