import type { CatalogueEntry } from "./entry.js";

/** Sources that come, go, rest, and change their name or place. */
export const sourceEntries = [
  {
    id: "source-added",
    title: "A new source",
    severities: ["info"],
    told: "A name stands in the head and not in the base.",
    means:
      "After the merge its whole repository, or each of its sets, is read once. Nobody knows yet how many records that is. Where the store still holds records of an earlier source of this name, they become its own.",
    todo: "Try it with `harvestctl dry-run --source FILE --limit 200` before merging.",
  },
  {
    id: "source-removed",
    title: "A source goes",
    severities: ["warning"],
    told: "A name stands in the base and not in the head, and no new source asks for the same.",
    means:
      "Its schedule goes with it. `deletions.onSourceRemoval` of the base decides about its records: `keep` leaves them in the catalogue, never refreshed again; `withdraw` takes all of them out.",
    todo: "Check that this is meant for the records too, not only for the schedule. For a pause use `suspend: true`.",
  },
  {
    id: "source-renamed",
    title: "A name change is a new source",
    severities: ["warning"],
    told: "An old and a new name (or namespace) ask for the same address, sets and prefix.",
    means:
      "The store knows a source by its name. The new one starts without a cursor and reads everything; the records of the old one stay beside the new ones, or are withdrawn, as its `deletions.onSourceRemoval` says.",
    todo: "Keep the name unless it is really wrong. If it must go, decide about the old records in a change before this one.",
  },
  {
    id: "suspended",
    title: "A source is paused",
    severities: ["info"],
    told: "`suspend` becomes true.",
    means:
      "No run starts any more. Its records stay and grow old; its host is asked for less, so others of the host may be given more.",
    todo: "Write the reason into the commit, and a date for the end of it.",
  },
  {
    id: "resumed",
    title: "A source is harvested again",
    severities: ["info"],
    told: "`suspend` becomes false.",
    means:
      "The next scheduled run catches up everything since its watermark, which may be much more than a usual run. Runs that were missed are not made up for one by one.",
    todo: "After a long pause set `delta.maxWindowDays`, so that the catch-up is kept in portions.",
  },
  {
    id: "file-moved",
    title: "A manifest stands in another file",
    severities: ["info"],
    told: "The text of a source is in another file than before.",
    means:
      "Nothing is harvested differently. Who must approve later changes may be somebody else (CODEOWNERS).",
    todo: "Compare the owners; nothing else.",
  },
  {
    id: "labels-changed",
    title: "Labels or annotations change",
    severities: ["info"],
    told: "A label, or an annotation that is not one of the controller's, differs.",
    means:
      "Nothing is harvested differently; selectors, dashboards and alerts that use it may see another source.",
    todo: "Nothing, unless something selects by it.",
  },
  {
    id: "control-annotation",
    title: "An annotation that steers the controller changes",
    severities: ["warning"],
    told: "An annotation `ingest.geoportal.io/…` differs: the brake, a requested run, the drift mode, the protection from pruning.",
    means:
      "The controller acts on it at once (docs/operating.md). A brake that is delivered from Git stays on until Git takes it off, whatever people on call do.",
    todo: "For a reviewed pause use `suspend: true`; leave the annotations to the people on call.",
  },
] as const satisfies readonly CatalogueEntry[];
