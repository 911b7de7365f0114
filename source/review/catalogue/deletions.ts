import type { CatalogueEntry } from "./entry.js";

/** When records leave the catalogue. */
export const deletionEntries = [
  {
    id: "removal-guard-loosened",
    title: "More records may leave at once",
    severities: ["warning"],
    told: "`deletions.maxPercent` or `deletions.minRecords` rises.",
    means:
      "A sweep that misses at most so many records withdraws them without asking. A source that answers with half of its list by mistake may then cost half of its records.",
    todo: "Raise it for one run only, when the agency confirmed that the records are gone; lower it in the next change.",
  },
  {
    id: "removal-guard-tightened",
    title: "Fewer records may leave at once",
    severities: ["info"],
    told: "`deletions.maxPercent` or `deletions.minRecords` falls, and neither rises.",
    means: "Sweeps are refused, and wait for a human, earlier than before.",
    todo: "Nothing.",
  },
  {
    id: "deletions-policy-changed",
    title: "Other signs let records leave",
    severities: ["warning", "info"],
    told: "`deletions.policy` changes. Info for `auto`.",
    means:
      "`tombstones` believes only announced deletions, `snapshot` also what a complete list no longer holds, `ignore` nothing: then records that the agency deleted stay for ever, and deletions announced meanwhile are lost, because they are asked for only once.",
    todo: "`auto` follows what the source says of itself; leave it unless the source lies.",
  },
  {
    id: "sweep-interval-changed",
    title: "Missing records are looked for more or less often",
    severities: ["info"],
    told: "`deletions.sweepIntervalHours` changes.",
    means:
      "A sweep reads the complete list of identifiers of a source that announces no deletions. More often costs the agency more requests; less often keeps dead records longer.",
    todo: "Nothing, unless the list is very long.",
  },
  {
    id: "withdraw-armed",
    title: "Removing the manifest will remove the records",
    severities: ["warning"],
    told: "`deletions.onSourceRemoval` becomes `withdraw`.",
    means:
      "Nothing happens now. When the manifest is removed, or its file is renamed by mistake, all records of the source leave the catalogue.",
    todo: "Use it for a source that is about to end, not for one that lives.",
  },
  {
    id: "withdraw-disarmed",
    title: "Removing the manifest will keep the records",
    severities: ["info"],
    told: "`deletions.onSourceRemoval` becomes `keep`.",
    means: "Nothing happens now. When the manifest is removed, its records stay and are no longer refreshed.",
    todo: "Nothing.",
  },
] as const satisfies readonly CatalogueEntry[];
