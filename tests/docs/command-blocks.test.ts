import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
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
import { afterEach, describe, expect, it } from "vitest";
import { repositoryRoot } from "../house/scratch-house.js";
import { createDatabase, testPostgres, type TestDatabase } from "../setup/postgres.js";
import { commandBlocks } from "./command-block.js";

/** Every `sh` block of README and docs is run, in order, page by page, in a copy of what a clone holds. */
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(repositoryRoot, "docs"))
    // The operator's guide needs a cluster: tests/cluster/operating.test.ts runs it.
    .filter((f) => f.endsWith(".md") && f !== "operating.md")
    .map((f) => `docs/${f}`),
];

/** Installing is what the gate did before this test; testing is what runs it; everything else is real. */
const NPM = `#!/usr/bin/env bash
case "$*" in
  ci|test|link|"run format"*|"run generate"*|"run build"*|"run lint"*) echo "npm $* (done by the gate)" ;;
  *) exec "$REAL_NPM" "$@" ;;
esac
`;

function layOutClone(): string {
  const folder = mkdtempSync(join(tmpdir(), "harvest-docs-"));
  for (const copied of ["schemas", "rules", "manifests", "package.json", "tests/fixtures"])
    cpSync(join(repositoryRoot, copied), join(folder, copied), { recursive: true });
  for (const linked of ["dist", "node_modules", "crds"])
    symlinkSync(join(repositoryRoot, linked), join(folder, linked));
  const bin = join(folder, ".bin");
  mkdirSync(bin);
  const run = join(repositoryRoot, "dist/cli/bin/run.js");
  writeFileSync(join(bin, "harvestctl"), `#!/usr/bin/env bash\nexec "${process.execPath}" "${run}" "$@"\n`);
  writeFileSync(
    join(bin, "npx"),
    `#!/usr/bin/env bash\n[ "$1" = harvestctl ] && exec "$@"\necho "npx $* (done by the gate)"\n`,
  );
  writeFileSync(join(bin, "npm"), NPM);
  for (const file of readdirSync(bin)) chmodSync(join(bin, file), 0o755);
  return folder;
}

async function runScript(folder: string, script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(folder, ".bin")}:${process.env["PATH"] ?? ""}`,
      // By its full path: the name alone would be the stand-in again.
      REAL_NPM: execFileSync("bash", ["-c", "command -v npm"], { encoding: "utf8" }).trim(),
      DATABASE_URL: "",
    },
  });
  let output = "";
  const keep = (chunk: string): void => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const [code] = (await once(child, "exit")) as [number | null];
  // Servers a page started in the background end with it.
  if (child.pid !== undefined)
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      /* all gone already */
    }
  return { code, output };
}

/** The database the documentation speaks of; the test puts one of its own in its place. */
const documentedDatabase = "postgres://admin@db.example.org/catalogue";

async function databaseFor(blocks: readonly { text: string }[]): Promise<TestDatabase | undefined> {
  if (!blocks.some((b) => b.text.includes(documentedDatabase))) return undefined;
  const server = await testPostgres();
  return server === undefined ? undefined : createDatabase(server);
}

describe("command blocks of the documentation", () => {
  let folder = "";
  let database: TestDatabase | undefined;
  afterEach(async () => {
    await database?.drop();
    if (folder !== "" && existsSync(folder)) rmSync(folder, { recursive: true, force: true });
  });

  const withBlocks = pages
    .map((page) => ({ page, blocks: commandBlocks(readFileSync(join(repositoryRoot, page), "utf8")) }))
    .filter(({ blocks }) => blocks.length > 0);

  it.each(withBlocks)(
    "$page",
    async ({ page, blocks }) => {
      folder = layOutClone();
      database = await databaseFor(blocks);
      const url = database?.url;
      // Without a server here the blocks that need one are left out; REQUIRE=postgres makes its absence a failure.
      const runnable = blocks.filter((b) => url !== undefined || !b.text.includes(documentedDatabase));
      const texts = runnable.map((b) => {
        const text = b.text.replaceAll(documentedDatabase, url ?? "");
        return `# ${page}:${b.line.toString()}\n${text}`;
      });
      const script = ["set -euo pipefail", ...texts].join("\n");
      const { code, output } = await runScript(folder, script);
      expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
    },
    300_000,
  );

  it("finds blocks at all, so that this test cannot pass by finding none", () => {
    expect(withBlocks.map((w) => w.page)).toContain("README.md");
  });
});
