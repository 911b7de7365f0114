import { describe, expect, it } from "vitest";
import type { LiveSource } from "../../controller/object.js";
import { liveSource } from "../../controller/render/inputs-for-tests.js";
import { noColour } from "./colour.js";
import { liveSourcesText, liveSourceText } from "./live-sources.js";

const now = new Date("2026-11-30T14:00:00Z");
const view = { now, theme: noColour, width: 100 };
const list = { ...view, namespaces: false, place: "in namespace geo" };

function source(
  name: string,
  status: LiveSource["status"],
  more: { readonly spec?: object; readonly annotations?: Readonly<Record<string, string>> } = {},
): LiveSource {
  const live = liveSource(more.spec ?? {}, { name, annotations: more.annotations ?? {} });
  return { ...live, status };
}

function condition(type: string, status: "True" | "False", [reason, message]: readonly [string, string]) {
  return { type, status, reason, message, lastTransitionTime: "2026-11-30T00:00:00Z" };
}

const fine = {
  summary: "Fresh",
  lastSuccessTime: "2026-11-30T12:00:31Z",
  watermark: "2026-11-30T12:00:04Z",
  nextRunTime: "2026-11-30T18:00:00Z",
  records: 12_481,
  quarantined: 3,
  installedSchedule: "0 */6 * * *",
};

const fresh = source("state-gis-clearinghouse", {
  ...fine,
  conditions: [
    condition("Ready", "True", ["Scheduled", "Scheduled: runs every 6 hours, at minute 0 (Etc/UTC)."]),
    condition("LastRunSucceeded", "True", ["Complete", "All records of all windows were read."]),
  ],
  lastRun: {
    outcome: "complete",
    exitCode: 0,
    endTime: "2026-11-30T12:00:31Z",
    jobName: "harvest-state-gis-clearinghouse-29411280",
    counts: { quarantined: 3, read: 12_481, inserted: 37, updated: 212, withdrawn: 0, unchanged: 12_229 },
  },
});
const refused = condition("LastRunSucceeded", "False", [
  "ConnectionRefused",
  "harbor.example.gov refused the connection.",
]);
const failing = source("harbor-office", {
  ...fine,
  summary: "Failing(2)",
  conditions: [refused],
  consecutiveFailures: 2,
});
const resting = source("old-harbor", {
  ...fine,
  summary: "Resting",
  notBefore: "2026-11-30T19:12:40Z",
  conditions: [refused],
});
const paused = source(
  "county-gis",
  {
    ...fine,
    summary: "Paused",
    nextRunTime: undefined,
    conditions: [condition("Paused", "True", ["PausedByAnnotation", "…"])],
  },
  {
    annotations: {
      "ingest.geoportal.io/paused": "server move, ticket 4711",
      "ingest.geoportal.io/paused-until": "2026-12-24T06:00:00Z",
    },
  },
);
const stalled = source("typo-source", {
  summary: "Stalled",
  conditions: [
    condition("Stalled", "True", ["ScheduleNeverRuns", "There is no 31 February: it would never run."]),
  ],
});
const unseen = source("new-source", undefined);
const suspended = source(
  "quiet",
  { ...fine, summary: "Suspended", conditions: [condition("Paused", "True", ["SuspendedInSpec", "…"])] },
  { spec: { suspend: true } },
);

describe("the sources of a cluster", () => {
  it("a line each: the state, and what happens next or what keeps it from happening", () => {
    const all = [fresh, failing, resting, paused, stalled, unseen, suspended];
    expect(liveSourcesText(all, { ...list, width: Infinity }).split("\n")).toEqual([
      "SOURCE                   STATUS      LAST SUCCESS  LAG  RECORDS  QUARANTINED  NEXT",
      "state-gis-clearinghouse  Fresh       2 h ago       2 h   12,481            3  in 4 h",
      "harbor-office            Failing(2)  2 h ago       2 h   12,481            3  in 4 h; ConnectionRefused: harbor.example.gov refused the connection.",
      "old-harbor               Resting     2 h ago       2 h   12,481            3  rests until 2026-11-30 19:12:40Z; ConnectionRefused: harbor.example.gov refused the connection.",
      'county-gis               Paused      2 h ago       2 h   12,481            3  paused until 2026-12-24 06:00:00Z: "server move, ticket 4711"',
      "typo-source              Stalled     never         –          –            –  There is no 31 February: it would never run.",
      "new-source               Unseen      never         –          –            –  the controller has not looked at it yet",
      "quiet                    Suspended   2 h ago       2 h   12,481            3  suspended in its spec",
    ]);
  });

  it("cuts what happens next, never the name, to fit a terminal", () => {
    const [, line = ""] = liveSourcesText([paused], list).split("\n");
    expect(line).toBe(
      'county-gis  Paused  2 h ago       2 h   12,481            3  paused until 2026-12-24 06:00:00Z: "se…',
    );
    expect(line).toHaveLength(100);
  });

  it("says where there is none, and where to look", () => {
    expect(liveSourcesText([], list)).toBe(
      "There is no HarvestSource in namespace geo.\n" +
        "Apply one (docs/harvest-source.md), or look elsewhere with --namespace or --all-namespaces.",
    );
  });

  it("one in full", () => {
    expect(liveSourceText(fresh, view).split("\n")).toEqual([
      "harvest/state-gis-clearinghouse: Fresh",
      "  asks       https://metadata.state.example.gov/oai (iso19139)",
      "  schedule   0 */6 * * * (Etc/UTC)",
      "  next       in 4 h, 2026-11-30 18:00:00Z",
      "  holds      12,481 records, 3 quarantined; complete up to 2026-11-30 12:00:04Z, 2 h ago",
      "  last run   complete 2 h ago, Job harvest-state-gis-clearinghouse-29411280",
      "             read 12,481 · new 37 · changed 212 · unchanged 12,229 · refused 3",
      "  Ready             True     Scheduled: runs every 6 hours, at minute 0 (Etc/UTC).",
      "  LastRunSucceeded  True     Complete: All records of all windows were read.",
    ]);
  });

  it.each([
    ["stalled", stalled, "  next       as before, until what stalls it is mended"],
    [
      "resting",
      resting,
      "  next       in 4 h, 2026-11-30 18:00:00Z; no request to the agency before 2026-11-30 19:12:40Z",
    ],
    ["unseen", unseen, "  next       the controller has not looked at it yet"],
  ])("one that is %s says when it goes on", (_name, given, line) => {
    expect(liveSourceText(given, view).split("\n")[3]).toBe(line);
  });
});
