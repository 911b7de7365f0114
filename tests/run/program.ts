/** The program as people run it: the built harvestctl in a process of its own, in a folder of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestOf, root } from "./scene.js";

const bin = join(root, "dist/cli/bin/run.js");
if (!existsSync(bin)) throw new Error("These tests run the built program: npm run build first.");

export interface Finished {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, for what must stand in neither. */
  readonly all: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Nothing of the test's own environment but where programs are found. */
export function start(args: readonly string[], options: ProgramOptions, program = bin): Running {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd,
    env: { PATH, HOME, TZ: "UTC", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code: code ?? undefined, stdout, stderr, all: `${stdout}\n${stderr}` });
    });
  });
  return { child, finished };
}

export function harvestctl(args: readonly string[], options: ProgramOptions): Promise<Finished> {
  return start(args, options).finished;
}

export interface Workplace {
  /** A folder with the policy of this repository, and manifests as they are written. */
  readonly cwd: string;
  /** Writes a manifest for a sandbox and returns its path, relative to the folder. */
  manifest(url: string, spec?: Parameters<typeof manifestOf>[1], name?: string): string;
  write(path: string, text: string): string;
  remove(): void;
}

export function workplace(): Workplace {
  const cwd = mkdtempSync(join(tmpdir(), "harvestctl-"));
  for (const folder of ["schemas", "rules"])
    cpSync(join(root, folder), join(cwd, folder), { recursive: true });
  function write(path: string, text: string): string {
    writeFileSync(join(cwd, path), text);
    return path;
  }
  return {
    cwd,
    write,
    manifest: (url, spec, name = "scene") =>
      write(`${name}.yaml`, JSON.stringify(manifestOf(url, spec, name), null, 2)),
    remove: () => {
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
