/** No docker engine is asked for here: these are the rules one can hold a Dockerfile against by reading it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readFile, root } from "./overlays.js";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** One instruction a line, continued lines joined, comments away. */
function instructionsOf(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n/g, " ");
  return joined
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^\s*([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: rest.trim() };
    });
}

function stagesOf(instructions: readonly Instruction[]): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    const [, from = "", name = ""] = /^(\S+) AS (\S+)$/.exec(instruction.text) ?? [];
    if (instruction.name === "FROM") stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

const instructions = instructionsOf(readFile("Dockerfile"));
const stages = stagesOf(instructions);
const stage = (name: string): Stage => stages.find((each) => each.name === name)!;
/** A stage and what it is built from, the first first. */
function lineage(name: string): readonly Instruction[] {
  const found = stages.find((each) => each.name === name);
  return found === undefined ? [] : [...lineage(found.from), ...found.instructions];
}
const targets = ["controller", "harvester"];

describe("the Dockerfile", () => {
  it("has instructions this test can read", () => {
    expect(instructions.filter(({ name }) => name === "")).toEqual([]);
    expect(stages.map(({ name, from }) => `${name} from ${from}`)).toEqual([
      "build from ${NODE_IMAGE}",
      "runtime from ${NODE_IMAGE}",
      "harvester from runtime",
      "controller from runtime",
    ]);
  });

  it("names one base image by an exact version of the Node it is meant for", () => {
    const bases = instructions.filter(({ name, text }) => name === "ARG" && text.startsWith("NODE_IMAGE="));
    expect(bases.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^NODE_IMAGE=docker\.io\/library\/node:24\.\d+\.\d+-[a-z]+-slim$/),
    ]);
  });

  it.each(targets)("runs %s as a user that is not root, by number, so that runAsNonRoot can tell", (name) => {
    const users = lineage(name).filter((each) => each.name === "USER");
    expect(users.at(-1)?.text).toBe("65532:65532");
    const afterwards = lineage(name).slice(lineage(name).lastIndexOf(users.at(-1)!) + 1);
    expect(afterwards.map((each) => each.name).filter((each) => each === "RUN" || each === "USER")).toEqual(
      [],
    );
  });

  it.each([
    ["controller", "/app/dist/controller/main.js", "controller/main.ts"],
    ["harvester", "/app/dist/harvester/main.js", "harvester/main.ts"],
  ])("starts the program of %s, without a shell in between", (name, program, source) => {
    const commands = lineage(name).filter((each) => each.name === "CMD" || each.name === "ENTRYPOINT");
    expect(commands.map(({ text }) => JSON.parse(text) as unknown)).toEqual([["node", program]]);
    expect(existsSync(join(root, source))).toBe(true);
  });

  it("leaves no package manager in what runs, and Git only where it is used", () => {
    const removed = lineage("runtime").find(({ text }) => text.startsWith("rm -rf"))?.text ?? "";
    for (const path of [
      "/usr/local/lib/node_modules",
      "/usr/local/bin/npm",
      "/usr/local/bin/npx",
      "/usr/local/bin/corepack",
    ])
      expect(removed.split(" ")).toContain(path);
    const installs = (name: string) => lineage(name).filter(({ text }) => text.includes("apt-get install"));
    expect(installs("harvester")).toEqual([]);
    expect(installs("controller").map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /--no-install-recommends ca-certificates git openssh-client +&& rm -rf \/var\/lib\/apt\/lists\/\*$/,
      ),
    ]);
  });

  it("installs what the lock file says, without scripts of packages, and ships no development packages", () => {
    const runs = stage("build")
      .instructions.filter(({ name }) => name === "RUN")
      .map(({ text }) => text);
    expect(runs[0]).toContain("npm ci --ignore-scripts");
    expect(runs[1]).toMatch(/^npm run build +&& npm ci --omit=dev --ignore-scripts/);
    expect(runs.join(" ")).not.toMatch(/npm (install|i|update)\b/);
  });

  it("copies what is there, and only what .dockerignore lets through", () => {
    const allowed = readFile(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    const copied = stage("build")
      .instructions.filter(({ name }) => name === "COPY")
      .flatMap(({ text }) => text.split(/ +/).slice(0, -1));
    expect([...copied].sort()).toEqual([...allowed].sort());
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
  });

  it.each([
    ["a moving tag", /:latest\b/],
    ["a secret", /(password|token|secret|passwd|api[-_]?key)\s*=/i],
    ["a download that nobody checks", /\b(curl|wget)\b|^ADD /],
    ["sudo", /\bsudo\b/],
    ["a check that an orchestrator does better", /HEALTHCHECK/],
  ])("holds no trace of %s", (_name, pattern) => {
    expect(
      instructions.map(({ name, text }) => `${name} ${text}`).filter((line) => pattern.test(line)),
    ).toEqual([]);
  });

  it.each(targets)("labels %s as OCI does", (name) => {
    const labels = lineage(name)
      .filter((each) => each.name === "LABEL")
      .map(({ text }) => text)
      .join(" ");
    for (const key of ["title", "description", "version", "revision", "licenses", "vendor"])
      expect(labels).toContain(`org.opencontainers.image.${key}=`);
  });
});

describe("the workflow that builds the images", () => {
  const workflow = parse(readFile(".github/workflows/images.yml")) as {
    permissions: object;
    jobs: {
      build: {
        strategy: { matrix: { include: { target: string; image: string }[] } };
        steps: { uses?: string; run?: string }[];
      };
    };
  };

  it("builds both targets under the names the manifests use", () => {
    expect(workflow.jobs.build.strategy.matrix.include).toEqual([
      { target: "controller", image: "harvest-controller" },
      { target: "harvester", image: "harvester" },
    ]);
  });

  it("uses actions by commit, and may write nothing but packages", () => {
    const used = workflow.jobs.build.steps.flatMap(({ uses = [] }) => uses);
    for (const action of used) expect(action).toMatch(/@[0-9a-f]{40}$/);
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  it("hands no expression to a shell: what others may name arrives as a variable", () => {
    const runs = workflow.jobs.build.steps.flatMap(({ run = [] }) => run);
    expect(runs.filter((run) => run.includes("${{"))).toEqual([]);
  });

  it("reads the base image where the Dockerfile has it", () => {
    const lookup = workflow.jobs.build.steps.map(({ run = "" }) => run).join("\n");
    expect(lookup).toContain("sed -n 's/^ARG NODE_IMAGE=//p' Dockerfile");
  });
});
