/** The script that posts, as the job runs it, against a stand-in of GitHub's API. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actionFolder, marker } from "./gate-scripts.js";
import { startGithubApi, type Comment, type GithubApi } from "./github-api.js";
import { zipArchive } from "./zip-archive.js";

const bot = "github-actions[bot]";
const body = `${marker}\n1 source changes.\n`;
const token = "ghs_secretOfTheJob";

let api: GithubApi;
let folder = "";
beforeEach(async () => {
  api = await startGithubApi("geo/policy");
  api.tokens.set(token, { login: bot, pullRequests: "write", actions: "read" });
  api.addArtifact(7, "harvest-gate-report", zipArchive([{ name: "report.md", content: body }]));
  folder = mkdtempSync(join(tmpdir(), "post-"));
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

async function post(more: Readonly<Record<string, string>> = {}): Promise<{ code: number; output: string }> {
  const event = join(folder, "event.json");
  writeFileSync(
    event,
    JSON.stringify({ pull_request: { number: 3, head: { repo: { full_name: "geo/policy" } } } }),
  );
  const child = spawn(process.execPath, [join(actionFolder, "scripts/post-comment.mjs")], {
    env: {
      GITHUB_API_URL: api.url,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "geo/policy",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: event,
      GITHUB_RUN_ID: "7",
      GATE_TOKEN: token,
      GATE_AUTHOR: bot,
      GATE_ARTIFACT: "harvest-gate-report",
      GATE_REPORT: "report.md",
      ...more,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number];
  // Whatever happens, the token is in no message.
  expect(output).not.toContain(token);
  return { code, output };
}

function comment(id: number, login: string, text: string): Comment {
  return { id, body: text, user: { login }, edits: 0 };
}

function shown(): readonly string[] {
  return (api.comments.get(3) ?? []).map(
    ({ user, body: text, edits }) => `${user.login} ${String(edits)}: ${text}`,
  );
}

describe("posting the report", () => {
  it("makes one comment, and leaves it alone when nothing changed", async () => {
    expect(await post()).toEqual({ code: 0, output: "The comment of pull request 3 is created.\n" });
    expect(await post()).toEqual({ code: 0, output: "The comment of pull request 3 is unchanged.\n" });
    expect(shown()).toEqual([`${bot} 0: ${body}`]);
  });

  it("updates its comment on the second page, and nobody else's that looks like it", async () => {
    const others = Array.from({ length: 130 }, (_, i) => comment(i + 1, "somebody", `${marker}\nmine`));
    api.comments.set(3, [
      ...others,
      comment(900, bot, "Another workflow's."),
      comment(901, bot, `${marker}\nold`),
    ]);
    expect(await post()).toEqual({ code: 0, output: "The comment of pull request 3 is updated.\n" });
    expect(shown().slice(130)).toEqual([`${bot} 0: Another workflow's.`, `${bot} 1: ${body}`]);
    expect(shown().filter((line) => line.includes("mine"))).toHaveLength(130);
  });

  it("shows its token to the API alone, not to the store of artefacts", async () => {
    await post();
    expect(api.asked.filter(({ path }) => path.startsWith("/store/"))).toEqual([
      { method: "GET", path: expect.stringMatching(/^\/store\/\d+$/) as string, authorized: false },
    ]);
  });

  it("waits as long as a rate limit asks, and posts then", async () => {
    const limit = { method: "POST", path: /comments$/, status: 403, headers: { "retry-after": "1" } };
    api.faults.push(limit, { ...limit, status: 429, headers: { "retry-after": "0" } });
    const { code, output } = await post();
    expect({ code, output }).toEqual({
      code: 0,
      output:
        "POST /repos/geo/policy/issues/3/comments: rate limit (403); again in 1 s\n" +
        "POST /repos/geo/policy/issues/3/comments: rate limit (429); again in 0 s\n" +
        "The comment of pull request 3 is created.\n",
    });
    expect(shown()).toHaveLength(1);
  });

  it("does not post twice when the server keeps the comment and fails then", async () => {
    api.faults.push({ method: "POST", path: /comments$/, status: 502, done: true });
    expect(await post()).toEqual({ code: 0, output: "The comment of pull request 3 is created.\n" });
    expect(shown()).toEqual([`${bot} 0: ${body}`]);
  });

  it("posts after all when the server failed and kept nothing", async () => {
    api.faults.push({ method: "POST", path: /comments$/, status: 500 });
    expect((await post()).code).toBe(0);
    expect(shown()).toHaveLength(1);
  });

  it("asks again when a list fails for the moment", async () => {
    api.faults.push({ method: "GET", path: /comments$/, status: 503, headers: { "retry-after": "0" } });
    expect((await post()).code).toBe(0);
    expect(shown()).toHaveLength(1);
  });

  it("gives up at once when the wait is too long for a job", async () => {
    api.faults.push({ method: "POST", path: /comments$/, status: 429, headers: { "retry-after": "3600" } });
    expect(await post()).toEqual({
      code: 1,
      output:
        "::error title=harvest-gate comment::The comment could not be posted. POST /repos/geo/policy/issues/3/comments: rate limit (429)\n",
    });
  });

  it("says which permission is missing", async () => {
    api.tokens.set(token, { login: bot, pullRequests: "read", actions: "read" });
    expect(await post()).toEqual({
      code: 1,
      output:
        "::error title=harvest-gate comment::The comment could not be posted. POST /repos/geo/policy/issues/3/comments: answered 403 Does the job have permissions pull-requests: write and actions: read?\n",
    });
  });

  it("says when the run left no report, which is no failure", async () => {
    expect(await post({ GITHUB_RUN_ID: "8" })).toEqual({
      code: 0,
      output: "::notice title=harvest-gate comment::Nothing was posted: the run left no report.\n",
    });
  });

  it("posts nothing of an archive that is not as it should be", async () => {
    api.addArtifact(7, "harvest-gate-report", zipArchive([{ name: "../report.md", content: body }]));
    const { code, output } = await post();
    expect({ code, shown: shown() }).toEqual({ code: 1, shown: [] });
    expect(output).toContain("leads out of its folder");
  });

  it("lets no message of a report give orders to the runner", async () => {
    api.addArtifact(
      7,
      "harvest-gate-report",
      zipArchive([{ name: "a\n::set-output name=x::y/../b", content: body }]),
    );
    const { output } = await post();
    expect(output.split("\n").filter((line) => line.startsWith("::"))).toHaveLength(1);
  });
});
