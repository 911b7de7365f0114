/**
 * Posts the report of the gate as the one comment of its pull request. Reads what GitHub sets for every step, and:
 * GATE_TOKEN, GATE_ARTIFACT (name), GATE_REPORT (file in it), GATE_AUTHOR (login the token comments as).
 * Exit code 0: posted, or nothing to post (said why); 1: it could not be posted.
 */
import { readFileSync } from "node:fs";
import { ApiFailure, askApi } from "./ask-api.mjs";
import { commentBody } from "./comment-body.mjs";
import { findPullRequest } from "./find-pull-request.mjs";
import { readReport } from "./read-report.mjs";
import { keepOneComment } from "./sticky-comment.mjs";

const { env } = process;

function required(name) {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set.`);
  return value;
}

function say(level, sentence) {
  // A workflow command ends at a line feed: a value with one must not begin another (docs.github.com, workflow commands).
  const text = sentence.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  process.stdout.write(`::${level} title=harvest-gate comment::${text}\n`);
}

function commentsOf(github, { number, author }) {
  const path = `/repos/${github.repository}/issues`;
  return {
    async list(page, size) {
      const query = `per_page=${String(size)}&page=${String(page)}`;
      const comments = await github.ask("GET", `${path}/${String(number)}/comments?${query}`);
      return comments.map(({ id, body, user }) => ({ id, body: body ?? "", ours: user?.login === author }));
    },
    create: (body) => github.ask("POST", `${path}/${String(number)}/comments`, { body }),
    update: (id, body) => github.ask("PATCH", `${path}/comments/${String(Number(id))}`, { body }),
  };
}

async function main() {
  const api = required("GITHUB_API_URL");
  const headers = {
    authorization: `Bearer ${required("GATE_TOKEN")}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": "harvest-gate",
  };
  const repository = required("GITHUB_REPOSITORY");
  const github = { api, headers, repository, ask: askApi({ base: api, headers }) };
  const run = {
    name: required("GITHUB_EVENT_NAME"),
    event: JSON.parse(readFileSync(required("GITHUB_EVENT_PATH"), "utf8")),
    repository,
    runId: Number(required("GITHUB_RUN_ID")),
    serverUrl: required("GITHUB_SERVER_URL"),
  };
  const target = await findPullRequest(run, github.ask);
  if (target.kind === "none") return say("notice", `Nothing was posted: ${target.why}.`);
  const which = { runId: target.runId, artifact: required("GATE_ARTIFACT"), file: required("GATE_REPORT") };
  const report = await readReport(github, which);
  if (report === undefined) return say("notice", "Nothing was posted: the run left no report.");
  const body = commentBody(report, target);
  const done = await keepOneComment(
    commentsOf(github, { number: target.number, author: required("GATE_AUTHOR") }),
    body,
  );
  process.stdout.write(`The comment of pull request ${String(target.number)} is ${done}.\n`);
}

function remedyOf(error) {
  if (!(error instanceof ApiFailure)) return "";
  if (error.status === 403 || error.status === 404)
    return " Does the job have permissions pull-requests: write and actions: read?";
  return error.status === 401 ? " Is the token right?" : "";
}

try {
  await main();
} catch (error) {
  say("error", `The comment could not be posted. ${error.message}${remedyOf(error)}`);
  process.exitCode = 1;
}
