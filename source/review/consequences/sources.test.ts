import { describe, expect, it } from "vitest";
import type { StoreFacts } from "../facts.js";
import { manifest, type TestTree } from "../tree-for-tests.js";
import { known, told, toldOfOne, type OneSource } from "./tell-for-tests.js";

const stays = { "stays.yaml": manifest("stays", { baseUrl: "https://stays.example/oai" }) };

function sides(before: TestTree["manifests"], after: TestTree["manifests"], store?: StoreFacts) {
  return told(
    { manifests: { ...stays, ...before } },
    { manifests: { ...stays, ...after } },
    store === undefined ? {} : { store: new Map([["a", store]]) },
  );
}

const a = { "a.yaml": manifest("a") };
const withdrawing = { "a.yaml": manifest("a", { deletions: { onSourceRemoval: "withdraw" } }) };
const renamed = { "a.yaml": manifest("b") };

describe("sources that come and go", () => {
  const table: {
    name: string;
    before: TestTree["manifests"];
    after: TestTree["manifests"];
    store?: StoreFacts;
    expected: string[];
  }[] = [
    {
      name: "a new one",
      before: {},
      after: a,
      expected: [
        "info source-added: a is new: its first run reads everything; how many records that is, is not known.",
      ],
    },
    {
      name: "a new one with records of an older one",
      before: {},
      after: a,
      store: known,
      expected: [
        "info source-added: a is new in this policy, but the store holds 12,481 records of an earlier source of this name: they become its own.",
      ],
    },
    {
      name: "one goes, its records stay",
      before: a,
      after: {},
      store: { records: 310, quarantined: 0 },
      expected: [
        "warning source-removed: 310 records of a stay in the catalogue and are no longer refreshed (deletions.onSourceRemoval: keep).",
      ],
    },
    {
      name: "one goes with its only record",
      before: withdrawing,
      after: {},
      store: { records: 1, quarantined: 0 },
      expected: [
        "warning source-removed: 1 record of a is withdrawn from the catalogue (deletions.onSourceRemoval: withdraw).",
      ],
    },
    {
      name: "one goes, and nobody knows how many records stay",
      before: a,
      after: {},
      expected: [
        "warning source-removed: The records of a stay in the catalogue and are no longer refreshed (deletions.onSourceRemoval: keep); how many there are is not known.",
      ],
    },
    {
      name: "one goes, and nobody knows how many records go",
      before: withdrawing,
      after: {},
      expected: [
        "warning source-removed: All records of a are withdrawn from the catalogue (deletions.onSourceRemoval: withdraw); how many there are is not known.",
      ],
    },
    {
      name: "another name",
      before: a,
      after: renamed,
      store: known,
      expected: [
        "warning source-renamed: a is called b now, which makes it a new source: all 12,481 records are read (about 98 MB, 31 s at the pace of the last full run). The 12,481 records the store has of a stay in the catalogue beside the new ones, no longer refreshed: each is there twice.",
      ],
    },
    {
      name: "another name, and the old records go",
      before: withdrawing,
      after: { "a.yaml": manifest("b", { deletions: { onSourceRemoval: "withdraw" } }) },
      expected: [
        "warning source-renamed: a is called b now, which makes it a new source: all its records are read; how many there are is not known. The records of a are withdrawn.",
      ],
    },
    {
      name: "another address and another name: one goes, one comes",
      before: a,
      after: { "a.yaml": manifest("b", { baseUrl: "https://b.example/oai" }) },
      expected: [
        "warning source-removed: The records of a stay in the catalogue and are no longer refreshed (deletions.onSourceRemoval: keep); how many there are is not known.",
        "info source-added: b is new: its first run reads everything; how many records that is, is not known.",
      ],
    },
  ];
  it.each(table)("$name", ({ before, after, store, expected }) => {
    expect(sides(before, after, store)).toEqual(expected);
  });
});

describe("pauses", () => {
  const table: readonly OneSource[] = [
    {
      name: "a pause",
      after: { suspend: true },
      store: known,
      expected: [
        "info suspended: a is paused: no run starts, and its 12,481 records are no longer refreshed.",
      ],
    },
    {
      name: "the end of a pause",
      before: { suspend: true },
      store: known,
      expected: [
        "info resumed: a is harvested again: its first run catches up everything since its watermark (its last run ended 2026-11-30).",
      ],
    },
    {
      name: "the end of a pause of unknown length",
      before: { suspend: true },
      expected: [
        "info resumed: a is harvested again: its first run catches up everything since its watermark (when it ran last is not known).",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});

function withMetadata(lines: readonly string[]): TestTree {
  return {
    manifests: { "a.yaml": manifest("a").replace("  name: a", ["  name: a", ...lines].join("\n")) },
  };
}

describe("places, labels and annotations", () => {
  it("tells another file, and who approves it then", () => {
    const owners = { "a.yaml": ["@geo/state"], "coast/a.yaml": ["@geo/coast"] };
    expect(
      told(
        { manifests: { "a.yaml": manifest("a") }, owners },
        { manifests: { "coast/a.yaml": manifest("a") }, owners },
      ),
    ).toEqual([
      "info file-moved: a stands in coast/a.yaml instead of a.yaml; it is approved by @geo/coast instead of @geo/state.",
    ]);
  });

  it("tells another file with the same owners", () => {
    expect(
      told({ manifests: { "a.yaml": manifest("a") } }, { manifests: { "b.yaml": manifest("a") } }),
    ).toEqual(["info file-moved: a stands in b.yaml instead of a.yaml; who must approve it stays the same."]);
  });

  const table: { name: string; before: string[]; after: string[]; expected: string[] }[] = [
    {
      name: "a label",
      before: [],
      after: ["  labels:", "    team: coast"],
      expected: ["info labels-changed: a: 1 label or annotation changes; nothing is harvested differently."],
    },
    {
      name: "a brake delivered from Git",
      before: [],
      after: ["  annotations:", "    ingest.geoportal.io/paused: server move", "    note: x"],
      expected: [
        "warning control-annotation: a: the annotation ingest.geoportal.io/paused is set; the controller acts on it at once.",
        "info labels-changed: a: 1 label or annotation changes; nothing is harvested differently.",
      ],
    },
    {
      name: "drift mode",
      before: ["  annotations:", "    ingest.geoportal.io/drift: warn"],
      after: ["  annotations:", "    ingest.geoportal.io/drift: revert"],
      expected: [
        "warning control-annotation: a: the annotation ingest.geoportal.io/drift changes; the controller acts on it at once.",
      ],
    },
    {
      name: "no protection from pruning",
      before: ["  annotations:", "    ingest.geoportal.io/prune: disabled"],
      after: [],
      expected: [
        "warning control-annotation: a: the annotation ingest.geoportal.io/prune is taken off; the controller acts on it at once.",
      ],
    },
  ];
  it.each(table)("tells $name", ({ before, after, expected }) => {
    expect(told(withMetadata(before), withMetadata(after))).toEqual(expected);
  });
});
