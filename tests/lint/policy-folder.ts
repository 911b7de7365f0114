/** A scratch policy repository, and the built harvestctl asked about it in a process of its own. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const bin = join(root, "dist/cli/bin/run.js");
if (!existsSync(bin)) throw new Error("These tests run the built program: npm run build first.");

/** The least that works, with these lines at its end. */
export function manifest(name: string, spec = "", metadata = ""): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: ${name}
${metadata}spec:
  baseUrl: https://${name}.example.gov/oai
  metadataPrefix: oai_dc
  schedule: "0 3 * * *"
${spec}`;
}

export interface Asked {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface AskOptions {
  /** What stands on standard input. */
  readonly input?: string;
  /** Below the policy folder. */
  readonly cwd?: string;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

export class PolicyFolder {
  readonly path = mkdtempSync(join(tmpdir(), "policy-"));

  constructor(files: Readonly<Record<string, string>> = {}) {
    mkdirSync(join(this.path, ".git"));
    this.write({ "rules/fair-use.yaml": "default: { maxRequests: 4 }\n", ...files });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), text);
    }
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  ask(args: readonly string[], { input = "", cwd = ".", node = [] }: AskOptions = {}): Asked {
    const { PATH = "", HOME = "" } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...node, bin, ...args], {
      cwd: join(this.path, cwd),
      env: { PATH, HOME, TZ: "UTC" },
      input,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: status, out: stdout, err: stderr };
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
