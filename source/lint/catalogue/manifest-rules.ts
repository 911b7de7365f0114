import { firm, soft, type CatalogueRule } from "./catalogue-rule.js";

/** What can be wrong with the head of a document, and with what lies beside manifests. */
export const manifestRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "manifest/empty",
    title: "no document in the file",
    explanation:
      "A file that was named must hold a manifest; in a folder an empty one is told as a warning, because nothing is lost.",
    fix: "Write the manifest, or remove the file.",
    wrong: "# nothing here\n---\n",
    right: "metadata:\n  name: state-gis",
  },
  {
    ...firm,
    id: "manifest/not-a-map",
    title: "a list or a bare value",
    explanation: "A manifest is a map that begins with apiVersion and kind.",
    fix: "Write each manifest as a document of its own, separated by a line with ---.",
    wrong: "---\n- apiVersion: ingest.geoportal.io/v1\n  kind: HarvestSource",
    right: "---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: { name: state-gis }",
  },
  {
    ...firm,
    id: "manifest/kind",
    title: "meant as HarvestSource, but the kind is wrong or missing",
    explanation:
      "The document has the fields or the group of a source, so it was meant as one; under another kind it would be passed over in silence.",
    fix: "Write kind: HarvestSource.",
    fixable: "some",
    wrong: "---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSorce",
    right: "---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSource",
  },
  {
    ...firm,
    id: "manifest/api-version",
    title: "another version",
    explanation: "Only ingest.geoportal.io/v1 exists; the API server refuses every other version.",
    fix: "Write apiVersion: ingest.geoportal.io/v1.",
    wrong: "---\napiVersion: ingest.geoportal.io/v2\nkind: HarvestSource",
    right: "---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSource",
  },
  {
    id: "manifest/other-kind",
    severity: "info",
    suppressible: false,
    fixable: false,
    title: "another kind; an error when nothing else is in a file that was named",
    explanation: "Other objects may lie in the same folder; they are not looked at.",
    fix: "Nothing, if it was meant so.",
    wrong: "---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: notes }",
    right: "---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSource",
  },
  {
    ...soft,
    id: "manifest/cluster-field",
    title: "status or metadata that the cluster writes",
    explanation:
      "The manifest was copied out of a cluster. These fields mean nothing in Git, change with every read, and hide what was changed on purpose.",
    fix: "Remove them.",
    fixable: true,
    wrong: 'metadata:\n  name: state-gis\n  uid: 4f6a\n  resourceVersion: "4711"',
    right: "metadata:\n  name: state-gis",
  },
];

/** What kustomize would apply, and what of it cannot be known here. */
export const kustomizeRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "kustomize/build",
    title: "kustomize could not build this folder",
    explanation:
      "A file that a kustomization names is missing or broken, a patch fits nothing, or kustomizations name one another in a circle: nothing would be applied.",
    fix: "Correct what the sentence names.",
  },
  {
    id: "kustomize/remote",
    severity: "info",
    suppressible: false,
    fixable: false,
    title: "a base or resource at another place, which is not fetched",
    explanation: "Lint asks no network: what a remote base holds is not known, and so not checked.",
    fix: "Nothing; to have it checked, copy it into the repository.",
  },
  {
    id: "kustomize/not-followed",
    severity: "info",
    suppressible: false,
    fixable: false,
    title: "a field of a kustomization that lint does not follow",
    explanation:
      "Generators, plugins, replacements and charts can write anything; the sources are checked as they are without them.",
    fix: "Nothing; check the built result with kustomize build . | harvestctl lint --stdin.",
  },
];
