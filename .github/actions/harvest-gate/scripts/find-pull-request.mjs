/** Which pull request a run belongs to: told by the event and the API alone, never by anything the run's code wrote. */

/**
 * @typedef {{ kind: "found", number: number, runId: number, runUrl: string, fork?: string }
 *   | { kind: "none", why: string }} Target
 */

/**
 * @param {{ name: string, event: any, repository: string, runId: number, serverUrl: string }} run what started this job
 * @param {(method: string, path: string) => Promise<any>} ask
 * @returns {Promise<Target>}
 */
export async function findPullRequest(run, ask) {
  if (run.name === "pull_request") return ofPullRequest(run);
  if (run.name === "workflow_run") return ofFinishedRun(run, ask);
  return none(`the event ${run.name} has no pull request`);
}

function ofPullRequest({ event, repository, runId, serverUrl }) {
  const from = event.pull_request.head.repo?.full_name;
  // The token of such a run may read only; the workflow that follows it posts.
  if (from !== repository) return none("the pull request comes from a fork: the workflow that follows posts");
  const number = numberOf(event.pull_request.number);
  return { kind: "found", number, runId, runUrl: runUrlOf({ serverUrl, repository, runId }) };
}

async function ofFinishedRun({ event, repository, serverUrl }, ask) {
  const { event: cause, head_sha: sha, head_branch: branch, head_repository: from, id } = event.workflow_run;
  if (cause !== "pull_request") return none(`the run was started by ${String(cause)}`);
  if (from === null || from === undefined) return none("the fork is gone");
  if (from.full_name === repository) return none("the run has commented itself: it is no fork's");
  // `pull_requests` of the event is empty for forks: the API is asked for what is open from that branch, and the commit
  // decides. Names of branches are a stranger's text.
  const head = encodeURIComponent(`${from.owner.login}:${branch}`);
  const open = await ask("GET", `/repos/${repository}/pulls?state=open&per_page=100&head=${head}`);
  const fitting = open.filter((pull) => pull.head.sha === sha && pull.head.repo?.id === from.id);
  if (fitting.length === 0) return none("no open pull request has this commit at its head any more");
  if (fitting.length > 1) return none("several pull requests have this commit at their head");
  const runId = numberOf(id);
  const number = numberOf(fitting[0].number);
  return {
    kind: "found",
    number,
    runId,
    runUrl: runUrlOf({ serverUrl, repository, runId }),
    fork: nameOf(from),
  };
}

function runUrlOf({ serverUrl, repository, runId }) {
  return `${serverUrl}/${repository}/actions/runs/${String(runId)}`;
}

/** GitHub's names have no other characters; what has is not shown. */
function nameOf({ full_name: name }) {
  return /^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/.test(name) ? name : "unknown";
}

function numberOf(value) {
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`${JSON.stringify(value)} is no number.`);
  return value;
}

function none(why) {
  return { kind: "none", why };
}
