/** actionlint, the checker of GitHub's workflows: built with `go` on first use (seconds), kept in the user's cache. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterRequired, testCache } from "../setup/cluster-assets.js";

const run = promisify(execFile);
const version = "1.7.12";

/** What it says of these files, a line each. */
export type Actionlint = (files: readonly string[], cwd: string) => Promise<readonly string[]>;

/** Undefined, with one line said, where there is no `go` and no earlier build; throws then if REQUIRE names `cluster`. */
export async function findActionlint(): Promise<Actionlint | undefined> {
  const folder = join(testCache(), `actionlint-${version}`);
  const program = join(folder, "actionlint");
  const problem = existsSync(program) ? undefined : await build(folder);
  if (problem === undefined) return (files, cwd) => check(program, files, cwd);
  const sentence = `The workflows need actionlint to be checked: ${problem}`;
  if (clusterRequired()) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

/** What went wrong, as the end of a sentence; undefined when it is there. `go install` puts it there whole or not at all. */
async function build(folder: string): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  try {
    const env = { ...process.env, CGO_ENABLED: "0", GOBIN: folder, GOFLAGS: "-trimpath" };
    await run("go", ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${version}`], { env });
    return undefined;
  } catch (problem) {
    const { code, stderr } = problem as { code?: unknown; stderr?: string };
    if (code === "ENOENT") return "install Go 1.26 or newer (https://go.dev/dl).";
    return `go install failed: ${stderr ?? String(problem)}`;
  }
}

async function check(program: string, files: readonly string[], cwd: string): Promise<readonly string[]> {
  // Its checks of shell and Python need programs of others; what is in our steps is checked by tests of ours.
  const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...files];
  try {
    await run(program, args, { cwd });
    return [];
  } catch (problem) {
    const { stdout = "", stderr = "" } = problem as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`.trim().split("\n");
  }
}
