import { describe, expect, it } from "vitest";
import { manifest, type TestTree } from "../tree-for-tests.js";
import { known, told, toldOfOne, type OneSource } from "./tell-for-tests.js";

describe("schedules", () => {
  const table: readonly OneSource[] = [
    {
      name: "another hour, as often",
      before: { schedule: "0 2 * * *" },
      after: { schedule: "30 3 * * *" },
      expected: [
        "info schedule-changed: a runs every day at 03:30 (Etc/UTC); until now every day at 02:00 (Etc/UTC).",
      ],
    },
    {
      name: "the same in other words",
      before: { schedule: "0 0 * * *" },
      after: { schedule: "@daily" },
      expected: [],
    },
    {
      name: "more often, measured",
      after: { schedule: "0 * * * *" },
      store: known,
      expected: [
        "warning runs-more-often: a runs 24 times a day instead of 4 times a day: about 3,024 requests a day at a.example instead of 504.",
        "info schedule-changed: a runs every hour, at minute 0 (Etc/UTC); until now every 6 hours, at minute 0 (Etc/UTC).",
      ],
    },
    {
      name: "less often, not measured",
      after: { schedule: "0 4 * * SUN" },
      expected: [
        "info runs-less-often: a runs once a week instead of 4 times a day: at least 0.3 requests a day at a.example instead of 8.",
        "info schedule-changed: a runs at 04:00 on Sunday (Etc/UTC); until now every 6 hours, at minute 0 (Etc/UTC).",
      ],
    },
    {
      name: "a little more often",
      before: { schedule: "0 4 * * MON-FRI" },
      after: { schedule: "0 4 * * *" },
      expected: [
        "info runs-more-often: a runs once a day instead of 5 times a week: at least 2 requests a day at a.example instead of 1.4.",
        "info schedule-changed: a runs every day at 04:00 (Etc/UTC); until now at 04:00 on Monday to Friday (Etc/UTC).",
      ],
    },
    {
      name: "more often than runs take",
      after: { schedule: "*/30 * * * *" },
      store: { ...known, longestSeconds: 2400 },
      expected: [
        "warning runs-more-often: a runs 48 times a day instead of 4 times a day: about 6,048 requests a day at a.example instead of 504.",
        "warning starvation: Runs of a take up to 40 min, and the next one is due after 30 min: it does not start while one is still going.",
        "info schedule-changed: a runs every 30 minutes (Etc/UTC); until now every 6 hours, at minute 0 (Etc/UTC).",
      ],
    },
    {
      name: "everything in each run, which takes longer than the interval",
      before: { schedule: "@every 10m" },
      after: { schedule: "@every 10m", delta: { mode: "full" } },
      store: { ...known, lastFullRun: { ...known.lastFullRun!, seconds: 1200 } },
      expected: [
        "warning delta-mode-changed: a reads everything in each run (delta.mode: from-cursor → full): all 12,481 records are read (about 98 MB, 20 min at the pace of the last full run).",
        "warning starvation: Runs of a take up to 20 min, and the next one is due after 10 min: it does not start while one is still going.",
      ],
    },
    {
      name: "into the hour that clocks skip and repeat",
      before: { schedule: "30 2 * * *" },
      after: { schedule: "30 2 * * *", timeZone: "Europe/Berlin" },
      expected: [
        "info clock-change-hits-run: a: when clocks of Europe/Berlin change, the run at 02:30 is left out on one day and made twice on another.",
        "info schedule-changed: a runs every day at 02:30 (Europe/Berlin); until now every day at 02:30 (Etc/UTC).",
      ],
    },
    {
      name: "while it rests, a schedule says nothing",
      before: { suspend: true },
      after: { suspend: true, schedule: "0 * * * *" },
      expected: [],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});

function at(schedules: Readonly<Record<string, string>>, fairUse?: string): TestTree {
  const manifests = Object.entries(schedules).map(([name, schedule]) => [
    `${name}.yaml`,
    manifest(name, { baseUrl: `https://a.example/${name}`, schedule }),
  ]);
  return {
    manifests: Object.fromEntries(manifests) as Record<string, string>,
    ...(fairUse === undefined ? {} : { fairUse }),
  };
}

function collisions(before: TestTree, after: TestTree): readonly string[] {
  return told(before, after).filter((each) => each.includes("schedule-collision"));
}

describe("collisions", () => {
  const table: { name: string; before: TestTree; after: TestTree; expected: string[] }[] = [
    {
      name: "a moved start meets another",
      before: at({ a: "0 1 * * *", b: "0 2 * * *" }),
      after: at({ a: "0 1 * * *", b: "0 1 * * *" }),
      expected: [
        "warning schedule-collision: 2 sources of a.example start in the same minute, e.g. at 01:00 UTC: a and b.",
      ],
    },
    {
      name: "two that met before meet elsewhere together with a third",
      before: at({ a: "0 1 * * *", b: "0 1 * * *", c: "0 5 * * *" }),
      after: at({ a: "0 5 * * *", b: "0 5 * * *", c: "0 5 * * *" }),
      expected: [
        "warning schedule-collision: 3 sources of a.example start in the same minute, e.g. at 05:00 UTC: a, b and c.",
      ],
    },
    {
      name: "two that met before, and something else changes",
      before: at({ a: "0 1 * * *", b: "0 1 * * *" }),
      after: at({ a: "0 1 * * *", b: "0 1 * * *", c: "0 5 * * *" }),
      expected: [],
    },
    {
      name: "they stay under half of the ceiling",
      before: at({ a: "0 1 * * *" }, "default:\n  maxRequests: 4\n"),
      after: at({ a: "0 1 * * *", b: "0 1 * * *" }, "default:\n  maxRequests: 4\n"),
      expected: [
        "info schedule-collision: 2 sources of a.example start in the same minute, e.g. at 01:00 UTC: a and b.",
      ],
    },
    {
      name: "they meet once a day",
      before: at({ a: "0 */6 * * *" }),
      after: at({ a: "0 */6 * * *", b: "0 18 * * *" }),
      expected: [
        "warning schedule-collision: 2 sources of a.example start in the same minute, e.g. at 18:00 UTC: a and b.",
      ],
    },
    {
      name: "another host",
      before: at({ a: "0 1 * * *" }),
      after: {
        manifests: {
          ...at({ a: "0 1 * * *" }).manifests,
          "b.yaml": manifest("b", { baseUrl: "https://b.example/", schedule: "0 1 * * *" }),
        },
      },
      expected: [],
    },
  ];
  it.each(table)("$name", ({ before, after, expected }) => {
    expect(collisions(before, after)).toEqual(expected);
  });
});
