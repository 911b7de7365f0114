/** The workflows as they are written, run step by step in a repository that `harvestctl init` made. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { marker } from "./gate-scripts.js";
import type { Comment } from "./github-api.js";
import { layOurselves, policyScene, type Scene } from "./policy-scene.js";
import type { JobRun } from "./workflow-run.js";

const agency = "harvest/endpoints/example-agency.yaml";
const minutes = 240_000;

let sandbox: Sandbox;
let scene: Scene;
beforeEach(async () => {
  sandbox = await startSandbox({ source: { kind: "generated", count: 37, seed: 1 } });
});
afterEach(async () => {
  await scene.close();
  await sandbox.close();
});

/** Results of the jobs, and what the one printed that judges. */
function judged(run: Readonly<Record<string, JobRun>>): { readonly results: string; readonly log: string } {
  const results = Object.entries(run).map(([name, { result }]) => `${name} ${result}`);
  return { results: results.join(", "), log: run["validate"]!.log };
}

function firstComment(): Comment {
  expect(scene.comments()).toHaveLength(1);
  return scene.comments()[0]!;
}

function withRequests(text: string, most: number): string {
  return text.replace(/maxRequests: \d+/, `maxRequests: ${String(most)}`);
}

/** Orders to the runner; what is printed between stop-commands and its token is text to it. */
function annotations(log: string): readonly string[] {
  const heard: string[] = [];
  let silent: string | undefined;
  for (const line of log.split("\n")) {
    if (silent === undefined) {
      silent = /^::stop-commands::(\S+)$/.exec(line)?.[1];
      if (silent === undefined && /^::(error|warning|notice)/.test(line)) heard.push(line);
    } else if (line === `::${silent}::`) silent = undefined;
  }
  return heard;
}

describe("the gate of a policy repository", () => {
  it(
    "refuses what breaks a rule, comments once, and updates that comment on the next push",
    async () => {
      scene = await policyScene({ sandboxUrl: sandbox.url });
      const before = scene.read(agency);
      const first = await scene.push({ files: { [agency]: withRequests(before, 9) } });
      const { results, log } = judged(first);
      expect(results).toBe("validate failure, report success");
      expect(log).toContain("harvest-gate: refused");
      expect(annotations(log)).toContainEqual(
        expect.stringMatching(/^::error file=harvest\/endpoints\/example-agency\.yaml,line=13,.*allows 2/),
      );
      // Only what the change touches is tried, and against the sandbox that was named: it has 37 records.
      expect(log).toContain("1 source would run: 37 records read, 0 records refused.");
      expect(log).not.toContain("--source=harvest/endpoints/example-library.yaml");
      expect(first["validate"]!.summary).toContain("`concurrency-over-ceiling`");
      const { body } = firstComment();
      expect(body.startsWith(`${marker}\n`)).toBe(true);
      expect(body).toContain("| Lint | ❌\u00a0refused | 2 sources, 1 error, 0 warnings. |");
      expect(body).toContain("| Fixtures | ✅\u00a0passed | 4 fixtures: 4 as declared");
      expect(body).toContain("`concurrency-over-ceiling`");
      const [run] = (JSON.parse(scene.sarif[0]!) as { runs: [{ results: { ruleId: string }[] }] }).runs;
      expect(run.results.map(({ ruleId }) => ruleId)).toEqual(["fair-use/over-ceiling"]);

      const second = judged(await scene.push({ files: { [agency]: withRequests(before, 1) } }));
      expect(second.results).toBe("validate success, report success");
      expect(second.log).toContain("harvest-gate: passed");
      expect(firstComment().edits).toBe(1);
      expect(firstComment().body).toContain("| Lint | ✅\u00a0passed | 2 sources, 0 errors, 0 warnings. |");
    },
    minutes,
  );

  it(
    "leaves a fork's pull request to the workflow that follows, which posts it as a stranger's",
    async () => {
      scene = await policyScene();
      const hostile = "harvest/endpoints/$(touch pwned);touch pwned.yaml";
      const text = scene
        .read(agency)
        .replace("name: example-agency", "name: evil")
        .replace("agency.example.gov/oai", "agency.example.gov/evil")
        .replace("UTC", 'UTC\n  sets: ["::error title=x::y", "@geo/harvest-owners <img src=x>"]');
      const run = judged(await scene.push({ files: { [hostile]: text }, fork: true }));
      expect(run.results).toBe("validate failure, report skipped");
      expect(scene.comments()).toEqual([]);
      expect(scene.artifact()!.has("report.md")).toBe(true);
      expect(annotations(run.log).filter((line) => line.startsWith("::error title=x"))).toEqual([]);

      const after = await scene.afterRun();
      expect(after["comment"]!.log).toContain("The comment of pull request 3 is created.");
      expect(firstComment().body).toContain("made by a run of the code of the fork `stranger/policy`");
      expect(firstComment().body).not.toMatch(/@geo|<img/);
      expect(existsSync(join(scene.folder, "pwned"))).toBe(false);
    },
    minutes,
  );

  it(
    "fails, and still reports, when the review cannot be made",
    async () => {
      scene = await policyScene({ base: "gone" });
      const run = judged(await scene.push({ files: { [agency]: `${scene.read(agency)}# more\n` } }));
      expect(run.results).toBe("validate failure, report success");
      expect(run.log).toContain("harvest-gate: failed");
      // Where it is not known what is affected, everything is tried.
      expect(run.log).toContain("2 sources would run:");
      expect(firstComment().body).toContain("**The review could not be made.**");
    },
    minutes,
  );
});

describe("the gate of this repository", () => {
  it(
    "passes a change of ours, and comments",
    async () => {
      scene = await policyScene({ lay: layOurselves });
      const file = "manifests/sources/harbor-library.yaml";
      const text = scene.read(file).replace("@daily", "30 3 * * *");
      const run = judged(await scene.push({ files: { [file]: text } }));
      expect(run.log).toContain("harvest-gate: passed");
      expect(run.results).toBe("validate success, report success");
      expect(firstComment().body).toContain("`harbor-library`");
    },
    minutes,
  );
});
