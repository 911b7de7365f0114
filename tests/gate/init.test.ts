/** `harvestctl init` as people run it. That the four checks pass in what it writes is tried in seed-workflow.test.ts too. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../house/scratch-house.js";
import { harvestctl, type Finished } from "../run/program.js";
import { findActionlint } from "./actionlint.js";
import { breaches } from "./workflow-rules.js";

const actionlint = await findActionlint();
const commit = "0123456789abcdef0123456789abcdef01234567";

interface Hook {
  readonly entry: string;
  readonly files: string;
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "init-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function init(...args: string[]): Promise<Finished> {
  return harvestctl(["init", ...args], { cwd: folder });
}

function files(below: string): readonly string[] {
  return readdirSync(join(folder, below), { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, below).length + 1))
    .sort();
}

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

describe("harvestctl init", () => {
  it("says what it wrote, part by part, and what comes next", async () => {
    const { code, stdout, stderr } = await init("policy");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`policy: 40 files written.
  harvest/    2  sources, one file each: write over the examples
  rules/      3  rules for records, and what each agency allows (fair-use.yaml)
  schemas/   21  XML schemas for records, JSON schema for editors
  tests/      6  records with the verdict they must get
  beside      8  the check of changes, who approves (CODEOWNERS), README, editors, pre-commit

Next:
  cd policy
  git init && git add --all && git commit -m 'Start a harvest policy'
  harvestctl lint harvest/endpoints/
  harvestctl dry-run --source harvest/endpoints/ --limit 200 --no-index
  harvestctl validate-fixtures tests/fixtures/ --strict
  In .github/workflows/ name repository and commit of the gate (init --action does).
  In .github/CODEOWNERS name who approves (init --owner does).
`);
  });

  it("writes schemas and rules as they are shipped, and files that say what they are", async () => {
    await init("policy");
    for (const shipped of [
      "schemas/iso19139.xsd",
      "schemas/harvest-source.schema.json",
      "rules/oai-dc-rules.sch",
    ])
      expect(read(`policy/${shipped}`)).toBe(readFileSync(join(repositoryRoot, shipped), "utf8"));
    expect(read("policy/rules/fair-use.yaml")).not.toContain("state.example.gov");
    expect(files("policy").filter((file) => !/^(schemas|rules|tests)\//.test(file))).toEqual([
      ".github/CODEOWNERS",
      ".github/workflows/harvest-gate-comment.yml",
      ".github/workflows/harvest-gate.yml",
      ".gitignore",
      ".pre-commit-config.yaml",
      ".vscode/extensions.json",
      ".vscode/settings.json",
      "README.md",
      "harvest/endpoints/example-agency.yaml",
      "harvest/endpoints/example-library.yaml",
    ]);
    const [line] = read("policy/harvest/endpoints/example-agency.yaml").split("\n");
    const schema = /^# yaml-language-server: \$schema=(.+)$/.exec(line!)![1]!;
    expect(existsSync(join(folder, "policy/harvest/endpoints", schema))).toBe(true);
    const settings = JSON.parse(read("policy/.vscode/settings.json")) as {
      "yaml.schemas": Record<string, unknown>;
    };
    for (const path of Object.keys(settings["yaml.schemas"]))
      expect(existsSync(join(folder, "policy", path))).toBe(true);
  });

  it("pins the action and names who approves", async () => {
    const { code, stdout } = await init(
      "policy",
      "--action",
      `geo/harvest-tools@${commit}`,
      "--owner",
      "@geo/stewards",
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain("(init --");
    expect(read("policy/.github/CODEOWNERS")).toContain("* @geo/stewards\n");
    for (const name of ["harvest-gate.yml", "harvest-gate-comment.yml"]) {
      const text = read(`policy/.github/workflows/${name}`);
      expect(text).not.toMatch(/OWNER|0{40}/);
      expect(text).toContain(`uses: geo/harvest-tools/.github/actions/harvest-gate`);
      expect(text).toContain(`@${commit} # v0.1.0\n`);
      expect(breaches(text)).toEqual([]);
      expect(parse(text)).toMatchObject({ permissions: {} });
    }
  });

  it("writes the gate for GitLab instead", async () => {
    const { stdout } = await init("policy", "--forge", "gitlab", "--action", `geo/tools/harvest@${commit}`);
    expect(stdout).toContain("  In CODEOWNERS name who approves (init --owner does).\n");
    expect(files("policy").filter((file) => !/^(schemas|rules|tests|harvest|\.vscode)\//.test(file))).toEqual(
      [".gitignore", ".gitlab-ci.yml", ".pre-commit-config.yaml", "CODEOWNERS", "README.md"],
    );
    expect(parse(read("policy/.gitlab-ci.yml"))).toEqual({
      include: [{ project: "geo/tools/harvest", ref: commit, file: "/templates/gitlab/harvest-gate.yml" }],
      variables: { HARVEST_TOOL_URL: "$CI_SERVER_URL/geo/tools/harvest.git", HARVEST_TOOL_COMMIT: commit },
    });
  });

  it.runIf(actionlint !== undefined)("writes workflows that pass actionlint", async () => {
    await init("policy");
    const workflows = files("policy/.github/workflows").map((file) => `policy/.github/workflows/${file}`);
    expect(workflows).toHaveLength(2);
    expect(await actionlint?.(workflows, folder)).toEqual([]);
  });

  it("takes a folder that git has begun, and gives the same under --json", async () => {
    mkdirSync(join(folder, ".git"));
    const { code, stdout } = await init("--json");
    const result = JSON.parse(stdout) as {
      folder: string;
      written: string[];
      overwritten: string[];
      next: string[];
    };
    expect({ code, folder: result.folder, overwritten: result.overwritten }).toEqual({
      code: 0,
      folder: ".",
      overwritten: [],
    });
    expect(result.written).toEqual(files("."));
    expect(result.next[0]).toBe("git init && git add --all && git commit -m 'Start a harvest policy'");
  });

  it("writes over nothing, unless it is told to", async () => {
    writeFileSync(join(folder, "README.md"), "mine\n");
    writeFileSync(join(folder, "notes.txt"), "mine too\n");
    expect(await init()).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "error  . is not empty: it holds README.md, notes.txt.\n" +
        "       Name a new folder; or --force, which writes over files of the same names and leaves others alone.\n",
    });
    expect({ readme: read("README.md"), files: files(".") }).toEqual({
      readme: "mine\n",
      files: ["README.md", "notes.txt"],
    });

    const forced = await init("--force");
    expect(forced.code).toBe(0);
    expect(forced.stdout).toContain("1 file that stood there written over.\n");
    expect(read("README.md")).toContain("# Harvest policy");
    expect(read("notes.txt")).toBe("mine too\n");
  });

  it("follows no link out of the folder, and leaves it as it was", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
    symlinkSync(elsewhere, join(folder, "rules"));
    const { code, stderr } = await init("--force");
    expect(code).toBe(2);
    expect(stderr).toContain("rules is in the way: a folder is to stand there.");
    expect({ elsewhere: readdirSync(elsewhere), here: readdirSync(folder) }).toEqual({
      elsewhere: [],
      here: ["rules"],
    });
    rmSync(elsewhere, { recursive: true });
  });

  it("gives hooks that pass in what it writes, and mend or refuse what is wrong", async () => {
    await init("policy");
    const shipped = parse(readFileSync(join(repositoryRoot, ".pre-commit-hooks.yaml"), "utf8")) as Hook[];
    const written = parse(read("policy/.pre-commit-config.yaml")) as { repos: { hooks: Hook[] }[] };
    const [lint, mend] = shipped.map(({ entry }) => entry.split(" ").slice(1));
    const own = written.repos[0]!.hooks[0]!.entry.split(" ").slice(1);
    const cwd = join(folder, "policy");
    const file = "harvest/endpoints/example-agency.yaml";
    expect(shipped.map(({ files: pattern }) => new RegExp(pattern).test(file))).toEqual([true, true]);
    expect((await harvestctl(own, { cwd })).code).toBe(0);

    writeFileSync(join(cwd, file), read(`policy/${file}`).replace("maxRequests: 2", 'maxRequests: "2"'));
    expect((await harvestctl([...lint!, file], { cwd })).code).toBe(1);
    expect((await harvestctl([...mend!, file], { cwd })).code).toBe(0);
    expect(read(`policy/${file}`)).toContain("maxRequests: 2 ");
    expect((await harvestctl([...lint!, file], { cwd })).code).toBe(0);
  });

  const mistakes = [
    {
      name: "a tag instead of a commit",
      args: ["p", "--action", "geo/tools@v1"],
      said: "is not OWNER/NAME@COMMIT",
    },
    {
      name: "an action that breaks out",
      args: ["p", "--action", `geo/t\n  x@${commit}`],
      said: "is not OWNER/NAME@COMMIT",
    },
    { name: "an owner that is none", args: ["p", "--owner", "everybody please"], said: "can own no code" },
    { name: "a file for a folder", args: ["file"], said: "file is no folder that can be written: ENOTDIR." },
    { name: "too much", args: ["a", "b"], said: "Unexpected argument: b" },
  ];
  it.each(mistakes)("ends with 2 on $name", async ({ args, said }) => {
    writeFileSync(join(folder, "file"), "");
    const { code, stdout, stderr } = await init(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});
