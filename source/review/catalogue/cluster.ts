import type { CatalogueEntry } from "./entry.js";

/** What a cluster says (--live). */
export const clusterEntries = [
  {
    id: "drift-overwritten",
    title: "A hand edit will be overwritten",
    severities: ["warning"],
    told: "With `--live`: a field in the cluster differs from the base already.",
    means: "Somebody changed it there, perhaps for a reason. The merge puts the manifest's value back.",
    todo: "Ask whoever is named; take the value into the manifest if it is right.",
  },
  {
    id: "server-refuses",
    title: "The API server would refuse this",
    severities: ["error"],
    told: "With `--live`: a dry-run of the head against the API server was not accepted.",
    means: "After the merge the delivery would stop at this source, and with some engines at all of them.",
    todo: "Mend what the server names; lint says most of it before.",
  },
] as const satisfies readonly CatalogueEntry[];
