import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { parseXml } from "../../../harvester/xml/parse.js";
import { preGate } from "../../../harvester/xml/pre-gate.js";
import { compileSchema, type Schema } from "../../../harvester/xml/schema.js";
import { testData } from "../../../tests/setup/test-data.js";
import type { Content } from "./content.js";
import type { Format } from "./format.js";
import { generatedContent } from "./generated-content.js";
import { recordFaults, type ExpectedGate } from "./record-faults.js";

const root = join(import.meta.dirname, "../../..");

function filesBelow(base: string, directory: string): ReadonlyMap<string, Uint8Array> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".xsd"),
  );
  const paths = names.map((name) => join(directory, name)).filter((path) => statSync(path).isFile());
  return new Map(paths.map((path) => [relative(base, path), readFileSync(path)]));
}

function schemaAt(base: string, directory: string, entry: string): Schema {
  const result = compileSchema(filesBelow(base, directory), entry);
  if (result.kind === "broken") throw new Error(JSON.stringify(result.problems));
  return result.schema;
}

/** Undefined = well-formed and valid. */
function refusedBy(body: Buffer, schema: Schema): { gate: ExpectedGate; why: string } | undefined {
  const ready = preGate(body, 10_000_000);
  if (ready.kind === "refused") return { gate: "well-formed", why: ready.violation.message };
  const parsed = parseXml(ready.utf8);
  if (parsed.kind === "broken") return { gate: "well-formed", why: parsed.problems[0]?.message ?? "" };
  const problems = schema.validate(parsed.document, 5);
  parsed.document.dispose();
  return problems[0] === undefined ? undefined : { gate: "xsd", why: problems[0].message };
}

const own: Readonly<Record<Format, Schema>> = {
  iso19139: schemaAt(root, join(root, "schemas"), "schemas/iso19139.xsd"),
  oai_dc: schemaAt(root, join(root, "schemas"), "schemas/oai_dc.xsd"),
};

function digest(content: Content, indices: readonly number[]): string {
  const hash = createHash("sha256");
  for (const index of indices) {
    for (const format of content.formats) hash.update(content.bodyOf(index, { format, version: 0 }));
    hash.update(
      `${content.localName(index)} ${String(content.stampOf(index))} ${content.setsOf(index).join()}`,
    );
  }
  return hash.digest("hex");
}

const some = [0, 1, 7, 99, 299];

describe("generated content", () => {
  it("is the same for the same seed, whatever the number of records", () => {
    const small = digest(generatedContent({ count: 300, seed: 7 }), some);
    const large = digest(generatedContent({ count: 1_000_000, seed: 7 }), some);
    expect(large).toBe(small);
    expect(digest(generatedContent({ count: 300, seed: 8 }), some)).not.toBe(small);
  });

  it("is the same on every machine: one record, pinned", () => {
    const body = generatedContent({ count: 10, seed: 1 })
      .bodyOf(3, { format: "oai_dc", version: 0 })
      .toString();
    expect(/<dc:title>(.*)<\/dc:title>/.exec(body)?.[1]).toBe(
      "Tide gauge observations: Larkspur County 2010, sheet 3",
    );
  });

  it("deals out exactly the asked number of faults and deletions, no record both", () => {
    for (const [count, faulty, deleted] of [
      [300, 12, 0],
      [1000, 0.04, 10],
      [17, 17, 5],
      [1, 1, 0],
      [0, 5, 5],
    ] as const) {
      const content = generatedContent({ count, faulty, deleted, seed: 3 });
      const indices = Array.from({ length: count }, (_, n) => n);
      const broken = indices.filter((n) => content.faultOf(n) !== undefined);
      const gone = indices.filter((n) => content.isDeleted(n));
      const wantFaulty = count === 1000 ? 40 : Math.min(faulty, count);
      expect([count, broken.length, gone.length]).toEqual([
        count,
        wantFaulty,
        Math.min(deleted, count - wantFaulty),
      ]);
      expect(broken.filter((n) => content.isDeleted(n))).toEqual([]);
    }
  });

  it("has datestamps that never go back, up to a million", () => {
    const content = generatedContent({ count: 1_000_000 });
    let [last, steps] = [0, 0];
    for (let index = 0; index < content.size; index += 13) {
      if (content.stampOf(index) > last) steps++;
      last = content.stampOf(index);
    }
    expect(steps).toBe(76_924);
    expect(content.stampOf(0)).toBe(1_672_531_200);
    expect(new Date(last * 1000).toISOString().slice(0, 7)).toBe("2024-11");
  });

  it("has records of the size real ones have, none twice", () => {
    const content = generatedContent({ count: 400 });
    const titles = new Set<string>();
    const sizes = { iso19139: [] as number[], oai_dc: [] as number[] };
    for (let index = 0; index < 400; index++) {
      for (const format of content.formats)
        sizes[format].push(content.bodyOf(index, { format, version: 0 }).length);
      titles.add(
        /<dc:title>.*/.exec(content.bodyOf(index, { format: "oai_dc", version: 0 }).toString())?.[0] ?? "",
      );
    }
    expect(titles.size).toBe(400);
    expect(Math.min(...sizes.iso19139)).toBeGreaterThan(8_000);
    expect(Math.max(...sizes.iso19139)).toBeLessThan(27_000);
    expect(Math.min(...sizes.oai_dc)).toBeGreaterThan(1_000);
    expect(Math.max(...sizes.oai_dc)).toBeLessThan(3_500);
  });

  it("changes the content with the version, and keeps the identifier", () => {
    const content = generatedContent({ count: 5 });
    const [before, after] = [0, 1].map((version) =>
      content.bodyOf(2, { format: "iso19139", version }).toString(),
    );
    const id = /<gmd:fileIdentifier>.*?<\/gmd:fileIdentifier>/;
    expect(after).not.toBe(before);
    expect(id.exec(after!)?.[0]).toBe(id.exec(before!)?.[0]);
  });

  it("passes the schemas of this repository, every sound record", () => {
    const content = generatedContent({ count: 200 });
    for (let index = 0; index < 200; index++) {
      for (const format of content.formats) {
        const body = content.bodyOf(index, { format, version: index % 2 });
        expect(refusedBy(body, own[format]), `${format} ${String(index)}`).toBeUndefined();
      }
    }
  });

  const official = testData("xsd", "iso19139-2007");
  it.skipIf(official === undefined)(
    "passes the official schemas of 2007 (needs xsd/iso19139-2007 in HARVEST_TEST_DATA)",
    () => {
      const schema = schemaAt(official!, official!, "all.xsd");
      const content = generatedContent({ count: 120, seed: 5 });
      for (let index = 0; index < 120; index++) {
        expect(
          refusedBy(content.bodyOf(index, { format: "iso19139", version: index % 3 }), schema),
        ).toBeUndefined();
      }
      for (const fault of recordFaults) {
        const body = content.bodyOf(11, { format: "iso19139", version: 0, fault: fault.name });
        const gate = fault.gate.iso19139 === "schematron" ? undefined : fault.gate.iso19139;
        expect(refusedBy(body, schema)?.gate, fault.name).toBe(gate);
      }
    },
  );
});

/** The fault of the table, as the schemas see it: what only a rule can find is valid for them. */
const cases = recordFaults.flatMap((fault) =>
  Object.entries(fault.gate).map(([format, gate]) => ({ name: fault.name, format: format as Format, gate })),
);

describe("record faults", () => {
  it.each(cases)(
    "$name in $format is caught by gate $gate, in every kind of record",
    ({ name, format, gate }) => {
      const content = generatedContent({ count: 40, seed: 2 });
      for (let index = 0; index < 40; index++) {
        const refused = refusedBy(content.bodyOf(index, { format, version: 0, fault: name }), own[format]);
        expect(refused?.gate, `${String(index)}: ${refused?.why ?? "valid"}`).toBe(
          gate === "schematron" ? undefined : gate,
        );
      }
    },
  );

  it("a fault unknown to a format leaves the record sound", () => {
    const content = generatedContent({ count: 2 });
    const sound = content.bodyOf(1, { format: "oai_dc", version: 0 });
    expect(content.bodyOf(1, { format: "oai_dc", version: 0, fault: "wrong-element-order" })).toEqual(sound);
  });

  it("the first dozen shows every gate", () => {
    const gates = recordFaults.slice(0, 12).map((fault) => fault.gate.iso19139);
    expect(new Set(gates)).toEqual(new Set(["well-formed", "xsd", "schematron"]));
  });

  it("swapped longitudes are no box across the antimeridian", () => {
    const body = generatedContent({ count: 1 })
      .bodyOf(0, { format: "iso19139", version: 0, fault: "bbox-swapped" })
      .toString();
    expect(body).toContain("<gmd:westBoundLongitude><gco:Decimal>-96.1</gco:Decimal>");
    expect(body).toContain("<gmd:eastBoundLongitude><gco:Decimal>-98.4</gco:Decimal>");
  });
});
