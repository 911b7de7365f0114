/** The GitLab template as it is written: each job's commands are run in bash, as GitLab's runner does. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../house/scratch-house.js";
import { marker } from "./gate-scripts.js";
import { layPolicy, program } from "./policy-scene.js";

interface Job {
  readonly extends?: string;
  readonly script?: readonly string[];
  readonly before_script?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly artifacts?: { readonly reports: Readonly<Record<string, string>> };
}

const file = join(repositoryRoot, "templates/gitlab/harvest-gate.yml");
const template = parse(readFileSync(file, "utf8")) as Readonly<Record<string, Job>>;
const token = "glpat-secretOfTheProject";

interface Note {
  readonly id: number;
  body: string;
  readonly author: { readonly id: number };
  readonly system: boolean;
}

/** Notes of merge request 5 of project 12; the token's user is 7. */
async function startGitlabApi(): Promise<{ url: string; notes: Note[]; close(): void }> {
  const notes: Note[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString("utf8");
      const url = new URL(request.url!, "http://x");
      const answer =
        request.headers["private-token"] === token ? reply(request.method!, url, text) : undefined;
      response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? {}));
    })();
  });
  function reply(method: string, url: URL, text: string): unknown {
    if (url.pathname === "/api/v4/user") return { id: 7 };
    const given = text === "" ? "" : (JSON.parse(text) as { body: string }).body;
    const path = "/api/v4/projects/12/merge_requests/5/notes";
    if (method === "GET" && url.pathname === path) {
      const page = Number(url.searchParams.get("page"));
      return notes.slice((page - 1) * 100, page * 100);
    }
    if (method === "POST" && url.pathname === path)
      return notes[notes.push({ id: notes.length + 1, body: given, author: { id: 7 }, system: false }) - 1];
    const found = notes.find(({ id }) => url.pathname === `${path}/${String(id)}`);
    if (method === "PUT" && found !== undefined) found.body = given;
    return found;
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/api/v4`;
  return { url, notes, close: () => void server.close() };
}

let home = "";
let api: Awaited<ReturnType<typeof startGitlabApi>>;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "gitlab-"));
  api = await startGitlabApi();
});
afterEach(() => {
  api.close();
  rmSync(home, { recursive: true, force: true });
});

function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const person = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...person, ...args], { cwd: folder, env, encoding: "utf8" }).trim();
}

/** A repository with the tool, built already. */
function layTool(): { readonly url: string; readonly commit: string } {
  const folder = join(home, "tool");
  for (const part of [".github/actions", "templates/gitlab"])
    cpSync(join(repositoryRoot, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "dist/cli/bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(
    join(folder, "dist/cli/bin/run.js"),
    `await import(${JSON.stringify(pathToFileURL(program).href)});\n`,
  );
  git(home, "init", "--quiet", "--initial-branch=main", "tool");
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--message", "Tool");
  return { url: pathToFileURL(folder).href, commit: git(folder, "rev-parse", "HEAD") };
}

async function runJob(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const job = template[name]!;
  const parent = template[job.extends!]!;
  const lines = [...parent.before_script!, ...job.script!];
  const child = spawn("bash", ["-c", ["set -eo pipefail", ...lines].join("\n")], {
    cwd: env["CI_PROJECT_DIR"],
    env: { PATH: process.env["PATH"], HOME: home, TZ: "UTC", CI: "true", ...job.variables, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number];
  expect(output).not.toContain(token);
  return { code, output };
}

describe("the GitLab template", () => {
  it("gates a merge request, and keeps one note up to date", async () => {
    const folder = join(home, "policy");
    layPolicy(folder);
    git(home, "init", "--quiet", "--initial-branch=main", "policy");
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", "Base");
    const base = git(folder, "rev-parse", "HEAD");
    const agency = join(folder, "harvest/endpoints/example-agency.yaml");
    writeFileSync(agency, readFileSync(agency, "utf8").replace(/maxRequests: \d+/, "maxRequests: 9"));
    git(folder, "commit", "--quiet", "--all", "--message", "Change");
    const tool = layTool();
    const env = {
      ...(template["variables"] as Readonly<Record<string, string>>),
      HARVEST_TOOL_URL: tool.url,
      HARVEST_TOOL_COMMIT: tool.commit,
      CI_PROJECT_DIR: folder,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      CI_API_V4_URL: api.url,
      CI_PROJECT_ID: "12",
      CI_MERGE_REQUEST_IID: "5",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12",
      CI_JOB_URL: "https://gitlab.example.org/geo/policy/-/jobs/1",
    };
    const gate = await runJob("harvest-gate", env);
    expect(gate.output).toContain("harvest-gate: refused");
    expect(gate.code).toBe(1);

    const { reports } = template["harvest-gate"]!.artifacts!;
    expect(JSON.parse(readFileSync(join(folder, reports["codequality"]!), "utf8"))).toEqual([
      {
        description: expect.stringContaining("its ceiling is 2") as string,
        check_name: "fair-use/over-ceiling",
        fingerprint: expect.stringContaining(
          "fair-use/over-ceiling:harvest/endpoints/example-agency.yaml:",
        ) as string,
        severity: "critical",
        location: { path: "harvest/endpoints/example-agency.yaml", lines: { begin: 13 } },
      },
    ]);
    expect(readFileSync(join(folder, reports["junit"]!), "utf8")).toMatch(
      /^<\?xml[^]*<testsuites[^]*fair-use\/over-ceiling/,
    );

    const others = Array.from({ length: 120 }, (_, i) => ({
      id: i + 1,
      body: marker,
      author: { id: 3 },
      system: false,
    }));
    api.notes.push(...others);
    const posting = { ...env, HARVEST_GATE_TOKEN: token };
    const note = "The note of merge request 5 is";
    expect(await runJob("harvest-gate-note", posting)).toEqual({ code: 0, output: `${note} created.\n` });
    expect(await runJob("harvest-gate-note", posting)).toEqual({ code: 0, output: `${note} unchanged.\n` });
    const report = join(folder, "harvest-gate/report.md");
    writeFileSync(report, readFileSync(report, "utf8").replace("refused", "refused again"));
    expect(await runJob("harvest-gate-note", posting)).toEqual({ code: 0, output: `${note} updated.\n` });
    expect(
      api.notes
        .slice(120)
        .map(({ body }) => body.startsWith(`${marker}\n`) && body.includes("refused again")),
    ).toEqual([true]);

    // A fork's pipeline has no token; one that a member runs here has, and its report is a stranger's.
    expect(await runJob("harvest-gate-note", env)).toMatchObject({
      code: 0,
      output: expect.stringContaining("Nothing was posted: there is no HARVEST_GATE_TOKEN here.") as string,
    });
    const foreign = {
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99",
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "stranger/policy",
    };
    await runJob("harvest-gate-note", { ...posting, ...foreign });
    expect(api.notes[120]!.body).toContain("the fork `stranger/policy`");
  }, 240_000);

  it("takes its tool from a commit alone", async () => {
    const env = { CI_PROJECT_DIR: home, HARVEST_TOOL_URL: "file:///nowhere", HARVEST_TOOL_COMMIT: "main" };
    expect(await runJob("harvest-gate", env)).toEqual({
      code: 2,
      output: "HARVEST_TOOL_COMMIT is no commit: name all 40 digits.\n",
    });
  });
});
