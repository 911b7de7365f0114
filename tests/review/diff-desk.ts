/** A policy repository with a base and a head, and harvestctl diff run in it as a user runs it. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import Diff from "../../cli/commands/diff.js";
import { createRepository, type TestRepository } from "../setup/git-repository.js";

const house = join(import.meta.dirname, "../..");

export interface Ran {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

export interface DiffDesk {
  readonly repository: TestRepository;
  /** In the root of the repository, unless another folder is given as `cwd`. */
  diff(args: readonly string[], cwd?: string): Promise<Ran>;
  remove(): void;
}

export interface ManifestFields {
  readonly name: string;
  readonly spec?: string;
  readonly metadata?: string;
}

/** A manifest of one source; `spec` and `metadata` are further lines, each with its own indentation. */
export function manifest({ name, spec = "", metadata = "" }: ManifestFields): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: ${name}
${metadata}spec:
  baseUrl: https://${name}.example.gov/oai
  metadataPrefix: oai_dc
  schedule: "30 3 * * *"
${spec}`;
}

/** As a policy begins: two sources, ceilings, owners, a rule set. */
export const policy: Readonly<Record<string, string>> = {
  "sources/one.yaml": manifest({ name: "one", spec: "  validation: { schematron: rules/dc.sch }\n" }),
  "sources/two.yaml": manifest({ name: "two" }),
  "rules/fair-use.yaml": "default: { maxRequests: 4 }\n",
  "rules/dc.sch": readFileSync(join(house, "rules/oai-dc-rules.sch"), "utf8"),
  ".github/CODEOWNERS": "* @geo/all\n/sources/two.yaml @geo/two\n",
};

/** With `policy` committed on main, on a branch called change. */
export function diffDesk(files: Readonly<Record<string, string>> = policy): DiffDesk {
  const repository = createRepository();
  repository.commit(files);
  repository.git("checkout", "--quiet", "-b", "change");
  return {
    repository,
    diff: (args, cwd = repository.folder) => runDiff(args, cwd),
    remove: () => {
      repository.remove();
    },
  };
}

export async function runDiff(args: readonly string[], cwd: string): Promise<Ran> {
  const before = process.cwd();
  const written = { out: "", err: "" };
  const out = vi.spyOn(console, "log").mockImplementation((text) => {
    written.out += `${String(text)}\n`;
  });
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.err += String(text);
    return true;
  });
  process.exitCode = 0;
  process.chdir(cwd);
  try {
    await Diff.run([...args], house);
  } finally {
    process.chdir(before);
    for (const spy of [out, stdout, err]) spy.mockRestore();
  }
  const code = process.exitCode;
  process.exitCode = 0;
  return { code, ...written };
}

/** The files of a working tree without its history. */
export function copyTree(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith("/.git") });
}
