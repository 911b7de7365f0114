import type { CatalogueEntry } from "./entry.js";

/** Sources that come, go, and change their name or place. */
export const sourceEntries = [
  {
    id: "source-added",
    title: "A new source",
    severities: ["info"],
    told: "A name stands in the head and not in the base.",
    means:
      "After the merge its whole repository, or each of its sets, is read once; nothing is known yet of how many records that is.",
    todo: "Try it with `harvestctl dry-run --source FILE --limit 200` before merging.",
  },
  {
    id: "source-removed",
    title: "A source goes",
    severities: ["warning"],
    told: "A name stands in the base and not in the head, and no new source asks for the same.",
    means:
      "Its schedule goes with it. `deletions.onSourceRemoval` of the base decides about the records: `keep` leaves them in the catalogue, never refreshed again; `withdraw` takes all of them out.",
    todo: "Check that this is meant for the records, not only for the schedule; use `suspend: true` for a pause.",
  },
  {
    id: "source-renamed",
    title: "A name change is a new source",
    severities: ["warning"],
    told: "An old and a new name (or namespace) ask for the same address, sets and prefix.",
    means:
      "The store knows a source by its name. The new one starts without a cursor and reads everything; the records of the old one stay beside them, or are withdrawn, as its `deletions.onSourceRemoval` says.",
    todo: "Keep the name unless it is really wrong. If it must go, decide about the old records in an earlier change.",
  },
] as const satisfies readonly CatalogueEntry[];
