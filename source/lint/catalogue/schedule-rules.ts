import { firm, soft, type CatalogueRule } from "./catalogue-rule.js";

/** When a source is asked, and by which policy it is judged. */
export const scheduleRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "schedule/syntax",
    title: "not as the API server takes it",
    explanation:
      "Cron has dialects. The API server takes five fields, names of days and months, @hourly and the like, and @every; no seconds, no 7 for Sunday, no L, no time zone.",
    fix: "Write five fields, e.g. 0 */6 * * *, or one of the words (docs/harvest-source.md).",
    wrong: 'spec:\n  schedule: "0 3 * * 7"',
    right: 'spec:\n  schedule: "0 3 * * 0"',
  },
  {
    ...firm,
    id: "schedule/never-runs",
    title: "a date that does not come in five years, e.g. 31 February; the API server accepts it",
    explanation: "The source would never be harvested, and nobody would be told.",
    fix: "Correct the day or the month; to pause a source use suspend: true.",
    suppressible: true,
    wrong: 'spec:\n  schedule: "0 0 31 2 *"',
    right: 'spec:\n  schedule: "0 0 28 2 *"',
  },
  {
    ...firm,
    id: "schedule/time-zone",
    title: "no IANA time zone of that spelling",
    explanation: "The API server knows the names of the IANA list, and case counts.",
    fix: "Use a name of that list, e.g. Etc/UTC or America/Chicago.",
    fixable: "some",
    wrong: "spec:\n  timeZone: europe/vienna",
    right: "spec:\n  timeZone: Europe/Vienna",
  },
  {
    ...soft,
    id: "schedule/too-often",
    title: "more often than every 15 minutes",
    explanation:
      "Catalogues change in hours. A run that is still going makes the next one wait, and an agency notices.",
    fix: "Ask less often, unless the agency wants it so.",
    wrong: 'spec:\n  schedule: "*/5 * * * *"',
    right: 'spec:\n  schedule: "0 */6 * * *"',
  },
];

/** The files a source names, and its neighbours. */
export const policyRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "policy/missing-file",
    title: "a schema or rule set that is not under the policy root",
    explanation: "A run without its rules would let everything in, so it does not begin.",
    fix: "Correct the path (it is relative to --root), or add the file.",
    wrong: "spec:\n  validation: { xsd: schemas/none.xsd }",
    right: "spec:\n  validation: { xsd: schemas/iso19139.xsd }",
  },
  {
    ...firm,
    id: "policy/broken-file",
    title: "one that does not load; the sentence names its line",
    explanation: "It was compiled as a run would compile it, and the engine refused it.",
    fix: "Correct that file, or name another one.",
    wrong: "spec:\n  validation: { schematron: rules/broken.sch }",
    right: "spec:\n  validation: { schematron: rules/geo-business-rules.sch }",
  },
  {
    ...firm,
    id: "prefix/no-transform",
    title: "nothing maps records of this prefix",
    explanation: "Every record would be read, and none could be put into the catalogue.",
    fix: "Use a prefix that has a transform; a new one needs a transform first.",
    wrong: "spec:\n  metadataPrefix: iso19110",
    right: "spec:\n  metadataPrefix: iso19139",
  },
  {
    ...firm,
    id: "fair-use/over-ceiling",
    title: "the sources of a host together ask for more than it allows",
    explanation:
      "The ceiling is an agreement with the agency. Admission in the cluster and the run hold it too, so it is changed in rules/fair-use.yaml and nowhere else.",
    fix: "Lower maxRequests of one of them, or agree a higher ceiling with the agency first.",
    acrossSources: true,
    wrong: "spec:\n  concurrency: { maxRequests: 60 }",
    right: "spec:\n  concurrency: { maxRequests: 2 }",
  },
  {
    ...soft,
    id: "fair-use/no-ceiling",
    title: "neither the host nor a default stands in rules/fair-use.yaml",
    explanation: "Nobody wrote down how much the agency allows, so nothing can be held to it.",
    fix: "Add the host, or a default, to rules/fair-use.yaml.",
    acrossSources: true,
  },
  {
    ...soft,
    id: "fair-use/no-file",
    title: "there is no rules/fair-use.yaml",
    explanation: "Nothing says how much an agency allows, so no ceiling is checked.",
    fix: "Write the file, or name the policy root with --root.",
    suppressible: false,
  },
  {
    ...firm,
    id: "fair-use/unreadable",
    title: "a wrong line in it; then no ceiling is used",
    explanation: "A ceiling that is read half would be worse than none.",
    fix: "Correct the line.",
  },
  {
    ...firm,
    id: "source/duplicate-name",
    title: "a name twice in a namespace",
    explanation: "The cluster keeps one object of a name: the other source would not exist.",
    fix: "Give each source a name of its own.",
    acrossSources: true,
  },
  {
    ...firm,
    id: "source/duplicate-endpoint",
    title: "address, set and prefix that another source already harvests",
    explanation: "The agency is asked twice, and two cursors write the same records over one another.",
    fix: "Remove one of the two, or give them different sets.",
    suppressible: true,
    acrossSources: true,
  },
];
