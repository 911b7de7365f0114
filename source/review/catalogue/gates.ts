import type { CatalogueEntry } from "./entry.js";

/** Schemas and rules, and what becomes of a record they refuse. */
export const gateEntries = [
  {
    id: "rule-changed",
    title: "A rule set changes",
    severities: ["warning", "info"],
    told: "A Schematron file, or one it includes, differs and a source uses it. Info when a replay shows that no stored record would be judged differently.",
    means:
      "Every source that uses it is listed. Records are judged by the new rules when they next come changed from the source; what is quarantined is judged anew when it comes again, or with `harvestctl quarantine replay`.",
    todo: "Run `harvestctl impact` to see which stored records would be refused, and read its examples.",
  },
  {
    id: "schema-changed",
    title: "A schema changes",
    severities: ["warning", "info"],
    told: "An XML schema, or one it imports, differs and a source uses it. Info when a replay shows that no stored record would be judged differently.",
    means: "As for `rule-changed`. A schema that is stricter can refuse every record of a source.",
    todo: "As for `rule-changed`. A new version of a published standard is a new file with a new name.",
  },
  {
    id: "gate-added",
    title: "A source passes one more gate",
    severities: ["info"],
    told: "`validation.xsd` or `validation.schematron` of a source names a file it did not name.",
    means:
      "Records that come from now on must pass it too; what it refuses is quarantined, or fails the run.",
    todo: "Try it with `harvestctl impact` or `harvestctl dry-run`.",
  },
  {
    id: "rule-removed-from-source",
    title: "A source passes one gate less",
    severities: ["warning"],
    told: "A source no longer names a schema or rule set, but still another one of the kind.",
    means: "What only that file refused comes into the catalogue from now on.",
    todo: "Say in the commit why the file does not fit the source.",
  },
  {
    id: "gate-removed",
    title: "A source loses its last schema or rule set",
    severities: ["warning"],
    told: "A source named files in `validation.xsd` (or `validation.schematron`) and names none any more.",
    means:
      "Its records are no longer checked for structure (or for content). Quarantined records are let in when they come again.",
    todo: "Keep a gate, with a phase if only some rules fit.",
  },
  {
    id: "phase-changed",
    title: "Other patterns of the rule set are asked",
    severities: ["warning"],
    told: "`validation.phase` changes.",
    means:
      "Only the patterns of the phase are asked. Which records that lets in or refuses, the rule set decides.",
    todo: "Compare with `harvestctl impact`.",
  },
  {
    id: "quarantine-to-fail",
    title: "One refused record stops the run",
    severities: ["warning"],
    told: "`validation.onFailure` becomes `fail`.",
    means:
      "Until now a refused record was put aside and the rest went on. From now on the run stops before its watermark, and stops there again next time, until the record or the rule is mended.",
    todo: "Use it only where a single bad record must stop everything; first empty the quarantine.",
  },
  {
    id: "fail-to-quarantine",
    title: "Refused records are put aside",
    severities: ["info"],
    told: "`validation.onFailure` becomes `quarantine`.",
    means: "A refused record no longer stops the run; somebody must look at the quarantine now.",
    todo: "Watch the number of quarantined records.",
  },
] as const satisfies readonly CatalogueEntry[];
