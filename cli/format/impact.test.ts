import { describe, expect, it } from "vitest";
import type { Impact, SourceReplay } from "../../harvester/impact/impact.js";
import { noColour } from "./colour.js";
import { impactProgressLine, impactSentence, impactText } from "./impact.js";

const source: SourceReplay = {
  key: "state-gis",
  records: 12_000,
  judged: 12_000,
  newlyQuarantined: 37,
  released: 5,
  refusals: [
    {
      rule: "schematron/dc-rights-present",
      records: 37,
      examples: [
        {
          identifier: "oai:x:\u001b[31m1",
          sentence: "Nothing is said about rights.",
          xpath: "/oai_dc:dc",
          line: 7,
        },
      ],
    },
  ],
  releases: [{ rule: "xsd/bad-value", records: 5, examples: [{ identifier: "oai:x:2", sentence: "Odd." }] }],
};

const impact: Impact = {
  judged: 12_000,
  records: 12_000,
  newlyQuarantined: 37,
  released: 5,
  sources: [source],
  notReplayed: [],
};

const nothing: Impact = {
  ...impact,
  judged: 0,
  records: 0,
  newlyQuarantined: 0,
  released: 0,
  sources: [],
};

function text(of: Impact, strangers = 0): string {
  const look = { theme: noColour, width: 100 };
  return impactText({ impact: of, base: "3f2a91c", head: "working tree", strangers }, look);
}

it.each([
  {
    name: "all were judged",
    given: impact,
    expect: "37 of 12,000 records of 1 source would be newly quarantined; 5 would be released.",
  },
  {
    name: "a sample",
    given: {
      ...impact,
      judged: 600,
      newlyQuarantined: 2,
      released: 0,
      estimate: { newlyQuarantined: { low: 5, high: 142 }, released: { low: 0, high: 73 } },
    },
    expect:
      "2 of 600 sampled records of 1 source would be newly quarantined, 0 released. Of all 12,000 records that means 5 to 142 newly quarantined and 0 to 73 released (95 % confidence).",
  },
])("$name", ({ given, expect: expected }) => {
  expect(impactSentence(given)).toBe(expected);
});

describe("the report", () => {
  it("verdict, sides, a row a source, rules with examples and places", () => {
    expect(text(impact)).toBe(
      `37 of 12,000 records of 1 source would be newly quarantined; 5 would be released.
3f2a91c → working tree

SOURCE     RECORDS  JUDGED  NEWLY QUARANTINED  RELEASED
state-gis   12,000  12,000                 37         5

state-gis
  would refuse         37  schematron/dc-rights-present
      oai:x: [31m1
        Nothing is said about rights.
        line 7, /oai_dc:dc
  would release         5  xsd/bad-value
      oai:x:2
        Odd.`,
    );
  });

  it.each([
    {
      name: "no policy changes",
      given: nothing,
      says: "No source's rules or schemas change (3f2a91c → working tree): there is nothing to replay.",
    },
    {
      name: "nothing could be replayed, and why",
      given: {
        ...nothing,
        notReplayed: [{ key: "a", reason: "unusable" as const, sentence: "rules/a.sch:3: Bad." }],
      },
      says: "Nothing was replayed (3f2a91c → working tree).\n\nNot replayed:\n  a: rules/a.sch:3: Bad.",
    },
  ])("$name", ({ given, says }) => {
    expect(text(given)).toBe(says);
  });

  it("files nobody claims", () => {
    expect(text(nothing, 3)).toContain("3 files belong to no source whose policy changes.");
  });

  it("no line is wider than the terminal, whatever a record says", () => {
    const long = "x".repeat(500);
    const example = { identifier: long, sentence: long, xpath: long, line: 1 };
    const wide = { ...source, key: long, refusals: [{ rule: long, records: 1, examples: [example] }] };
    for (const line of text({ ...impact, sources: [wide] }).split("\n"))
      expect(Array.from(line).length).toBeLessThanOrEqual(100);
  });
});

it("progress", () => {
  const progress = { judged: 600, total: 1800, newlyQuarantined: 4, released: 1 };
  expect(impactProgressLine(progress, 30)).toBe(
    "  600 of 1,800 records judged   newly quarantined 4   released 1   ETA 60 s",
  );
});
