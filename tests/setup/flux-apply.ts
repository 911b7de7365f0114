/**
 * Flux's own apply engine, as tests/control-plane/flux-apply drives it: what kustomize-controller does to an object of ours.
 * Built with `go` on first use (some minutes), kept in the user's cache by the hash of its sources.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clusterRequired, testCache } from "./cluster-assets.js";

const run = promisify(execFile);
const sources = join(import.meta.dirname, "../control-plane/flux-apply");

export interface FluxChange {
  /** Kind/namespace/name. */
  readonly object: string;
  readonly action: "created" | "configured" | "unchanged" | "skipped";
}

export interface FluxResult {
  readonly code: number;
  readonly changes: readonly FluxChange[];
  readonly stderr: string;
}

/** Applies the text of a manifest, as if it were the content of one Kustomization. */
export type FluxApply = (
  manifest: string,
  to: { readonly kubeconfig: string; readonly namespace: string },
) => Promise<FluxResult>;

/** Undefined, with one line said, where there is no `go` and no earlier build; throws then if REQUIRE names `cluster`. */
export async function fluxApply(): Promise<FluxApply | undefined> {
  const program = join(testCache(), `flux-apply-${hashOfSources()}`);
  const problem = existsSync(program) ? undefined : await build(program);
  if (problem === undefined) return (manifest, to) => apply(program, manifest, to);
  const sentence = `Tests with Flux's apply engine need a build of tests/control-plane/flux-apply: ${problem}`;
  if (clusterRequired()) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

function hashOfSources(): string {
  const hash = createHash("sha256");
  for (const file of ["main.go", "go.mod", "go.sum"]) hash.update(readFileSync(join(sources, file)));
  return hash.digest("hex").slice(0, 12);
}

/** What went wrong, as the end of a sentence; undefined when it is built. */
async function build(program: string): Promise<string | undefined> {
  mkdirSync(testCache(), { recursive: true });
  const making = `${program}.${String(process.pid)}`;
  try {
    const env = { ...process.env, CGO_ENABLED: "0" };
    await run("go", ["build", "-trimpath", "-o", making, "."], { cwd: sources, env, maxBuffer: 1 << 24 });
  } catch (problem) {
    const { code, stderr } = problem as { code?: unknown; stderr?: string };
    if (code === "ENOENT") return "install Go 1.26 or newer (https://go.dev/dl).";
    return `go build failed in ${sources}: ${stderr ?? String(problem)}`;
  }
  // Whole or not at all: another test file may have built it meanwhile.
  renameSync(making, program);
  return undefined;
}

async function apply(
  program: string,
  manifest: string,
  { kubeconfig, namespace }: { readonly kubeconfig: string; readonly namespace: string },
): Promise<FluxResult> {
  const folder = mkdtempSync(join(tmpdir(), "flux-"));
  const file = join(folder, "manifest.yaml");
  writeFileSync(file, manifest);
  try {
    const { stdout, stderr } = await run(program, [
      ...["--kubeconfig", kubeconfig, "--namespace", namespace],
      file,
    ]);
    return { code: 0, changes: JSON.parse(stdout) as FluxChange[], stderr };
  } catch (problem) {
    const { code, stderr } = problem as { code?: unknown; stderr?: string };
    return { code: typeof code === "number" ? code : 255, changes: [], stderr: stderr ?? String(problem) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
