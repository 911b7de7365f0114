/**
 * A pull request as a runner meets it: a repository made by `harvestctl init`, a base, a head, their merge checked out, and
 * a stand-in of GitHub's API. Workflows are run in it as they are written.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../house/scratch-house.js";
import { startGithubApi, type Comment, type GithubApi } from "./github-api.js";
import { runWorkflow, type JobRun } from "./workflow-run.js";
import { zipArchive } from "./zip-archive.js";

const repository = "geo/policy";
const actionRepository = "geo/harvest-controller";
const commit = "1234567890abcdef1234567890abcdef12345678";
export const program = join(repositoryRoot, "dist/cli/bin/run.js");

export interface Push {
  /** Path → text, or undefined to remove it. */
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly fork?: boolean;
}

export interface Scene {
  readonly folder: string;
  readonly api: GithubApi;
  /** SARIF given to code scanning. */
  readonly sarif: string[];
  read(path: string): string;
  git(...args: string[]): string;
  /** What the gate's run wrote, by name. */
  artifact(): ReadonlyMap<string, Buffer> | undefined;
  /** Pushes to the pull request and runs .github/workflows/harvest-gate.yml. */
  push(push: Push): Promise<Readonly<Record<string, JobRun>>>;
  /** What GitHub starts after it: .github/workflows/harvest-gate-comment.yml. */
  afterRun(): Promise<Readonly<Record<string, JobRun>>>;
  comments(): readonly Comment[];
  close(): Promise<void>;
}

export interface SceneOptions {
  readonly sandboxUrl?: string;
  /** Branch the pull request says it goes to. */
  readonly base?: string;
  /** The repository at the base; without it what init writes. */
  lay?(folder: string): void;
}

const number = 3;

export async function policyScene(options: SceneOptions = {}): Promise<Scene> {
  const home = mkdtempSync(join(tmpdir(), "gate-"));
  const folder = join(home, "work");
  const temp = join(home, "temp");
  mkdirSync(temp);
  (options.lay ?? layPolicy)(folder);
  const git = gitIn(folder, home);
  git("init", "--quiet", "--initial-branch=main", ".");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Base");
  const base = git("rev-parse", "HEAD");
  git("update-ref", "refs/remotes/origin/main", base);
  git("branch", "topic", base);
  const api = await startGithubApi(repository);
  const artifacts = new Map<string, ReadonlyMap<string, Buffer>>();
  const sarif: string[] = [];
  const state = { runId: 100, head: base, fork: false };
  const ownAction = (uses: string): string | undefined => {
    if (uses.startsWith("./")) return join(folder, uses);
    const prefix = `${actionRepository}/`;
    return uses.startsWith(prefix) && uses.endsWith(`@${commit}`)
      ? join(repositoryRoot, uses.slice(prefix.length, -commit.length - 1))
      : undefined;
  };
  const runner = () => ({
    ...{
      workspace: folder,
      temp,
      repository,
      apiUrl: api.url,
      runId: state.runId,
      ownAction,
      artifacts,
      sarif,
    },
    keep: (name: string, files: ReadonlyMap<string, Buffer>) => {
      const entries = [...files].map(([path, content]) => ({ name: path, content }));
      api.addArtifact(state.runId, name, zipArchive(entries));
    },
  });
  // GitHub gives a fork's pull request a token that reads, whatever the job asks for.
  const tokenFor = (permissions: Readonly<Record<string, string>>, reading: boolean): string => {
    const token = `ghs_${String(api.tokens.size)}`;
    const pullRequests = permissions["pull-requests"] === "write" && !reading ? "write" : "read";
    const actions = permissions["actions"] === undefined ? "none" : "read";
    api.tokens.set(token, { login: "github-actions[bot]", pullRequests, actions });
    return token;
  };
  const headRepository = () =>
    state.fork
      ? { id: 9, full_name: "stranger/policy", owner: { login: "stranger" } }
      : { id: 1, full_name: repository, owner: { login: "geo" } };
  return {
    folder,
    api,
    sarif,
    git,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    artifact: () => artifacts.get("harvest-gate-report"),
    async push({ files, fork = false }) {
      git("checkout", "--quiet", "--force", "topic");
      write(folder, files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "Change");
      Object.assign(state, { runId: state.runId + 1, head: git("rev-parse", "HEAD"), fork });
      // refs/pull/3/merge, as checkout finds it.
      git("checkout", "--quiet", "--detach", "origin/main");
      git("merge", "--quiet", "--no-ff", "--message", "Merge", "topic");
      artifacts.clear();
      return runWorkflow({
        file: join(folder, ".github/workflows/harvest-gate.yml"),
        runner: runner(),
        event: {
          name: "pull_request",
          baseRef: options.base ?? "main",
          payload: { pull_request: { number, head: { sha: state.head, repo: headRepository() } } },
        },
        secrets: fork || options.sandboxUrl === undefined ? {} : { OAI_SANDBOX_URL: options.sandboxUrl },
        tokenFor: (permissions) => tokenFor(permissions, fork),
      });
    },
    async afterRun() {
      const from = headRepository();
      const head = { label: `${from.owner.login}:topic`, sha: state.head, repo: from };
      api.pulls.splice(0, api.pulls.length, { number, head });
      // Runs as it stands on the default branch, with nothing of the fork checked out.
      git("checkout", "--quiet", "--force", "--detach", "origin/main");
      return runWorkflow({
        file: join(folder, ".github/workflows/harvest-gate-comment.yml"),
        runner: { ...runner(), runId: 999 },
        event: {
          name: "workflow_run",
          payload: {
            workflow_run: {
              id: state.runId,
              event: "pull_request",
              conclusion: "success",
              head_sha: state.head,
              head_branch: "topic",
              head_repository: from,
            },
          },
        },
        tokenFor: (permissions) => tokenFor(permissions, false),
      });
    },
    comments: () => api.comments.get(number) ?? [],
    async close() {
      await api.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function gitIn(folder: string, home: string): (...args: string[]) => string {
  const person = { GIT_AUTHOR_NAME: "T", GIT_AUTHOR_EMAIL: "t@example.org" };
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    ...person,
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.org",
  };
  return (...args) =>
    execFileSync("git", args, {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
}

function write(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    if (text === undefined) rmSync(place, { force: true });
    else writeFileSync(place, text);
  }
}

/** What people get from `harvestctl init`. */
export function layPolicy(folder: string): void {
  execFileSync(process.execPath, [
    ...[program, "init", folder, "--owner", "@geo/harvest-owners"],
    ...["--action", `${actionRepository}@${commit}`],
  ]);
}

/** This repository, as far as its own gate reads it. */
export function layOurselves(folder: string): void {
  for (const part of [".github", "manifests/sources", "rules", "schemas", "tests/fixtures"])
    cpSync(join(repositoryRoot, part), join(folder, part), { recursive: true });
  // Built already: the gate's installing would take minutes and the registry.
  for (const built of ["dist", "node_modules", "package.json", "oclif.manifest.json", "crds"])
    symlinkSync(join(repositoryRoot, built), join(folder, built));
  writeFileSync(
    join(folder, ".gitignore"),
    "/dist\n/node_modules\n/package.json\n/oclif.manifest.json\n/crds\n",
  );
}

/** A folder with `harvestctl` as a command, for PATH. */
export function commandFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "harvestctl");
  writeFileSync(file, `#!/usr/bin/env bash\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}
