import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Lint from "./lint.js";

const repository = join(import.meta.dirname, "../..");
const good = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: good }
spec:
  baseUrl: https://a.example.gov/oai
  metadataPrefix: iso19139
  schedule: "0 3 * * *"
`;
const ceilings = "default: { maxRequests: 4 }\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lint-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries({ "rules/fair-use.yaml": ceilings, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs the command in the folder of this test as policy root; paths begin there. */
async function lint(...args: readonly string[]): Promise<{ code: unknown; out: string; err: string }> {
  const written = { out: "", err: "" };
  const catchInto = (stream: "out" | "err") => (text: string | Uint8Array) => {
    written[stream] += String(text);
    return true;
  };
  const out = vi.spyOn(console, "log").mockImplementation((text) => catchInto("out")(`${String(text)}\n`));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(catchInto("err"));
  process.exitCode = 0;
  try {
    const paths = args.map((arg) => (arg.startsWith("-") ? arg : join(folder, arg)));
    const root = args.some((arg) => arg.startsWith("--root")) ? [] : ["--root", folder];
    await Lint.run([...paths, ...root], repository);
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
  return {
    code: process.exitCode,
    out: written.out.replaceAll(folder, "."),
    err: written.err.replaceAll(folder, "."),
  };
}

describe("harvestctl lint", () => {
  it("tells a source's place in its spread, and the schedule the cluster gets", async () => {
    // SHA-256 of "state" begins with 4ba69735, which is 25 modulo 60.
    const state = good.replace("name: good", "name: state");
    write({ "m/state.yaml": `${state}  scheduleSpreadMinutes: 60\n` });
    const { code, out } = await lint("m");
    expect(out).toContain(
      'state runs every day at 03:25, 25 min later than written (its place in a spread of 60 min; installed as "25 3 * * *")',
    );
    expect(code).toBe(0);
  });

  it("ends with 0 and the next runs when there is nothing to say", async () => {
    write({ "m/good.yaml": good });
    const { code, out } = await lint("m");
    expect(out).toMatch(/^1 source, 0 errors, 0 warnings\.\ngood runs every day at 03:00; next /);
    expect(code).toBe(0);
  });

  it("ends with 1 and shows line, caret, sentence and remedy of an error", async () => {
    write({ "m/bad.yaml": good.replace("0 3 * * *", "0 0 31 2 *") });
    const { code, out } = await lint("m");
    expect(out).toContain(`./m/bad.yaml:7:13  error  schedule/never-runs
    7 |   schedule: "0 0 31 2 *"
      |             ^^^^^^^^^^^^
  There is no 31 February`);
    expect(out).toContain("1 source, 1 error, 0 warnings.");
    expect(code).toBe(1);
  });

  it("ends with 0 for warnings alone, with 1 when they are taken strictly", async () => {
    write({ "m/plain.yaml": good.replace("https://", "http://") });
    expect((await lint("m")).code).toBe(0);
    expect((await lint("m", "--strict")).code).toBe(1);
  });

  it.each([
    {
      name: "a path that does not exist",
      args: ["nowhere"],
      says: "./nowhere could not be read: there is no such file or folder.",
    },
    {
      name: "a folder without manifests",
      args: ["empty"],
      says: "There is no .yaml or .yml file in ./empty.",
    },
    { name: "no path", args: [], says: "No manifest and no folder was named." },
  ])("ends with 2 for $name", async ({ args, says }) => {
    write({ "empty/readme.txt": "" });
    const { code, err } = await lint(...args);
    expect(err).toContain(says);
    expect(code).toBe(2);
  });

  it("ends with 2 for a root that is no folder", async () => {
    write({ "m/good.yaml": good });
    const { code, err } = await lint("m/good.yaml", "--root=nowhere/at/all");
    expect([code, err]).toEqual([2, expect.stringContaining("nowhere/at/all is not a folder")]);
  });

  it("loads the schemas and rule sets a manifest names, under the root", async () => {
    const validation = "  validation: { xsd: schemas/a.xsd, schematron: [rules/a.sch, rules/none.sch] }\n";
    write({
      "m/good.yaml": good + validation,
      "schemas/a.xsd":
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="b"/></xs:schema>',
      "rules/a.sch": "<nonsense/>",
    });
    const { out } = await lint("m");
    const findings = out.match(/^\S+ {2}(error|warning) {2}\S+$/gm);
    expect(findings).toEqual([
      "./m/good.yaml:8:22  error  policy/broken-file",
      "./m/good.yaml:8:50  error  policy/broken-file",
      "./m/good.yaml:8:63  error  policy/missing-file",
    ]);
  });

  it("sums what several files ask of one host, and says where its ceiling stands", async () => {
    const asks = (name: string, n: number): string =>
      good.replace("good", name).replace("/oai", `/${name}`) +
      `  concurrency: { maxRequests: ${String(n)} }\n`;
    write({ "m/a.yaml": asks("a", 3), "m/b.yaml": asks("b", 2) });
    const { out } = await lint("m");
    expect(out.replace(/\s+/g, " ")).toContain(
      "a and b together ask for 5 requests in flight from a.example.gov; its ceiling is 4 (./rules/fair-use.yaml:1).",
    );
  });

  it("shows what is wrong with the file of ceilings in that file", async () => {
    write({ "m/good.yaml": good, "rules/fair-use.yaml": "hosts:\n  a.example.gov: { maxRequest: 3 }\n" });
    const { code, out } = await lint("m");
    expect(out).toContain(
      "./rules/fair-use.yaml:2:20  error  fair-use/unreadable\n    2 |   a.example.gov: { maxRequest: 3 }",
    );
    expect(code).toBe(1);
  });

  it("warns when there is no file of ceilings", async () => {
    write({ "m/good.yaml": good });
    rmSync(join(folder, "rules"), { recursive: true });
    const { code, out } = await lint("m");
    expect(out).toContain("warning  fair-use/no-file");
    expect(code).toBe(0);
  });

  it("reads a file once that is named twice, and follows no link to a folder", async () => {
    write({ "m/good.yaml": good, "m/other.yml": "kind: ConfigMap\napiVersion: v1\n" });
    symlinkSync(folder, join(folder, "m", "loop"));
    const { code, out } = await lint("m", "m/good.yaml");
    expect(out).toContain("1 source, 0 errors, 0 warnings.");
    expect(code).toBe(0);
  });

  it("says the same as JSON", async () => {
    write({ "m/bad.yaml": good.replace("good", "Bad"), "m/good.yaml": good });
    const { code, out } = await lint("m", "--json");
    const result = JSON.parse(out) as { findings: unknown[]; sources: { next: string[] }[]; counts: unknown };
    expect(result.findings).toEqual([
      {
        rule: "schema/pattern",
        severity: "error",
        place: { file: "./m/bad.yaml", line: 3, column: 19, length: 3 },
        sentence: expect.stringContaining('metadata.name is "Bad"') as string,
        remedy: expect.any(String) as string,
      },
    ]);
    expect(result.counts).toEqual({
      sources: 1,
      errors: 1,
      warnings: 0,
      infos: 0,
      suppressed: 0,
      known: 0,
    });
    expect(result.sources).toEqual([
      {
        source: "good",
        schedule: "0 3 * * *",
        timeZone: "Etc/UTC",
        installedSchedule: "0 3 * * *",
        means: "every day at 03:00",
        suspended: false,
        spreadMinutes: 0,
        offsetMinutes: 0,
        next: [expect.any(String), expect.any(String), expect.any(String)],
      },
    ]);
    expect(code).toBe(1);
  });
});
