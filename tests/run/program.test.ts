/** The program as people and scripts use it: the seed's workflow lines, dry runs that write nothing, --json, no secrets. */
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { noPostgres, premises } from "./premises.js";
import { harvestctl, workplace, type Workplace } from "./program.js";
import { root } from "./scene.js";

describe("the workflow of a policy repository", () => {
  let place: Workplace;
  beforeAll(() => {
    place = workplace();
    mkdirSync(join(place.cwd, "harvest/endpoints"), { recursive: true });
    for (const name of ["state-gis-clearinghouse", "harbor-library"])
      cpSync(join(root, `manifests/sources/${name}.yaml`), join(place.cwd, `harvest/endpoints/${name}.yaml`));
    cpSync(join(root, "tests/fixtures"), join(place.cwd, "tests/fixtures"), { recursive: true });
  });
  afterAll(() => {
    place.remove();
  });

  it("harvestctl lint harvest/endpoints/", async () => {
    const { code, stdout } = await harvestctl(["lint", "harvest/endpoints/"], place);
    expect(code).toBe(0);
    expect(stdout).toContain("2 sources, 0 errors");
  });

  it("harvestctl dry-run --source harvest/endpoints/ --limit 200 --no-index writes nothing", async () => {
    const args = ["dry-run", "--source", "harvest/endpoints/", "--limit", "200", "--no-index"];
    const { code, stdout, stderr } = await harvestctl(args, place);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(
      "2 sources would run: 400 records read, 0 records refused. Nothing was written.",
    );
    expect(readdirSync(place.cwd).sort()).toEqual(["harvest", "rules", "schemas", "tests"]);
  });

  it("harvestctl validate-fixtures tests/fixtures/ --strict", async () => {
    const { code } = await harvestctl(["validate-fixtures", "tests/fixtures/", "--strict"], place);
    expect(code).toBe(0);
  });

  describe("against OAI_SANDBOX_URL", () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox({ source: { kind: "generated", count: 50 }, pageSize: 20 });
    });
    afterAll(() => sandbox.close());

    it("a dry run harvests from there, sample by sample, and leaves no .harvest", async () => {
      const args = [
        "dry-run",
        "--source",
        "harvest/endpoints/harbor-library.yaml",
        "--limit",
        "30",
        "--json",
      ];
      const { code, stdout } = await harvestctl(args, { ...place, env: { OAI_SANDBOX_URL: sandbox.url } });
      expect(code).toBe(0);
      const { runs } = JSON.parse(stdout) as { runs: { outcome: string; counts: { read: number } }[] };
      expect(runs.map((r) => [r.outcome, r.counts.read])).toEqual([["complete", 30]]);
      expect(sandbox.control.requests().count).toBeGreaterThan(2);
      expect(existsSync(join(place.cwd, ".harvest"))).toBe(false);
    });

    it("a sandbox that fails makes the dry run say so, with 1", async () => {
      sandbox.control.arm({
        kind: "oai-error",
        code: "cannotDisseminateFormat",
        verb: "ListRecords",
        times: 0,
      });
      const args = ["dry-run", "--source", "harvest/endpoints/harbor-library.yaml"];
      const { code, stdout } = await harvestctl(args, { ...place, env: { OAI_SANDBOX_URL: sandbox.url } });
      expect(code).toBe(1);
      expect(stdout).toMatch(/^harbor-library: FAILED/);
      expect(stdout).toContain("1 source tried, 1 would fail");
    });
  });
});

describe.skipIf(noPostgres)("--json and secrets", () => {
  const here = premises({
    source: { kind: "generated", count: 30, faulty: 3, faultNames: ["missing-title"] },
  });
  const SECRET = "TOPSECRET42";
  let refused: string;

  async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { stdout, all } = await here.run([...args, "--json"]);
    expect(all).not.toContain(SECRET);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  beforeAll(async () => {
    if (noPostgres) return;
    here.place.manifest(here.sandbox.url, {}, "scene");
  });

  it("run", async () => {
    const { runs } = (await json("run", "--source", "scene.yaml", "--threads", "1")) as {
      runs: Record<string, unknown>[];
    };
    expect(Object.keys(runs[0] ?? {}).sort()).toEqual([
      "counts",
      "endedAt",
      "endpoint",
      "exitCode",
      "message",
      "outcome",
      "policyDigest",
      "prefix",
      "refusedBy",
      "runId",
      "seconds",
      "skewSeconds",
      "source",
      "startedAt",
      "totals",
      "waitedSeconds",
      "warnings",
      "watermarks",
    ]);
    expect(runs[0]).toMatchObject({ outcome: "complete", counts: { inserted: 27, quarantined: 3 } });
    expect(runs[0]).toMatchObject({ totals: { records: 27, quarantined: 3 } });
  });

  it("C33 in any time zone the same instants are asked for", async () => {
    const [row] = await here.query<{ watermark: Date }>("SELECT watermark FROM cursor");
    const from = new Date((row?.watermark.getTime() ?? 0) - 300_000);
    here.sandbox.control.clearRequests();
    const args = ["run", "--source", "scene.yaml", "--threads", "1"];
    expect((await here.run(args, { TZ: "Pacific/Kiritimati" })).code).toBe(0);
    const asked = new URLSearchParams(here.sandbox.control.requests().last[1]?.query).get("from");
    expect(asked).toBe(from.toISOString().replace(".000Z", "Z"));
  });

  it("status, records and quarantine", async () => {
    const { sources } = (await json("status")) as { sources: Record<string, unknown>[] };
    expect(sources).toMatchObject([{ name: "scene", alive: 27, quarantined: 3, failuresInRow: 0 }]);
    const { records } = (await json("records", "list", "--limit", "2")) as {
      records: { identifier: string }[];
    };
    expect(records).toHaveLength(2);
    const shown = await json("records", "show", records[0]?.identifier ?? "");
    expect(shown).toMatchObject({ source: "scene", canonical: { format: "oai_dc" }, deleted: false });
    const { quarantine } = (await json("quarantine", "list")) as { quarantine: { identifier: string }[] };
    expect(quarantine).toHaveLength(3);
    refused = quarantine[0]?.identifier ?? "";
    expect(await json("quarantine", "show", refused)).toMatchObject({ identifier: refused, timesSeen: 1 });
  });

  it("quarantine export and replay", async () => {
    expect(await json("quarantine", "export", "--out", "refused")).toEqual({
      exported: 3,
      folder: "refused",
    });
    expect(readdirSync(join(here.place.cwd, "refused"))).toHaveLength(4);
    const { runs } = (await json("quarantine", "replay")) as { runs: Record<string, unknown>[] };
    expect(runs).toMatchObject([{ source: "scene", outcome: "complete" }]);
  });

  it("lint, dry-run and a failure", async () => {
    const linted = await json("lint", "scene.yaml");
    expect(Object.keys(linted).sort()).toEqual(["counts", "findings", "known", "sources", "suppressed"]);
    const dry = await json("dry-run", "--source", "scene.yaml", "--limit", "5");
    expect(Object.keys(dry).sort()).toEqual(["runs", "sources", "target", "totals"]);
    expect(dry).toMatchObject({ totals: { sources: 1, ok: 1, counts: { read: 5 } } });
    expect(await json("run", "--source", "gone.yaml")).toEqual({
      error: {
        code: "PathUnreadable",
        sentence: "gone.yaml could not be read: there is no such file or folder.",
        remedy: "Check the path; it is relative to the current directory.",
      },
    });
  });

  it("what is not there is told with 1", async () => {
    expect((await here.run(["records", "show", "oai:none"])).code).toBe(1);
    expect((await here.run(["quarantine", "show", "oai:none"])).code).toBe(1);
  });

  it("C92 a key in the address stands in no output, whatever happens", async () => {
    const url = `${here.sandbox.url}?api_key=${SECRET}`;
    here.place.manifest(url, {}, "keyed");
    here.sandbox.control.arm({ kind: "html-page", times: 0 });
    for (const args of [
      ["run", "--source", "keyed.yaml", "--log-level", "debug"],
      ["run", "--source", "keyed.yaml", "--json"],
      ["status", "--json"],
    ]) {
      const { all } = await here.run(args);
      expect(all).not.toContain(SECRET);
    }
  });
});
