import { firm, type CatalogueRule } from "./catalogue-rule.js";

/** What can be wrong before a text is a manifest. */
export const textRules: readonly CatalogueRule[] = [
  {
    ...firm,
    id: "yaml/syntax",
    title: "not YAML",
    explanation: "The text cannot be read as YAML, so neither lint nor kubectl knows what it says.",
    fixable: "some",
    fix: "Look at the line shown and the one before it: a missing colon, quote or bracket, or wrong indentation.",
    wrong: "spec:\n  sets: [a, b\n  suspend: true",
    right: "spec:\n  sets: [a, b]\n  suspend: true",
  },
  {
    ...firm,
    id: "yaml/tab",
    title: "a tab as indentation",
    explanation: "YAML does not allow tabs as indentation, because editors show them in different widths.",
    fix: "Indent with spaces.",
    fixable: "some",
    wrong: "spec:\n  delta:\n\t  overlapSeconds: 300",
    right: "spec:\n  delta:\n    overlapSeconds: 300",
  },
  {
    ...firm,
    id: "yaml/alias",
    title: "an alias without anchor, a text that begins with *, or aliases that multiply without end",
    explanation:
      "A text without quotes that begins with * is an alias in YAML: it stands for what was written at the anchor of that name. Schedules are the usual victims.",
    fix: "Put the text in quotes.",
    fixable: "some",
    wrong: "spec:\n  schedule: */30 * * * *",
    right: 'spec:\n  schedule: "*/30 * * * *"',
  },
  {
    ...firm,
    id: "yaml/tag",
    title: "an unknown !tag",
    explanation:
      "A word that begins with ! gives a value a type of its own, and nobody here knows that type.",
    fix: "Remove the word, or put the value in quotes.",
    wrong: "spec:\n  suspend: !maybe true",
    right: "spec:\n  suspend: true",
  },
  {
    ...firm,
    id: "yaml/duplicate-key",
    title: "a key twice in one map",
    explanation: "Only one of the two values would count, and which one depends on the program that reads.",
    fix: "Remove one of them.",
    wrong: "spec:\n  suspend: true\n  suspend: false",
    right: "spec:\n  suspend: false",
  },
  {
    ...firm,
    id: "yaml/encoding",
    title: "not UTF-8",
    explanation:
      "Manifests are read as UTF-8; in another encoding names and comments would turn into others.",
    fix: "Save the file as UTF-8.",
  },
  {
    ...firm,
    id: "yaml/too-big",
    title: "more than 1 MiB, or more than 2,000 documents",
    explanation:
      "A manifest has about 1 kB. A file of that size is another file, or an attack on the reader.",
    fix: "Split the file, or name the one that was meant.",
  },
  {
    ...firm,
    id: "yaml/too-deep",
    title: "nested deeper than 64 levels",
    explanation:
      "A manifest nests four levels deep. Such a text is another file, or an attack on the reader.",
    fix: "Name the file that was meant.",
  },
  {
    ...firm,
    id: "yaml/boolean-word",
    title: "yes, no, on, off, y or n without quotes: a boolean for kubectl",
    explanation:
      "kubectl reads YAML 1.1, where these words are true and false; YAML 1.2 reads them as texts. What CI checked would not be what runs.",
    fix: "Write true or false; for a text put the word in quotes.",
    fixable: true,
    wrong: "metadata:\n  name: state-gis\n  labels: { archived: no }",
    right: 'metadata:\n  name: state-gis\n  labels: { archived: "no" }',
  },
  {
    ...firm,
    id: "yaml/ambiguous-number",
    title: "0300 or 1_000: another number for kubectl",
    explanation:
      "kubectl reads YAML 1.1, where a leading zero means octal and 1_000 is a number; YAML 1.2 reads 300 and a text. What CI checked would not be what runs.",
    fix: "Write a plain decimal number, or put the value in quotes.",
    fixable: "some",
    wrong: "spec:\n  delta: { overlapSeconds: 0300 }",
    right: "spec:\n  delta: { overlapSeconds: 300 }",
  },
];
