import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../sandbox.js";
import { generatedContent } from "./generated-content.js";

const folder = mkdtempSync(join(tmpdir(), "sandbox-records-"));
let sandbox: Sandbox;

beforeAll(async () => {
  const generated = generatedContent({ count: 4 });
  const iso = generated.bodyOf(1, { format: "iso19139", version: 0 }).toString();
  const dc = generated.bodyOf(2, { format: "oai_dc", version: 0 }).toString();
  mkdirSync(join(folder, "harbour/tide gauges"), { recursive: true });
  writeFileSync(join(folder, "a.xml"), `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n${iso}`);
  writeFileSync(join(folder, "twin.xml"), iso);
  writeFileSync(join(folder, "harbour/dc.xml"), dc);
  writeFileSync(
    join(folder, "harbour/tide gauges/latin.xml"),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${DC_LATIN}`, "latin1"),
  );
  writeFileSync(join(folder, "notes.xml"), "<notes/>");
  writeFileSync(join(folder, "ignored.txt"), "no record");
  utimesSync(join(folder, "harbour/dc.xml"), 1_700_000_000, 1_700_000_000);
  utimesSync(join(folder, "harbour/tide gauges/latin.xml"), 1_710_000_000, 1_710_000_000);
  sandbox = await startSandbox({ source: { kind: "folder", directory: folder } });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function ask(query: string): Promise<string> {
  return (await fetch(`${sandbox.url}?${query}`)).text();
}

describe("a folder of records", () => {
  it("serves each file once, in the order of its dates, and says what it left out", async () => {
    expect(sandbox.serves).toMatchObject({ records: 4, formats: ["oai_dc", "iso19139"] });
    expect(sandbox.serves.skipped).toEqual(["notes.xml: the root element is neither ISO 19139 nor oai_dc"]);
    const list = await ask("verb=ListIdentifiers&metadataPrefix=oai_dc");
    const seen = [
      ...list.matchAll(/<identifier>oai:sandbox\.example\.org:([^<]*)<\/identifier><datestamp>([^<]*)/g),
    ].map((hit) => [hit[1]!.length > 30 ? "uuid" : hit[1], hit[2]]);
    expect(seen).toEqual([
      ["uuid", "2023-01-01T00:00:00Z"],
      ["twin", "2023-01-01T00:00:00Z"],
      ["harbour/dc", "2023-11-14T22:13:20Z"],
      ["harbour/tide-gauges/latin", "2024-03-09T16:00:00Z"],
    ]);
  });

  it("offers ISO records in both formats, Dublin Core in its own", async () => {
    const iso = await ask("verb=ListIdentifiers&metadataPrefix=iso19139");
    expect(iso.match(/<header>/g)).toHaveLength(2);
    expect(
      await ask("verb=GetRecord&metadataPrefix=iso19139&identifier=oai:sandbox.example.org:harbour/dc"),
    ).toContain("cannotDisseminateFormat");
    const derived = await ask("verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:sandbox.example.org:twin");
    expect(derived).toMatch(/<dc:title>.+, \p{L}+ 1<\/dc:title>/u);
    expect(derived).toMatch(/<dc:identifier>[0-9a-f-]{36}<\/dc:identifier>/);
  });

  it("makes sets of folders", async () => {
    expect(await ask("verb=ListSets")).toContain("<setSpec>harbour:tide-gauges</setSpec>");
    const list = await ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=harbour");
    expect(list.match(/<header>/g)).toHaveLength(2);
  });

  it("takes declarations and marks off, and turns other character sets into UTF-8", async () => {
    const page = await ask("verb=ListRecords&metadataPrefix=oai_dc");
    expect(page.match(/<\?xml/g)).toHaveLength(1);
    expect(page).not.toContain("\uFEFF");
    expect(page).toContain("<dc:title>Pegelstände</dc:title>");
  });

  it("shows a change in the title", async () => {
    sandbox.control.change("oai:sandbox.example.org:twin");
    const record = await ask(
      "verb=GetRecord&metadataPrefix=iso19139&identifier=oai:sandbox.example.org:twin",
    );
    expect(record).toContain("<gmd:title><gco:CharacterString>[1] ");
    expect(() => sandbox.control.add()).toThrow("hand in the body");
  });

  it("a folder that is not there is named", async () => {
    await expect(startSandbox({ source: { kind: "folder", directory: "/nowhere/at/all" } })).rejects.toThrow(
      "/nowhere/at/all",
    );
  });
});

const DC_LATIN = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Pegelstände</dc:title></oai_dc:dc>`;
