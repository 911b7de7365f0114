/** Replays of changed rules over stores that real runs have filled; every number below is counted by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Impact, ImpactPair } from "../../harvester/impact/impact.js";
import { impactFacts, measureImpact, type ImpactRequest } from "../../harvester/impact/measure-impact.js";
import { storeItems } from "../../harvester/impact/store-items.js";
import type { Db } from "../../harvester/persist/db.js";
import { databases, type OpenEngine } from "../store/engines.js";
import { sourceOf } from "../run/scene.js";
import { dc, harvestRecords, policyFolder, type Edit } from "./impact-stage.js";

/** Rights become a must; an identifier is no longer one. */
const rightsMust: Edit = [
  "rules/oai-dc-rules.sch",
  'id="dc-rights-present" role="warning"',
  'id="dc-rights-present" role="error"',
];
const identifierMay: Edit = [
  "rules/oai-dc-rules.sch",
  'id="dc-identifier-present" role="error"',
  'id="dc-identifier-present" role="warning"',
];

/** Under the shipped rules 6 pass and 4 are refused. */
const roads = {
  "a.xml": dc(),
  "b.xml": dc({ title: "Bridges" }),
  "no-rights-1.xml": dc({ rights: "" }),
  "no-rights-2.xml": dc({ rights: "" }),
  "no-rights-3.xml": dc({ rights: "" }),
  "no-rights-4.xml": dc({ rights: "" }),
  "no-identifier.xml": dc({ identifier: "" }),
  "neither.xml": dc({ identifier: "", rights: "" }),
  "no-title.xml": dc({ title: "" }),
  "unknown-element.xml": dc({ extra: "<dc:colour>red</dc:colour>" }),
};
/** All pass, all have rights. */
const rivers = { "a.xml": dc({ title: "Rivers" }), "b.xml": dc({ title: "Lakes" }) };

function pairOf(name: string, spec: Parameters<typeof sourceOf>[1] = {}): ImpactPair {
  const url = "https://agency.example/oai";
  return { key: name, base: sourceOf(url, {}, name), head: sourceOf(url, spec, name) };
}

const made: { remove(): void }[] = [];
function policy(edits: readonly Edit[] = []): string {
  const folder = policyFolder(edits);
  made.push(folder);
  return folder.dir;
}
afterAll(() => {
  for (const folder of made) folder.remove();
});

describe.each(databases)("impact on $name", (engine) => {
  let opened: OpenEngine;
  let db: Db;
  let base: string;

  beforeAll(async () => {
    if (engine.missing) return;
    opened = await engine.open();
    db = opened.db!;
    base = policy();
    const store = await opened.freshStore();
    const run = await harvestRecords(roads, { name: "roads", policy: base, store });
    expect(run).toMatchObject({ outcome: "complete", counts: { read: 10, inserted: 6, quarantined: 4 } });
    await harvestRecords(rivers, { name: "rivers", policy: base, store });
  });
  afterAll(() => (engine.missing ? undefined : opened.close()));

  function measure(headRoot: string, over: Partial<ImpactRequest> = {}): Promise<Impact> {
    const pairs = [pairOf("roads"), pairOf("rivers")];
    return measureImpact({ baseRoot: base, headRoot, pairs, records: storeItems(db), threads: 1, ...over });
  }

  it.skipIf(engine.missing)("the same policy concerns nobody", async () => {
    expect(await measure(policy())).toEqual({
      judged: 0,
      records: 0,
      newlyQuarantined: 0,
      released: 0,
      sources: [],
      notReplayed: [],
    });
  });

  it.skipIf(engine.missing)("a rule made strict and a rule made lenient", async () => {
    const impact = await measure(policy([rightsMust, identifierMay]));
    expect(impactFacts(impact)).toEqual({
      judged: 12,
      records: 12,
      sources: [
        { key: "rivers", judged: 2, newlyQuarantined: 0, released: 0 },
        { key: "roads", judged: 10, newlyQuarantined: 4, released: 1 },
      ],
    });
    const [, changed] = impact.sources;
    expect(changed?.refusals).toMatchObject([
      {
        rule: "schematron/dc-rights-present",
        records: 4,
        examples: [
          {
            identifier: expect.stringMatching(/no-rights-1$/) as string,
            sentence:
              "Nothing is said about rights: name the licence in dc:rights, so that people know what they may do.",
            xpath: "/oai_dc:dc",
            line: 1,
          },
          { identifier: expect.stringMatching(/no-rights-2$/) as string },
          { identifier: expect.stringMatching(/no-rights-3$/) as string },
        ],
      },
    ]);
    expect(changed?.refusals[0]?.examples).toHaveLength(3);
    expect(changed?.releases).toMatchObject([
      {
        rule: "schematron/dc-identifier-present",
        records: 1,
        examples: [{ identifier: expect.stringMatching(/no-identifier$/) as string }],
      },
    ]);
    expect(impact).toMatchObject({ newlyQuarantined: 4, released: 1, notReplayed: [] });
  });
});
