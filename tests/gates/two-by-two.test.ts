/** The gate profile against the official schemas, over real records that are not part of this repository. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { testData } from "../setup/test-data.js";
import { compiled, filesBelow, refusals, shippedSchemas } from "./shipped-policy.js";
import { mutations } from "./mutations.js";

const official = testData("xsd");
const records = testData("records");
const missing = official === undefined || records === undefined;
if (missing)
  process.stderr.write(
    "two-by-two: the official schemas and the real records are not here (HARVEST_TEST_DATA): skipped.\n",
  );

/** The tree of 2006 has no file that imports all of it. */
const entry2006 = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:import namespace="http://www.isotc211.org/2005/gmd" schemaLocation="gmd/gmd.xsd"/>
  <xs:import namespace="http://www.isotc211.org/2005/gmx" schemaLocation="gmx/gmx.xsd"/>
</xs:schema>`;

function judges() {
  const files = filesBelow(official ?? "", ["iso19139-2007", "iso19139-2006"], ".xsd");
  files.set("iso19139-2006/all.xsd", Buffer.from(entry2006));
  const of2007 = compiled(files, "iso19139-2007/all.xsd");
  const of2006 = compiled(files, "iso19139-2006/all.xsd");
  const ours = compiled(shippedSchemas, "schemas/iso19139.xsd");
  return {
    official: (xml: Uint8Array | string) =>
      refusals(of2007, xml).length === 0 || refusals(of2006, xml).length === 0,
    ours: (xml: Uint8Array | string) => refusals(ours, xml).length === 0,
  };
}

function realRecords(): { readonly name: string; readonly xml: Buffer }[] {
  const folder = records ?? "";
  return readdirSync(folder)
    .filter((name) => name.endsWith(".xml"))
    .sort()
    .map((name) => ({ name, xml: readFileSync(join(folder, name)) }));
}

describe.skipIf(missing)("the gate profile against the official schemas of 2007 and 2006", () => {
  it("refuses no real record that one of them accepts, and catches all but two of what both refuse", () => {
    const judge = judges();
    const table = {
      bothAccept: 0,
      bothRefuse: 0,
      onlyOfficialRefuses: [] as string[],
      onlyOursRefuses: [] as string[],
    };
    for (const { name, xml } of realRecords()) {
      const [theirs, ours] = [judge.official(xml), judge.ours(xml)];
      if (theirs && ours) table.bothAccept += 1;
      else if (theirs) table.onlyOursRefuses.push(name);
      else if (ours) table.onlyOfficialRefuses.push(name);
      else table.bothRefuse += 1;
    }
    // The two are records of ISO 19115-2 with times in the namespace of 2006, for which no official set exists.
    expect(table).toEqual({
      bothAccept: 76,
      bothRefuse: 53,
      onlyOfficialRefuses: ["073.xml", "129.xml"],
      onlyOursRefuses: [],
    });
  });

  it("refuses no damaged real record that one of them accepts, and no typical damage escapes it", () => {
    const judge = judges();
    const escaped: string[] = [];
    const worse: string[] = [];
    let damaged = 0;
    for (const { name, xml } of realRecords().filter((record) => judge.official(record.xml))) {
      const text = xml.toString("utf8");
      for (const { name: damage, change } of mutations) {
        const changed = change(text);
        if (changed === undefined) continue;
        damaged += 1;
        const [theirs, ours] = [judge.official(changed), judge.ours(changed)];
        if (ours && !theirs) escaped.push(`${name}: ${damage}`);
        if (theirs && !ours) worse.push(`${name}: ${damage}`);
      }
    }
    expect(damaged).toBeGreaterThan(1000);
    expect({ escaped, worse }).toEqual({ escaped: [], worse: [] });
  }, 120_000);
});
