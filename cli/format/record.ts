import type { CanonicalRecord } from "../../harvester/canonical.js";
import type { RecordDetail } from "../../harvester/persist/reading.js";
import type { Theme } from "./colour.js";
import { oneLine, time } from "./words.js";

/** A record for people: what it is about first, then where it came from. */
export function recordText(record: RecordDetail, theme: Theme): string {
  const state = record.deleted
    ? theme.warn(`withdrawn (${record.deletedReason ?? "unknown reason"})`)
    : "in the catalogue";
  const lines = [
    theme.strong(oneLine(record.title)),
    line("identifier", record.identifier),
    line("source", `${record.source}, ${state}`),
    line("changed", `${time(record.changedAt)}, first seen ${time(record.firstSeen)}`),
    ...about(record.canonical),
    ...record.remarks
      .slice(0, 10)
      .map((r) => line("remark", `${r.gate}/${r.rule} (${r.severity}): ${oneLine(r.message)}`)),
    line("xml", `harvestctl records show ${record.identifier} --xml`),
  ];
  return lines.join("\n");
}

function about(record: CanonicalRecord): string[] {
  const facts: [string, string | undefined][] = [
    ["type", record.type],
    ["abstract", record.abstract],
    ["dates", record.dates.map((d) => `${d.event} ${d.date}`).join(", ")],
    [
      "extent",
      record.boundingBoxes
        .map(
          (b) =>
            `W ${b.west.toString()} S ${b.south.toString()} E ${b.east.toString()} N ${b.north.toString()}`,
        )
        .join("; "),
    ],
    ["time", record.temporal.map((t) => `${t.start ?? "…"} – ${t.end ?? "…"}`).join("; ")],
    ["keywords", record.keywords.map((k) => k.value).join(", ")],
    ["topics", record.topics.join(", ")],
    [
      "contacts",
      record.contacts
        .map((c) => `${c.organisation ?? c.individual ?? c.name ?? c.position ?? "?"} (${c.role})`)
        .join(", "),
    ],
    ["links", record.links.map((l) => l.url).join("  ")],
    ["licence", record.constraints.licence],
    ["language", record.languages.join(", ")],
    ["parent", record.parent],
  ];
  return facts.flatMap(([label, text]) =>
    text === undefined || text === "" ? [] : [line(label, oneLine(text, 300))],
  );
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(12)}${text}`;
}
