/** A real git repository in a temporary folder, to be synced from. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TestRepository {
  readonly folder: string;
  /** file:// address. */
  readonly url: string;
  git(...args: string[]): string;
  /** Files to write; undefined = removed. Commits all, answers with the commit's id. */
  commit(files: Readonly<Record<string, string | undefined>>, ...args: string[]): string;
  link(path: string, target: string): void;
  remove(): void;
}

export function createRepository(): TestRepository {
  const folder = mkdtempSync(join(tmpdir(), "repository-"));
  const identity = { GIT_AUTHOR_NAME: "T", GIT_AUTHOR_EMAIL: "t@example.org" };
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    ...identity,
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.org",
  };
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  git("init", "--quiet", "--initial-branch=main", ".");
  // As the big hosts do it: a pinned commit may be asked for by its id.
  git("config", "uploadpack.allowAnySHA1InWant", "true");
  return {
    folder,
    url: `file://${folder}`,
    git,
    commit(files, ...args) {
      for (const [path, text] of Object.entries(files)) {
        const place = join(folder, path);
        if (text === undefined) rmSync(place, { recursive: true, force: true });
        else {
          mkdirSync(dirname(place), { recursive: true });
          writeFileSync(place, text);
        }
      }
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "Change", ...args);
      return git("rev-parse", "HEAD");
    },
    link(path, target) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(target, join(folder, path));
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A manifest as people write it. */
export function manifestText(
  name: string,
  more: { readonly namespace?: string; readonly schedule?: string } = {},
): string {
  const { namespace, schedule = "0 * * * *" } = more;
  return [
    "apiVersion: ingest.geoportal.io/v1",
    "kind: HarvestSource",
    "metadata:",
    `  name: ${name}`,
    ...(namespace === undefined ? [] : [`  namespace: ${namespace}`]),
    "spec:",
    `  baseUrl: https://${name}.example.org/oai`,
    "  metadataPrefix: oai_dc",
    `  schedule: "${schedule}"`,
    "",
  ].join("\n");
}
