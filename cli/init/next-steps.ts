/** What `harvestctl init` says it wrote, and what comes next. */
import { plural } from "../format/words.js";
import type { Forge } from "./package-files.js";
import type { Written } from "./write-scaffold.js";

export interface InitFacts extends Written {
  readonly folder: string;
  readonly forge: Forge;
  /** Is the action named, and who must approve? */
  readonly action: boolean;
  readonly owner: boolean;
}

const PARTS = [
  { begin: "harvest/", says: "sources, one file each: write over the examples" },
  { begin: "rules/", says: "rules for records, and what each agency allows (fair-use.yaml)" },
  { begin: "schemas/", says: "XML schemas for records, JSON schema for editors" },
  { begin: "tests/", says: "records with the verdict they must get" },
] as const;

/** Where the review of changes is set up. */
const FORGE_FILES = {
  github: { gate: ".github/workflows/", owners: ".github/CODEOWNERS" },
  gitlab: { gate: ".gitlab-ci.yml", owners: "CODEOWNERS" },
} as const;

/** Commands to be typed, in their order, and sentences for what only people know. */
export function nextSteps({ folder, forge, action, owner }: InitFacts): readonly string[] {
  const { gate, owners } = FORGE_FILES[forge];
  const enter = folder === "." ? [] : [`cd ${shellWord(folder)}`];
  return [
    ...enter,
    "git init && git add --all && git commit -m 'Start a harvest policy'",
    "harvestctl lint harvest/endpoints/",
    "harvestctl dry-run --source harvest/endpoints/ --limit 200 --no-index",
    "harvestctl validate-fixtures tests/fixtures/ --strict",
    ...(action ? [] : [`In ${gate} name repository and commit of the gate (init --action does).`]),
    ...(owner ? [] : [`In ${owners} name who approves (init --owner does).`]),
  ];
}

export function initText(facts: InitFacts): string {
  const { folder, written, overwritten } = facts;
  const counted = PARTS.map(({ begin, says }) => {
    const count = written.filter((path) => path.startsWith(begin)).length;
    return `  ${begin.padEnd(10)}${String(count).padStart(3)}  ${says}`;
  });
  const rest = written.filter((path) => !PARTS.some(({ begin }) => path.startsWith(begin)));
  const over =
    overwritten.length === 0 ? [] : [`${plural(overwritten.length, "file")} that stood there written over.`];
  return [
    `${folder}: ${plural(written.length, "file")} written.`,
    ...counted,
    `  ${"beside".padEnd(10)}${String(rest.length).padStart(3)}  the check of changes, who approves (CODEOWNERS), README, editors, pre-commit`,
    ...over,
    "",
    "Next:",
    ...nextSteps(facts).map((step) => `  ${step}`),
  ].join("\n");
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
