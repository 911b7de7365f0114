import { firm, soft, type CatalogueRule } from "./catalogue-rule.js";

const meta = { ...soft, suppressible: false } as const;

/** What can be wrong with the exceptions themselves: annotations that hold a finding back, and the baseline. */
export const exceptionRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "suppression/incomplete",
    title: "a lint-ignore line without rule, end date or reason",
    explanation: "An exception that nobody can judge, or that never ends, is no exception.",
    fix: "Write rule until YYYY-MM-DD: reason, a line for each rule.",
    wrong:
      "metadata:\n  name: state-gis\n  annotations:\n    ingest.geoportal.io/lint-ignore: transport/cleartext",
    right: 'metadata:\n  name: state-gis\n  annotations:\n    example.org/note: "nothing is held back"',
  },
  {
    ...meta,
    id: "suppression/expired",
    title: "a lint-ignore line past its date: it no longer holds anything back",
    explanation: "The reason was good until that day. Now the finding counts again.",
    fix: "Mend what the rule says, or agree a new date with whoever reviews it.",
    wrong:
      'metadata:\n  name: state-gis\n  annotations:\n    ingest.geoportal.io/lint-ignore: "transport/cleartext until 2020-01-31: until their new host"',
    right: 'metadata:\n  name: state-gis\n  annotations:\n    example.org/note: "nothing is held back"',
  },
  {
    ...meta,
    id: "suppression/unknown-rule",
    title: "a lint-ignore line for a rule that does not exist",
    explanation: "It holds nothing back.",
    fix: "Correct the id; harvestctl rules list shows them all.",
    wrong:
      'metadata:\n  name: state-gis\n  annotations:\n    ingest.geoportal.io/lint-ignore: "transport/cleartxt until 2099-01-31: until their new host"',
    right: 'metadata:\n  name: state-gis\n  annotations:\n    example.org/note: "nothing is held back"',
  },
  {
    ...meta,
    id: "suppression/not-allowed",
    title: "a lint-ignore line for a rule that cannot be held back",
    explanation:
      "A run or the API server would fail all the same, so hiding it here would only move the surprise.",
    fix: "Mend what the rule says, and remove the line.",
    wrong:
      'metadata:\n  name: state-gis\n  annotations:\n    ingest.geoportal.io/lint-ignore: "schema/enum until 2099-01-31: we like it so"',
    right: 'metadata:\n  name: state-gis\n  annotations:\n    example.org/note: "nothing is held back"',
  },
  {
    ...meta,
    id: "suppression/unused",
    title: "a lint-ignore line that holds nothing back",
    explanation: "What it was for is mended; left in place it would hide the next mistake.",
    fix: "Remove the line.",
    wrong:
      'metadata:\n  name: state-gis\n  annotations:\n    ingest.geoportal.io/lint-ignore: "delta/no-overlap until 2099-01-31: their dates are exact"',
    right: 'metadata:\n  name: state-gis\n  annotations:\n    example.org/note: "nothing is held back"',
  },
  {
    id: "baseline/gone",
    severity: "info",
    suppressible: false,
    fixable: false,
    title: "a known finding of the baseline that is no longer there",
    explanation: "The debt was paid: the baseline can shrink, so that it does not come back unseen.",
    fix: "Write the baseline again with --write-baseline.",
  },
];
