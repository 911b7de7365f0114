/**
 * note.mjs REPORT.MD: keeps the report as one note of the merge request. Reads what GitLab sets for a merge request
 * pipeline, and HARVEST_GATE_TOKEN. Exit code 0: posted, or nothing to post (said why); 1: it could not be posted.
 */
import { readFileSync } from "node:fs";
import { askApi } from "../../.github/actions/harvest-gate/scripts/ask-api.mjs";
import { commentBody } from "../../.github/actions/harvest-gate/scripts/comment-body.mjs";
import { keepOneComment } from "../../.github/actions/harvest-gate/scripts/sticky-comment.mjs";

const { env } = process;

function required(name) {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set.`);
  return value;
}

function numberIn(name) {
  const value = Number(required(name));
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${name} is no number.`);
  return value;
}

function notesOf(ask, me) {
  const path = `/projects/${String(numberIn("CI_PROJECT_ID"))}/merge_requests/${String(numberIn("CI_MERGE_REQUEST_IID"))}/notes`;
  return {
    async list(page, size) {
      const query = `sort=asc&order_by=created_at&per_page=${String(size)}&page=${String(page)}`;
      const notes = await ask("GET", `${path}?${query}`);
      return notes.map(({ id, body, author, system }) => ({
        id,
        body: body ?? "",
        ours: !system && author?.id === me,
      }));
    },
    create: (body) => ask("POST", path, { body }),
    update: (id, body) => ask("PUT", `${path}/${String(Number(id))}`, { body }),
  };
}

/** A merge request of a fork may be run in this project by a member: its report is a stranger's all the same. */
function forkOf() {
  const from = env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID;
  if (from === undefined || from === env.CI_PROJECT_ID) return {};
  const name = env.CI_MERGE_REQUEST_SOURCE_PROJECT_PATH ?? "";
  return { fork: /^[\w./-]{1,255}$/.test(name) ? name : "unknown" };
}

async function main(file) {
  if ((env.HARVEST_GATE_TOKEN ?? "") === "")
    return "Nothing was posted: there is no HARVEST_GATE_TOKEN here. The report is in the job's artefacts.";
  const headers = { "private-token": env.HARVEST_GATE_TOKEN, "user-agent": "harvest-gate" };
  const ask = askApi({ base: required("CI_API_V4_URL"), headers });
  const { id: me } = await ask("GET", "/user");
  const body = commentBody(readFileSync(file, "utf8"), { runUrl: required("CI_JOB_URL"), ...forkOf() });
  const done = await keepOneComment(notesOf(ask, me), body);
  return `The note of merge request ${String(numberIn("CI_MERGE_REQUEST_IID"))} is ${done}.`;
}

try {
  process.stdout.write(`${await main(process.argv[2] ?? "")}\n`);
} catch (error) {
  process.stderr.write(`The note could not be posted. ${error.message}\n`);
  process.exitCode = 1;
}
