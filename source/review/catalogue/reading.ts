import type { CatalogueEntry } from "./entry.js";

/** What is asked for: address, sets, prefix, windows. */
export const readingEntries = [
  {
    id: "full-reharvest",
    title: "Everything is read again",
    severities: ["warning", "info"],
    told: "Address, prefix or sets change so that none of the old cursors is used again. Info for a source that reads everything in each run anyway.",
    means:
      "A cursor belongs to address, set and prefix as they are written; a new one has no watermark. The next run asks for all records, however long that takes, at the pace the source bears. Records that come back unchanged are not written again.",
    todo: "Merge it before a quiet time of the agency, and tell the agency when it is many records.",
  },
  {
    id: "prefix-changed",
    title: "Records come in another format",
    severities: ["warning"],
    told: "`metadataPrefix` changes.",
    means:
      "All records are mapped from the new format. What only the old one tells (bounding boxes, contacts, licences) leaves the catalogue, and schemas and rules written for the old format refuse the new one.",
    todo: "Change `validation` together with the prefix, and compare a few records with `harvestctl dry-run --live --limit 20`.",
  },
  {
    id: "transform-missing",
    title: "Nothing maps this prefix",
    severities: ["error"],
    told: "A new or changed `metadataPrefix` has no transform.",
    means:
      "No record of the source could be stored; each run would end at once with a fault of configuration.",
    todo: "Use one of the prefixes the sentence names, or add the transform first.",
  },
  {
    id: "endpoint-moved",
    title: "Another host is asked",
    severities: ["warning"],
    told: "The host in `baseUrl` changes.",
    means:
      "Another agency's machine, another ceiling, other firewalls: network policy, certificates and allow-lists must fit it. Records that the new address does not list leave with the next sweep, behind the removal guard, or stay for ever where `deletions` sweeps nothing.",
    todo: "Ask the agency whether identifiers stay the same. If they do not, every record comes twice: then remove the source and add a new one.",
  },
  {
    id: "encryption-dropped",
    title: "The source is asked in the clear",
    severities: ["warning"],
    told: "`baseUrl` changes from https to http.",
    means: "Anybody on the way can read and change records and requests.",
    todo: "Keep https unless the agency has none.",
  },
  {
    id: "set-added",
    title: "One more set",
    severities: ["info"],
    told: "A set joins others that stay.",
    means:
      "It starts with a cursor of its own and is read from its beginning; the other sets go on where they were.",
    todo: "Ask the agency how big it is.",
  },
  {
    id: "set-removed",
    title: "A set is no longer asked for",
    severities: ["warning"],
    told: "A set of the base is not in the head, which names others.",
    means:
      "Records that are only in it stay in the catalogue as they are, never refreshed and never withdrawn. A record that is also in another set is no longer kept alive by this one.",
    todo: "If its records shall leave the catalogue, make it a source of its own with `onSourceRemoval: withdraw` first, and remove that.",
  },
  {
    id: "sets-narrowed",
    title: "Only some sets instead of the whole repository",
    severities: ["warning"],
    told: "The base had no `sets`, the head names some.",
    means:
      "Each set is read from its beginning. Records outside them stay in the catalogue as they are, never refreshed and never withdrawn.",
    todo: "As for `set-removed`.",
  },
  {
    id: "sets-widened",
    title: "The whole repository instead of some sets",
    severities: ["warning"],
    told: "The base named `sets`, the head has none.",
    means: "The whole repository is read from its beginning, also what was left out on purpose.",
    todo: "Ask the agency how big it is, and what else is in it.",
  },
  {
    id: "delta-mode-changed",
    title: "Another way of reading",
    severities: ["info", "warning"],
    told: "`delta.mode` changes. Warning for `full`: everything, every run.",
    means:
      "`from-cursor` asks for what changed since the watermark, `snapshot` lists all headers each run and fetches what changed, `full` reads everything each run. The cost of a run changes with it.",
    todo: "Use `full` only for sources whose datestamps cannot be trusted, and then with a rare schedule.",
  },
  {
    id: "overlap-lowered",
    title: "Less is asked for again",
    severities: ["info", "warning"],
    told: "`delta.overlapSeconds` falls. Warning when it becomes 0.",
    means: "A record that becomes visible later than this after its datestamp is never seen.",
    todo: "Leave at least five minutes unless the repository is known to be exact.",
  },
  {
    id: "overlap-raised",
    title: "More is asked for again",
    severities: ["info"],
    told: "`delta.overlapSeconds` rises.",
    means: "Each run asks for a little more; what did not change costs a comparison and no write.",
    todo: "Nothing.",
  },
  {
    id: "overlap-below-skew",
    title: "The overlap is smaller than the clocks differ",
    severities: ["warning"],
    told: "The store has seen the source's clock further off than the new `delta.overlapSeconds`.",
    means: "Records with a datestamp in between can be missed for ever, and nothing will say so.",
    todo: "Make the overlap larger than the difference seen, with room to spare.",
  },
  {
    id: "window-changed",
    title: "Another size of portions",
    severities: ["info"],
    told: "`delta.maxWindowDays` changes.",
    means:
      "A long gap is caught up in portions of this many days; the watermark moves after each. Without it a catch-up is one long list, which is lost when it breaks off.",
    todo: "Nothing for a source that runs daily.",
  },
  {
    id: "token-lifetime-changed",
    title: "Stored resumption tokens live longer or shorter",
    severities: ["info"],
    told: "`token.cacheTtlSeconds` changes.",
    means:
      "After a crash a list is taken up where it stopped if the token is younger than this; else its window is asked for anew.",
    todo: "Keep it below what the agency says its tokens live.",
  },
  {
    id: "token-request-changed",
    title: "The prefix is sent beside tokens, or no longer",
    severities: ["info"],
    told: "`token.alsoSendPrefix` changes.",
    means:
      "OAI-PMH forbids it; some servers insist on it. The wrong choice shows after the first page of every list.",
    todo: "Try it with `harvestctl dry-run --live --limit 500`, which needs a second page.",
  },
] as const satisfies readonly CatalogueEntry[];
