import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordFaults } from "./content/record-faults.js";
import { serverFaults } from "./faults/server-faults.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/sandbox.md"), "utf8");

describe("docs/sandbox.md", () => {
  it("says of every record fault what is wrong and who should notice", () => {
    const rows = recordFaults.map(({ name, summary, gate }) => {
      const dc = gate.oai_dc === undefined ? "" : `${gate.oai_dc} `;
      return `| \`${name}\` | ${summary} | ${gate.iso19139 ?? ""} | ${dc}|`;
    });
    expect(rows.filter((row) => !page.includes(`${row}\n`))).toEqual([]);
  });

  it("says of every server fault what it does", () => {
    expect(serverFaults.filter(({ kind, does }) => !page.includes(`| \`${kind}\` | ${does}`))).toEqual([]);
  });
});
