import { mostSevereFirst, type Place, type Severity } from "../../../source/finding.js";
import type { Consequence } from "../../../source/review/consequence.js";
import { plural } from "../words.js";
import { firstRun, inFlight, isExceeded, readAgain, requestsPerDay, runsPerDay } from "./cells.js";
import { code, codeCell, prose } from "./escape.js";
import type { Section } from "./fit.js";
import type { ShownReview, ShownRow } from "./shown-review.js";

const HEAD = `| source | what changes | host | in flight now → then / ceiling | requests a day | runs a day | first run after the merge | read again | owner |
|---|---|---|---|---|---|---|---|---|
`;
const SIGN: Readonly<Record<Severity, string>> = { error: "❌", warning: "⚠️", info: "ℹ️" };
/** More words say less. */
const MAX_WORDS = 8;

/** A row for each source: what the change does to its host. */
export function rowSection({ rows }: ShownReview): Section {
  return {
    head: HEAD,
    items: rows.map((row) => () => rowLine(row)),
    joint: "\n",
    left: (n) =>
      `… and ${plural(n, "more source")} with smaller changes: the JSON of the review has all of them.`,
    share: 0.4,
  };
}

function rowLine(row: ShownRow): string {
  const owners = row.owners.slice(0, MAX_WORDS).map((owner) => codeCell(owner, 80));
  const exceeded = isExceeded(row);
  const again = row.readAgain.kind === "all";
  const cells = [
    codeCell(row.key),
    words(row.what),
    codeCell(row.host, 100),
    strong(inFlight(row), exceeded),
    requestsPerDay(row),
    runsPerDay(row),
    prose(firstRun(row), 200),
    strong(readAgain(row), again),
    owners.length === 0 ? "–" : owners.join(" "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function words(what: readonly string[]): string {
  const shown = what.slice(0, MAX_WORDS).map((word) => prose(word, 100));
  return what.length > MAX_WORDS
    ? `${shown.join(", ")} and ${String(what.length - MAX_WORDS)} more`
    : shown.join(", ");
}

function strong(text: string, wanted: boolean): string {
  return wanted ? `**${prose(text)}**` : prose(text);
}

export function consequenceSection({ consequences }: ShownReview): Section {
  return {
    head: "### What will happen\n",
    items: consequences.map((consequence) => () => saidLine(consequence.id, consequence)),
    joint: "\n",
    left: (n) => `… and ${plural(n, "more consequence")}, none more severe than those above.`,
    share: 0.5,
  };
}

type Said = Pick<Consequence, "severity" | "sentence" | "remedy" | "place">;

function saidLine(id: string, { severity, sentence, remedy, place }: Said): string {
  const next = remedy === undefined ? "" : ` *${prose(remedy)}*`;
  return `- ${SIGN[severity]} ${code(id)} ${prose(sentence)}${next} (${placeCode(place)})`;
}

/** What lint says that it did not say of the base. */
export function findingSection({ findings }: ShownReview): Section {
  const fresh = mostSevereFirst(findings.filter(({ known }) => !known));
  const known = findings.length - fresh.length;
  const rest =
    known === 0
      ? ""
      : ` ${plural(known, "finding")} that the base had too ${known === 1 ? "is" : "are"} not repeated.`;
  return {
    head: `### What lint says that is new\n${rest === "" ? "" : `${rest.trim()}\n\n`}`,
    items: fresh.map((finding) => () => saidLine(finding.rule, finding)),
    joint: "\n",
    left: (n) => `… and ${plural(n, "more finding")}: harvestctl lint shows them.`,
    share: 0.4,
  };
}

function placeCode({ file, line }: Place): string {
  return code(`${file}:${String(line)}`);
}
