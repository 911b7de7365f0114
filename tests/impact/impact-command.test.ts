/** harvestctl impact as a reviewer runs it: a repository, a store filled by a run, a rule changed in the working tree. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../cli/sandbox/sandbox.js";
import { harvestctl, workplace, type Finished, type Workplace } from "../run/program.js";
import { dc, folderOf } from "./impact-stage.js";

const RULES = "rules/oai-dc-rules.sch";

describe("harvestctl impact", () => {
  let place: Workplace;
  let sandbox: Sandbox;
  let shipped: string;
  const served = folderOf({
    "a.xml": dc(),
    "b.xml": dc({ rights: "" }),
    "c.xml": dc({ rights: "" }),
    "d.xml": dc({ identifier: "" }),
  });

  function git(...args: readonly string[]): void {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...who, ...args], { cwd: place.cwd, stdio: "ignore" });
  }
  function edit(...changes: readonly (readonly [string, string])[]): void {
    const text = changes.reduce((sofar, [from, to]) => sofar.replace(from, to), shipped);
    writeFileSync(join(place.cwd, RULES), text);
  }
  function impact(...args: readonly string[]): Promise<Finished> {
    return harvestctl(["impact", "--threads", "1", ...args], place);
  }
  const rightsMust = [
    'id="dc-rights-present" role="warning"',
    'id="dc-rights-present" role="error"',
  ] as const;
  const identifierMay = [
    'id="dc-identifier-present" role="error"',
    'id="dc-identifier-present" role="info"',
  ] as const;

  beforeAll(async () => {
    place = workplace();
    sandbox = await startSandbox({ source: { kind: "folder", directory: served.dir } });
    shipped = readFileSync(join(place.cwd, RULES), "utf8");
    place.manifest(sandbox.url, {}, "roads");
    place.write(".gitignore", ".harvest\n");
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "policy");
    const run = await harvestctl(["run", "--source", "roads.yaml", "--threads", "1"], place);
    expect(run.code).toBe(0);
  });
  afterAll(async () => {
    await sandbox.close();
    served.remove();
    place.remove();
  });

  it("0 when no rule changes", async () => {
    edit();
    const { code, stdout, stderr } = await impact("--base", "HEAD");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^No source's rules or schemas change \([0-9a-f]{7,} → working tree\)/);
  });

  it("1 when records would be newly quarantined, with numbers, rule and examples", async () => {
    edit(rightsMust, identifierMay);
    const { code, stdout, stderr } = await impact("--base", "HEAD");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^2 of 4 records of 1 source would be newly quarantined; 1 would be released\.\n/);
    expect(stdout).toContain("would refuse          2  schematron/dc-rights-present");
    expect(stdout).toContain("would release         1  schematron/dc-identifier-present");
    for (const line of stdout.split("\n")) expect(Array.from(line).length).toBeLessThanOrEqual(100);
  });

  it("the same as JSON, under names that stay", async () => {
    edit(rightsMust, identifierMay);
    const { code, stdout } = await impact("--base", "HEAD", "--json");
    expect(code).toBe(1);
    const told = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(told).sort()).toEqual([
      "base",
      "head",
      "judged",
      "newlyQuarantined",
      "notReplayed",
      "records",
      "released",
      "sources",
      "strangers",
    ]);
    expect(told).toMatchObject({ judged: 4, records: 4, newlyQuarantined: 2, released: 1 });
  });

  it("0 when records would only be released", async () => {
    edit(identifierMay);
    const { code, stdout } = await impact("--base", "HEAD");
    expect(code).toBe(0);
    expect(stdout).toContain("0 of 4 records of 1 source would be newly quarantined; 1 would be released.");
  });

  it("records of a folder, without a store", async () => {
    edit(rightsMust);
    const { code, stdout } = await impact("--base", "HEAD", "--records", served.dir, "--store", "none");
    expect(code).toBe(1);
    // d has no identifier, which refuses it on both sides.
    expect(stdout).toContain("2 of 4 records of 1 source would be newly quarantined; 0 would be released.");
  });

  it("a sample", async () => {
    edit(rightsMust);
    const { stdout } = await impact("--base", "HEAD", "--sample", "2");
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /of 2 sampled records of 1 source .* Of all 4 records .* \(95 % confidence\)\./,
    );
  });

  it.each([
    { name: "no such commit", args: ["--base", "nope"], says: 'There is no commit "nope"' },
    { name: "no records", args: ["--base", "HEAD", "--store", "none"], says: "There is no store in none" },
    {
      name: "a folder that is not there",
      args: ["--base", "HEAD", "--records", "none"],
      says: "there is no such file or folder",
    },
    { name: "no base", args: [], says: "Missing required flag base" },
  ])("2 when it cannot be done: $name", async ({ args, says }) => {
    const { code, stderr } = await impact(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });

  it("2 when the changed rules cannot be used", async () => {
    edit(["</sch:schema>", ""]);
    const { code, stdout } = await impact("--base", "HEAD");
    expect(code).toBe(2);
    expect(stdout).toMatch(/Not replayed:\n {2}roads: rules\/oai-dc-rules\.sch:\d+: /);
  });
});
