/** The four lines that everything began with, in a repository that `harvestctl init` made. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startSandbox } from "../../cli/sandbox/sandbox.js";
import { marker } from "./gate-scripts.js";
import { commandFolder, layPolicy, policyScene, type Scene } from "./policy-scene.js";

const seed = join(import.meta.dirname, "seed-workflow.yml");
const agency = "harvest/endpoints/example-agency.yaml";

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
});

/** The command is on the path, and the version of checkout, which we would pin, is left as it stands. */
function lay(folder: string): void {
  layPolicy(folder);
  copyFileSync(seed, join(folder, ".github/workflows/harvest-gate.yml"));
  process.env["PATH"] = `${commandFolder(join(folder, "../bin"))}:${process.env["PATH"] ?? ""}`;
}

describe("the workflow of the guide", () => {
  it("has these four lines", () => {
    const { jobs } = parse(readFileSync(seed, "utf8")) as {
      jobs: { validate: { steps: { run?: string }[] } };
    };
    expect(jobs.validate.steps.flatMap(({ run }) => run ?? [])).toEqual([
      "harvestctl lint harvest/endpoints/",
      "harvestctl dry-run --source harvest/endpoints/ --limit 200 --no-index",
      "harvestctl validate-fixtures tests/fixtures/ --strict",
      "harvestctl diff --base origin/main --out diff-report.md",
    ]);
  });

  it("runs as it is written: passes a good change, and stops at the first line for a bad one", async () => {
    const sandbox = await startSandbox({ source: { kind: "generated", count: 12, seed: 1 } });
    const path = process.env["PATH"];
    try {
      scene = await policyScene({ lay, sandboxUrl: sandbox.url });
      const text = scene.read(agency);
      const good = await scene.push({ files: { [agency]: text.replace("30 2 * * *", "30 3 * * *") } });
      expect(good["validate"]!.log).toContain("2 sources would run: 24 records read, 0 records refused.");
      expect(good["validate"]!.result).toBe("success");
      const report = scene.read("diff-report.md");
      expect(report).toContain(marker);
      expect(report).toContain("`example-agency`");

      const bad = await scene.push({
        files: { [agency]: text.replace(/maxRequests: \d+/, "maxRequests: 40") },
      });
      expect(bad["validate"]!.result).toBe("failure");
      expect(bad["validate"]!.outcomes).toMatchObject({
        "Lint harvest manifests": "failure",
        "Dry-run against sandbox repository": "skipped",
      });
      expect(bad["validate"]!.log).toContain("fair-use/over-ceiling");
    } finally {
      process.env["PATH"] = path;
      await sandbox.close();
    }
  }, 240_000);
});
