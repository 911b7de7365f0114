import { describe, expect, it } from "vitest";
import type { RunSummary } from "../../harvester/report/summary.js";
import { noColour } from "./colour.js";
import { summaryText } from "./summary.js";

const complete: RunSummary = {
  runId: "01JD8Q",
  source: "state-gis-clearinghouse",
  endpoint: "https://metadata.state.example.gov/oai",
  prefix: "iso19139",
  outcome: "complete",
  exitCode: 0,
  message: "All records of all windows were read.",
  startedAt: "2026-11-30T00:00:00Z",
  endedAt: "2026-11-30T00:00:31Z",
  seconds: 31,
  counts: {
    requests: 126,
    bytes: 98_000_000,
    read: 12_481,
    inserted: 37,
    updated: 212,
    withdrawn: 4,
    unchanged: 12_225,
    quarantined: 3,
    stillQuarantined: 0,
    stale: 0,
    healed: 0,
    restarts: 0,
  },
  refusedBy: { "schematron/bbox-order": 2, "xsd/missing-element": 1 },
  watermarks: [{ set: "", before: "2026-11-29T18:00:04Z", after: "2026-11-30T00:00:02Z" }],
  waitedSeconds: 0,
  warnings: [],
  policyDigest: "sha256:abc",
};

describe("summaryText", () => {
  it("tells a complete run in one table", () => {
    const text = summaryText(complete, { theme: noColour, stored: true, nextRun: "06:00 UTC" });
    expect(text).toBe(
      [
        "state-gis-clearinghouse: complete in 31 s, run 01JD8Q",
        "  read             12,481  in 126 requests, 98 MB",
        "  new                  37",
        "  changed             212",
        "  withdrawn             4",
        "  unchanged        12,225",
        "  refused               3  schematron/bbox-order 2 · xsd/missing-element 1",
        "                harvestctl quarantine list --run 01JD8Q",
        "  watermark     2026-11-29 18:00:04Z → 2026-11-30 00:00:02Z    next run 06:00 UTC",
      ].join("\n"),
    );
  });

  it("says first, in words nobody takes for success, that a run stopped early", () => {
    const partial: RunSummary = {
      ...complete,
      outcome: "partial",
      exitCode: 75,
      code: "Throttled",
      message: "503 Service Unavailable with Retry-After 3600 after page 52.",
      notBefore: "2026-11-30T19:12:40Z",
      counts: { ...complete.counts, quarantined: 0 },
      refusedBy: {},
      watermarks: [{ set: "", before: "2026-11-29T18:00:04Z", after: "2026-11-29T18:00:04Z" }],
    };
    const lines = summaryText(partial, { theme: noColour, stored: true }).split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "state-gis-clearinghouse: INCOMPLETE after 12,481 records, watermark stays at 2026-11-29 18:00:04Z (run 01JD8Q)",
      "  why           503 Service Unavailable with Retry-After 3600 after page 52. (Throttled)",
      "  kept          12,474 records already committed; nothing was lost",
      "  next          no request before 2026-11-30 19:12:40Z; an earlier run will wait for it",
    ]);
    expect(lines.at(-1)).toBe("  watermark     2026-11-29 18:00:04Z (stays)");
  });

  it("claims nothing was stored by a dry run", () => {
    const text = summaryText(complete, { theme: noColour, stored: false });
    expect(text).toContain("would add");
    expect(text).not.toContain("watermark");
    expect(text).not.toContain("quarantine list");
  });
});
