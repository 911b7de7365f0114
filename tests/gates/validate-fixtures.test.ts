/** validate-fixtures on our own fixtures, and on a folder with every way to be wrong. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import ValidateFixtures from "../../cli/commands/validate-fixtures.js";

const root = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "fixtures-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

/** The command in this process: what it printed, what it returned, how it ended. */
async function validate(...args: string[]) {
  const printed: string[] = [];
  const keep = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(`${text}\n`));
  const result = (await ValidateFixtures.run([...args, "--root", root], import.meta.url)) as
    Awaited<ReturnType<ValidateFixtures["run"]>> | undefined;
  const code = process.exitCode ?? 0;
  vi.restoreAllMocks();
  return { code, text: printed.join(""), fixtures: result?.fixtures ?? [] };
}

const head = "prefix: iso19139\nxsd: schemas/iso19139.xsd\nschematron: rules/geo-business-rules.sch\n";

/** A folder with these records of ours and this declaration. */
function folder(name: string, records: readonly string[], declaration?: string): string {
  const path = join(scratch, name);
  mkdirSync(path);
  for (const record of records)
    cpSync(join(root, "tests/fixtures/iso19139", record), join(path, record.split("/").at(-1) ?? ""));
  if (declaration !== undefined) writeFileSync(join(path, "fixtures.yaml"), declaration);
  return path;
}

describe("validate-fixtures", () => {
  it("finds all of ours as declared, strictly", async () => {
    const { code, text, fixtures } = await validate(join(root, "tests/fixtures"), "--strict");
    expect(fixtures.filter(({ outcome }) => outcome !== "as-declared")).toEqual([]);
    expect(text).toMatch(/^112 fixtures: 112 as declared \(28 pass, 84 refused\)\.\n$/);
    expect(code).toBe(0);
  });

  it("tells what is unexpected, undeclared and missing, each in a sentence", async () => {
    const path = folder(
      "wrong",
      ["good/dataset-small.xml", "bad/bbox-exchanged.xml", "good/series.xml"],
      `${head}fixtures:\n  dataset-small.xml: { verdict: refused, gate: xsd }\n  bbox-exchanged.xml: { verdict: refused, rules: [bbox-range] }\n  gone.xml: { verdict: pass }\n`,
    );
    const { code, text, fixtures } = await validate(path);
    expect(
      Object.fromEntries(fixtures.map((result) => [result.path.slice(path.length + 1), result.outcome])),
    ).toEqual({
      "bbox-exchanged.xml": "unexpected",
      "dataset-small.xml": "unexpected",
      "gone.xml": "missing",
      "series.xml": "undeclared",
    });
    expect(text).toContain("It should be refused by xsd, but it passes.");
    expect(text).toContain("The rule bbox-range should fail, but does not.");
    expect(text).toContain("The rule bbox-order fails, but is not declared.");
    expect(text).toContain("declares it, but there is no such file.");
    expect(text).toMatch(
      /\n4 fixtures: 0 as declared \(0 pass, 0 refused\), 2 unexpected, 1 undeclared, 1 missing\.\n$/,
    );
    expect(code).toBe(1);
  });

  it("lets an undeclared record pass unless it is strict", async () => {
    const path = folder("undeclared", ["good/dataset-small.xml"], `${head}fixtures: {}\n`);
    expect((await validate(path)).code).toBe(0);
    expect((await validate(path, "--strict")).code).toBe(1);
  });

  it.each([
    {
      name: "a folder that is not there",
      make: () => join(scratch, "nowhere"),
      says: "there is no such folder",
    },
    {
      name: "a folder without declarations",
      make: () => folder("bare", ["good/series.xml"]),
      says: "There is no fixtures.yaml",
    },
    {
      name: "a declaration with a mistake",
      make: () => folder("mistake", [], `${head}fixtures:\n  a.xml: { verdict: maybe }\n`),
      says: "fixtures.yaml:5: verdict must be one of pass, refused.",
    },
    {
      name: "a schema that is not there",
      make: () => folder("schemaless", [], `prefix: iso19139\nxsd: schemas/none.xsd\nfixtures: {}\n`),
      says: "schemas/none.xsd",
    },
  ])("ends with 2 and a sentence for $name", async ({ make, says }) => {
    const { code, text } = await validate(make());
    expect(text).toContain(says);
    expect(code).toBe(2);
  });
});
