import type { QuarantineEntry, QuarantineRow } from "../../harvester/persist/quarantine-reading.js";
import type { Violation } from "../../harvester/record.js";
import type { Theme } from "./colour.js";
import { oneLine, time } from "./words.js";

/** The list, two lines an entry: which record and which rule; then what the rule says, which is the part to act on. */
export function quarantineTable(
  rows: readonly QuarantineRow[],
  context: { width: number; theme: Theme },
): string {
  const several = new Set(rows.map((row) => row.source)).size > 1;
  const longest = Math.min(60, Math.max(...rows.map((row) => row.identifier.length)));
  return rows
    .map((row) => {
      const source = several ? `${row.source}  ` : "";
      const state = row.resolvedAt === null ? "" : context.theme.good(`  ${row.resolution ?? "resolved"}`);
      const head = `${source}${oneLine(row.identifier, 200).padEnd(longest)}  ${context.theme.bad(`${row.gate}/${row.rule}`)}${state}`;
      return `${head}\n    ${context.theme.dim(oneLine(row.message, context.width - 4))}`;
    })
    .join("\n");
}

/** One entry: what is wrong, where in the bytes, what stays in the catalogue, and how it comes back. */
export function quarantineText(entry: QuarantineEntry, theme: Theme): string {
  const state =
    entry.resolvedAt === null
      ? "quarantined"
      : `${entry.resolution ?? "resolved"} ${time(entry.resolvedAt)}, quarantined`;
  const [first, ...others] = entry.violations;
  return [
    `${theme.strong(oneLine(entry.identifier))}   ${state} ${time(entry.firstSeen)}, run ${entry.runId}`,
    line("source", entry.set === "" ? entry.source : `${entry.source}, set ${entry.set}`),
    ...(first === undefined ? [] : violationLines(first, entry)),
    ...others
      .slice(0, 10)
      .map((v) => line("also", `${v.gate}/${v.rule} (${v.severity}): ${oneLine(v.message)}`)),
    line("seen", `${entry.timesSeen.toString()} times, last ${time(entry.lastSeen)}`),
    line("before", beforeText(entry)),
    line("next", nextText(entry)),
  ].join("\n");
}

function violationLines(violation: Violation, entry: QuarantineEntry): string[] {
  const place = [
    violation.xpath,
    violation.line === undefined ? undefined : `line ${violation.line.toString()}`,
  ];
  const where = place.filter((p) => p !== undefined).join(", ");
  return [
    line("rule", `${violation.gate}/${violation.rule} (${violation.severity})`),
    line("says", oneLine(violation.message, 500)),
    ...(where === "" ? [] : [line("where", oneLine(where, 300))]),
    ...(violation.line === undefined ? [] : excerpt(entry.body, violation.line)),
  ];
}

/** The line named and its neighbours, safe for a terminal. */
function excerpt(body: Uint8Array, lineNumber: number): string[] {
  const lines = new TextDecoder().decode(body).split("\n");
  const from = Math.max(1, lineNumber - 1);
  const shown = lines.slice(from - 1, lineNumber + 1);
  return shown.map((text, i) => {
    const n = from + i;
    const mark = n === lineNumber ? ">" : " ";
    return `    ${mark} ${n.toString().padStart(5)} | ${oneLine(text, 110)}`;
  });
}

function beforeText({ keptVersionOf }: QuarantineEntry): string {
  return keptVersionOf === null
    ? "there is no earlier version in the catalogue"
    : `the version of ${time(keptVersionOf)} stays in the catalogue`;
}

function nextText(entry: QuarantineEntry): string {
  if (entry.resolvedAt !== null) return "nothing: the entry is closed";
  if (entry.gate === "envelope") return "after a fix at the source it comes back by itself";
  return `after a fix at the source it comes back by itself; after a fix of the rule: harvestctl quarantine replay --rule ${entry.rule}`;
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(9)}${text}`;
}
