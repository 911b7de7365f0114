import type { CatalogueEntry } from "./entry.js";

/** When sources are harvested. */
export const scheduleEntries = [
  {
    id: "schedule-changed",
    title: "Runs start at other times",
    severities: ["info"],
    told: "`schedule`, `timeZone` or `scheduleSpreadMinutes` changes when runs start.",
    means: "The sentence says the installed schedule in words, the stable offset of the spread included.",
    todo: "Compare with the agency's hours of maintenance and backup.",
  },
  {
    id: "runs-more-often",
    title: "More runs a day",
    severities: ["warning", "info"],
    told: "The schedule brings more runs a day than before. Info when it is less than twice as many.",
    means: "Each run costs the agency at least two requests, even if nothing changed.",
    todo: "Ask more often only if the catalogue changes that often.",
  },
  {
    id: "runs-less-often",
    title: "Fewer runs a day",
    severities: ["info"],
    told: "The schedule brings fewer runs a day than before.",
    means: "Changes at the source are seen later; alerts on lag may need another limit.",
    todo: "Nothing.",
  },
  {
    id: "schedule-collision",
    title: "Sources of one host start in the same minute",
    severities: ["warning", "info"],
    told: "A new or moved start falls on the minute in which another source of the host starts. Info where together they stay under half of the ceiling.",
    means: "The host is asked by all of them at once, and they wait for one another under its ceiling.",
    todo: "Give them `scheduleSpreadMinutes: 60`, or other minutes.",
  },
  {
    id: "starvation",
    title: "Runs take longer than the time between them",
    severities: ["warning"],
    told: "The longest of the last runs took longer than the shortest interval of the new schedule.",
    means:
      "A run that is still going makes the next one not start; the source runs without a pause and gets no fresher.",
    todo: "Ask less often, or make runs shorter.",
  },
  {
    id: "clock-change-hits-run",
    title: "A run falls into the hour that clocks skip or repeat",
    severities: ["info"],
    told: "The new schedule has a time of day that is left out, or comes twice, when the clocks of its zone change.",
    means: "On one day of the year that run is not made, on another it is made twice. Nothing is lost by it.",
    todo: "Choose another hour if that matters.",
  },
] as const satisfies readonly CatalogueEntry[];
