import type { RunSummary } from "../../harvester/report/summary.js";
import type { Theme } from "./colour.js";
import { count, plural } from "./words.js";

/** What became of the quarantined records of one source. */
export function replayText(summary: RunSummary, theme: Theme): string {
  const { counts, source, outcome } = summary;
  const state = outcome === "complete" ? theme.good("replayed") : theme.bad(`replay ${outcome}`);
  const lines = [
    `${theme.strong(source)}: ${state} ${plural(counts.read, "quarantined record")}, run ${summary.runId}`,
  ];
  if (outcome !== "complete") lines.push(`  why             ${summary.message}`);
  if (counts.inserted + counts.updated > 0)
    lines.push(line("now accepted", counts.inserted + counts.updated));
  if (counts.unchanged > 0) lines.push(line("nothing new", counts.unchanged));
  const rules = Object.entries(summary.refusedBy).map(([rule, n]) => `${rule} ${count(n)}`);
  if (counts.quarantined > 0)
    lines.push(line("still refused", counts.quarantined, rules.slice(0, 6).join(" · ")));
  if (counts.stillQuarantined > 0)
    lines.push(
      line("not judged", counts.stillQuarantined, "the rules are the same as when they were refused"),
    );
  return lines.join("\n");
}

function line(label: string, n: number, note = ""): string {
  return `  ${label.padEnd(14)}${count(n).padStart(6)}  ${note}`.trimEnd();
}
