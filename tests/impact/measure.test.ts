/** Replays of changed rules over stores that real runs have filled; every number below is counted by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fault } from "../../harvester/fault.js";
import { folderItems } from "../../harvester/impact/folder-items.js";
import type { Impact, ImpactPair } from "../../harvester/impact/impact.js";
import { impactFacts, measureImpact, type ImpactRequest } from "../../harvester/impact/measure-impact.js";
import { storeItems } from "../../harvester/impact/store-items.js";
import type { Db } from "../../harvester/persist/db.js";
import { databases, type OpenEngine } from "../store/engines.js";
import { sourceOf } from "../run/scene.js";
import { dc, folderOf, harvestRecords, policyFolder, type Edit } from "./impact-stage.js";

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

const colourKnown: Edit = [
  "schemas/oai_dc/dc.xsd",
  '<xs:element name="rights"',
  '<xs:element name="colour" type="dc:text"/><xs:element name="rights"',
];
const colourForRights: Edit = ["schemas/oai_dc.xsd", '"dc:rights"', '"dc:colour"'];
const colourToo: Edit = [
  "schemas/oai_dc.xsd",
  '<xs:element ref="dc:rights"/>',
  '<xs:element ref="dc:rights"/><xs:element ref="dc:colour"/>',
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

  it.skipIf(engine.missing)("a schema that forbids what most have, through a file it imports", async () => {
    const impact = await measure(policy([colourKnown, colourForRights]));
    // Refused now: a and b of the roads, both rivers. Released: nobody, as the record with a colour has rights as well.
    expect(impactFacts(impact).sources).toEqual([
      { key: "rivers", judged: 2, newlyQuarantined: 2, released: 0 },
      { key: "roads", judged: 10, newlyQuarantined: 2, released: 0 },
    ]);
    expect(impact.sources.flatMap(({ refusals }) => refusals.map(({ rule }) => rule))).toEqual([
      "xsd/unexpected-element",
      "xsd/unexpected-element",
    ]);
  });

  it.skipIf(engine.missing)("a schema that allows what it did not", async () => {
    const impact = await measure(policy([colourKnown, colourToo]));
    expect(impact).toMatchObject({ newlyQuarantined: 0, released: 1 });
    expect(impact.sources[1]?.releases).toMatchObject([
      { rule: "xsd/unexpected-element", records: 1, examples: [{ line: 1 }] },
    ]);
  });

  it.skipIf(engine.missing)(
    "a smaller size limit concerns every record, and refuses none that fits",
    async () => {
      const limits = { maxRecordBytes: 1024 };
      const big = await measure(base, { pairs: [pairOf("roads", { limits })] });
      expect(big).toMatchObject({ records: 10, newlyQuarantined: 0, released: 0 });
    },
  );

  it.skipIf(engine.missing)(
    "the same numbers where other policies had a hand in what is stored",
    async () => {
      await db.query("UPDATE run SET policy_digest = 'older'");
      const impact = await measure(policy([rightsMust, identifierMay]));
      expect(impactFacts(impact).sources).toEqual([
        { key: "rivers", judged: 2, newlyQuarantined: 0, released: 0 },
        { key: "roads", judged: 10, newlyQuarantined: 4, released: 1 },
      ]);
    },
  );

  it.skipIf(engine.missing)("what cannot be replayed is told, source by source", async () => {
    const broken = policy([["rules/oai-dc-rules.sch", 'id="dc-root"', 'id="dc-root" bad']]);
    const unusable = await measure(broken, { pairs: [pairOf("roads")] });
    expect(unusable).toMatchObject({ judged: 0, notReplayed: [{ key: "roads", reason: "unusable" }] });
    expect(unusable.notReplayed[0]?.sentence).toMatch(/^rules\/oai-dc-rules\.sch:\d+: /);
    const badTest = policy([["rules/oai-dc-rules.sch", 'test="self::oai_dc:dc"', 'test="self::("']]);
    const uncompiled = await measure(badTest, { pairs: [pairOf("rivers"), pairOf("nobody")] });
    expect(uncompiled.notReplayed).toMatchObject([
      { key: "nobody", reason: "unknown" },
      { key: "rivers", reason: "unusable" },
    ]);
    const iso = pairOf("roads", { metadataPrefix: "iso19139" });
    expect(await measure(base, { pairs: [iso] })).toMatchObject({
      records: 0,
      notReplayed: [{ key: "roads", reason: "format" }],
    });
  });

  it.skipIf(engine.missing)(
    "a source with a namespace is found under its bare name, if only one has it",
    async () => {
      const head = policy([rightsMust]);
      const named = (key: string): ImpactPair => {
        const pair = pairOf("roads");
        const metadata = { name: "roads", namespace: key.split("/")[0] ?? "" };
        return { key, base: { ...pair.base, metadata }, head: { ...pair.head, metadata } };
      };
      expect(await measure(head, { pairs: [named("a/roads")] })).toMatchObject({ records: 10 });
      const two = await measure(head, { pairs: [named("a/roads"), named("b/roads")] });
      expect(two).toMatchObject({ records: 0, notReplayed: [{ key: "a/roads" }, { key: "b/roads" }] });
    },
  );

  it.skipIf(engine.missing)("a sample: the same for the same seed, and intervals around it", async () => {
    const head = policy([rightsMust, identifierMay]);
    const sample = { size: 6, seed: "one" };
    const impact = await measure(head, { sample });
    expect(impact).toMatchObject({ judged: 6, records: 12 });
    expect(await measure(head, { sample })).toEqual(impact);
    const { newlyQuarantined: newly, released } = impact.estimate!;
    expect([newly.low, newly.high]).toSatisfy(([low, high]: number[]) => low! <= 4 && 4 <= high!);
    expect([released.low, released.high]).toSatisfy(([low, high]: number[]) => low! <= 1 && 1 <= high!);
    expect(impact.sources.reduce((sum, source) => sum + source.judged, 0)).toBe(6);
    expect(await measure(head, { sample: { size: 12, seed: "one" } })).not.toHaveProperty("estimate");
  });

  it.skipIf(engine.missing)("every record is as likely to be in a sample as any other", async () => {
    const times = new Map<string, number>();
    for (let seed = 0; seed < 120; seed += 1) {
      const of = await storeItems(db).sample(["roads", "rivers"], { size: 3, seed: String(seed) });
      for (const name of ["roads", "rivers"])
        for await (const { identifier } of of(name))
          times.set(`${name} ${identifier}`, (times.get(`${name} ${identifier}`) ?? 0) + 1);
    }
    expect([...times.values()].reduce((sum, n) => sum + n, 0)).toBe(360);
    expect(times.size).toBe(12);
    // 30 expected, with a deviation of 4.7: four of them on either side.
    for (const n of times.values()) expect(Math.abs(n - 30)).toBeLessThan(19);
  });

  it.skipIf(engine.missing)("progress is told for every record, and a stop ends it", async () => {
    const told: number[] = [];
    const stop = new AbortController();
    const stopped = measure(policy([rightsMust]), {
      signal: stop.signal,
      onProgress: ({ judged, total }) => {
        expect(total).toBe(12);
        told.push(judged);
        if (judged === 2) stop.abort(new Fault("interrupted", { code: "Interrupted", sentence: "Stopped." }));
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "Interrupted" });
    expect(told.slice(0, 2)).toEqual([1, 2]);
    expect(told.length).toBeLessThan(12);
  });
});

describe("impact on a folder of records", () => {
  const head = policy([rightsMust, identifierMay]);
  const base = policy();
  const pairs = [pairOf("roads"), pairOf("rivers")];

  async function measure(files: Readonly<Record<string, string>>, size?: number) {
    const folder = folderOf(files);
    try {
      const items = await folderItems(folder.dir);
      const sample = size === undefined ? undefined : { size, seed: "s" };
      const impact = await measureImpact({
        ...{ baseRoot: base, headRoot: head, pairs, sample },
        records: items,
        threads: 1,
      });
      return { impact, strangers: items.strangers() };
    } finally {
      folder.remove();
    }
  }

  it("files belong to the source their folder or the index names, else to all of their format", async () => {
    const indexLine = JSON.stringify({
      source: "rivers",
      identifier: "oai:x:7",
      file: "exported.xml",
    });
    const { impact, strangers } = await measure({
      "roads/one.xml": dc({ rights: "" }),
      "roads/two.xml": dc(),
      "exported.xml": dc({ rights: "" }),
      "index.ndjson": `${indexLine}\nnot json\n`,
      "loose.xml": dc({ identifier: "" }),
      "other.xml": "<other/>",
      "iso.xml": '<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd"/>',
      "notes.txt": "no record",
    });
    expect(impactFacts(impact)).toEqual({
      judged: 5,
      records: 5,
      sources: [
        { key: "rivers", judged: 2, newlyQuarantined: 1, released: 1 },
        { key: "roads", judged: 3, newlyQuarantined: 1, released: 1 },
      ],
    });
    expect(impact.sources[0]?.refusals[0]?.examples[0]?.identifier).toBe("oai:x:7");
    expect(impact.sources[1]?.refusals[0]?.examples[0]?.identifier).toBe("roads/one.xml");
    expect(strangers).toBe(2);
  });

  it("a sample of files", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`roads/${String(i)}.xml`, dc({ rights: i < 10 ? "" : "CC0" })]),
    );
    const { impact } = await measure(files, 8);
    expect(impact).toMatchObject({ judged: 8, records: 20 });
    const { low, high } = impact.estimate!.newlyQuarantined;
    expect(low <= 10 && 10 <= high).toBe(true);
  });

  it.each([
    { name: "not there", files: undefined, says: "there is no such file or folder" },
    { name: "without records", files: { "a.txt": "" }, says: "there is no .xml file in it" },
  ])("a folder that is $name", async ({ files, says }) => {
    const folder = folderOf(files ?? {});
    const path = files === undefined ? `${folder.dir}/none` : folder.dir;
    await expect(folderItems(path)).rejects.toThrow(says);
    folder.remove();
  });
});
