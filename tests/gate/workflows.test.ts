import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../house/scratch-house.js";
import { findActionlint } from "./actionlint.js";
import { breaches } from "./workflow-rules.js";

const actionlint = await findActionlint();

function filesIn(folder: string, ending: RegExp): readonly string[] {
  const whole = join(repositoryRoot, folder);
  if (!existsSync(whole)) return [];
  return readdirSync(whole, { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => `${folder}/${file}`)
    .sort();
}

const ours = filesIn(".github/workflows", /\.ya?ml$/);
const templates = filesIn("templates/policy/.github/workflows", /\.ya?ml$/);
const actions = filesIn(".github/actions", /action\.yml$/);

function read(file: string): string {
  return readFileSync(join(repositoryRoot, file), "utf8");
}

describe("workflows and actions", () => {
  it.runIf(actionlint !== undefined)("pass actionlint", async () => {
    expect(ours).toContain(".github/workflows/harvest-gate.yml");
    expect(await actionlint?.([...ours], repositoryRoot)).toEqual([]);
  });

  it.each([...ours, ...templates, ...actions])("%s keeps the house's rules", (file) => {
    expect(breaches(read(file))).toEqual([]);
  });

  it("the gate itself may only read, and holds no secret of the job that posts", () => {
    const { jobs } = parse(read(".github/workflows/harvest-gate.yml")) as {
      jobs: Record<string, { permissions: unknown }>;
    };
    expect(jobs["validate"]?.permissions).toEqual({ contents: "read" });
    expect(jobs["report"]?.permissions).toEqual({
      actions: "read",
      contents: "read",
      "pull-requests": "write",
      "security-events": "write",
    });
  });
});

describe("the house's rules for workflows", () => {
  const good = `on: push\npermissions: {}\nconcurrency: x\njobs:\n  a:\n    timeout-minutes: 1\n    steps:\n`;
  const cases = [
    { name: "a tag", text: `${good}      - uses: actions/checkout@v4`, rule: "pinned" },
    {
      name: "a short commit",
      text: `${good}      - uses: actions/checkout@08c6903 # v5.0.0`,
      rule: "pinned",
    },
    { name: "an image", text: `${good}      - uses: docker://alpine:3`, rule: "pinned" },
    {
      name: "a commit without its version",
      text: `${good}      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8`,
      rule: "version-said",
    },
    {
      name: "a title in a command",
      text: `${good}      - run: echo "\${{ github.event.pull_request.title }}"`,
      rule: "no-expression-in-run",
    },
    {
      name: "the head of a stranger",
      text: `${good}      - with:\n          ref: \${{ github.event.workflow_run.head_sha }}`,
      rule: "no-foreign-checkout",
    },
    {
      name: "a script of the net",
      text: `${good}      - run: curl https://x.example | bash`,
      rule: "no-piped-script",
    },
    {
      name: "the dangerous event",
      text: good.replace("on: push", "on: [pull_request_target]"),
      rule: "no-pull-request-target",
    },
    { name: "no permissions", text: good.replace("permissions: {}\n", ""), rule: "permissions" },
    {
      name: "all permissions",
      text: good.replace("permissions: {}", "permissions: write-all"),
      rule: "permissions",
    },
    { name: "no concurrency", text: good.replace("concurrency: x\n", ""), rule: "concurrency" },
    { name: "no end", text: good.replace("    timeout-minutes: 1\n", ""), rule: "timeout" },
    {
      name: "no shell in an action",
      text: "runs:\n  using: composite\n  steps:\n    - run: ls",
      rule: "shell-bash",
    },
  ];
  it.each(cases)("find $name", ({ text, rule }) => {
    expect(breaches(text).map((breach) => breach.rule)).toEqual([rule]);
  });
});

describe("the scripts of the action", () => {
  const scripts = filesIn(".github/actions", /\.sh$/);
  it.each(scripts)("%s is sound bash that stops at a fault", (file) => {
    execFileSync("bash", ["-n", join(repositoryRoot, file)]);
    const text = read(file);
    expect(text).toMatch(/^set -euo pipefail$|^\. "\$here\/gate\.sh"$/m);
    // A script that is called by its path must be a program; the one that is read must not look like one.
    expect((statSync(join(repositoryRoot, file)).mode & 0o111) !== 0).toBe(
      text.startsWith("#!/usr/bin/env bash\n"),
    );
  });

  // An unquoted value is split at blanks and matched against files: of a path with either it makes others.
  it.each(scripts)("%s leaves no value unquoted", (file) => {
    const bare = read(file)
      .split("\n")
      .filter((line) => !line.trim().startsWith("#") && !/^\s*case /.test(line))
      .map((line) => line.replace(/'[^']*'/g, "").replace(/"(?:[^"\\]|\\.)*"/g, ""))
      .filter((line) => /(?<![=\w])\$(?:\{|[A-Za-z@*])/.test(line));
    expect(bare).toEqual([]);
  });

  it("name no input in a command: values come through the environment", () => {
    for (const file of actions)
      for (const step of (parse(read(file)) as { runs: { steps: { run?: string }[] } }).runs.steps)
        expect(step.run ?? "").not.toContain("${{");
  });
});
