import { describe, expect, it } from "vitest";
import { findPullRequest, type Target } from "./gate-scripts.js";

const repository = "geo/policy";
const serverUrl = "https://github.com";
const fork = { id: 9, full_name: "stranger/policy", owner: { login: "stranger" } };
const finished = {
  event: "pull_request",
  head_sha: "a".repeat(40),
  head_branch: "more&state=closed",
  head_repository: fork,
  id: 77,
};
const open = { number: 12, head: { sha: "a".repeat(40), repo: { id: 9 } } };

interface Case {
  readonly name: string;
  readonly event: string;
  readonly payload: unknown;
  readonly pulls?: readonly unknown[];
  readonly expect: Target;
}

function none(why: string): Target {
  return { kind: "none", why };
}

const cases: readonly Case[] = [
  {
    name: "of the repository: the event's own number",
    event: "pull_request",
    payload: { pull_request: { number: 4, head: { repo: { full_name: repository } } } },
    expect: { kind: "found", number: 4, runId: 5, runUrl: "https://github.com/geo/policy/actions/runs/5" },
  },
  {
    name: "of a fork: left to the workflow that follows",
    event: "pull_request",
    payload: { pull_request: { number: 4, head: { repo: { full_name: "stranger/policy" } } } },
    expect: none("the pull request comes from a fork: the workflow that follows posts"),
  },
  {
    name: "of a fork that was deleted",
    event: "pull_request",
    payload: { pull_request: { number: 4, head: { repo: null } } },
    expect: none("the pull request comes from a fork: the workflow that follows posts"),
  },
  {
    name: "after a fork's run: the open one with this commit",
    event: "workflow_run",
    payload: { workflow_run: finished },
    pulls: [{ number: 11, head: { sha: "b".repeat(40), repo: { id: 9 } } }, open],
    expect: {
      kind: "found",
      number: 12,
      runId: 77,
      runUrl: "https://github.com/geo/policy/actions/runs/77",
      fork: "stranger/policy",
    },
  },
  {
    name: "after a fork's run when somebody has pushed again",
    event: "workflow_run",
    payload: { workflow_run: finished },
    pulls: [{ number: 12, head: { sha: "b".repeat(40), repo: { id: 9 } } }],
    expect: none("no open pull request has this commit at its head any more"),
  },
  {
    name: "of another repository with the same commit",
    event: "workflow_run",
    payload: { workflow_run: finished },
    pulls: [{ number: 12, head: { sha: "a".repeat(40), repo: { id: 10 } } }],
    expect: none("no open pull request has this commit at its head any more"),
  },
  {
    name: "two with the same head",
    event: "workflow_run",
    payload: { workflow_run: finished },
    pulls: [open, { ...open, number: 13 }],
    expect: none("several pull requests have this commit at their head"),
  },
  {
    name: "after a run of the repository itself",
    event: "workflow_run",
    payload: { workflow_run: { ...finished, head_repository: { ...fork, full_name: repository } } },
    expect: none("the run has commented itself: it is no fork's"),
  },
  {
    name: "after a run that no pull request started",
    event: "workflow_run",
    payload: { workflow_run: { ...finished, event: "push" } },
    expect: none("the run was started by push"),
  },
  {
    name: "after a run of a fork that is gone",
    event: "workflow_run",
    payload: { workflow_run: { ...finished, head_repository: null } },
    expect: none("the fork is gone"),
  },
  { name: "on a push", event: "push", payload: {}, expect: none("the event push has no pull request") },
];

describe("the pull request of a run", () => {
  it.each(cases)("$name", async ({ event, payload, pulls = [], expect: expected }) => {
    const asked: string[] = [];
    const found = await findPullRequest(
      { name: event, event: payload, repository, runId: 5, serverUrl },
      (_, path) => {
        asked.push(path);
        return Promise.resolve(pulls);
      },
    );
    expect(found).toEqual(expected);
    // A branch's name is a stranger's text: it stays one value of the query.
    for (const path of asked)
      expect(path).toBe(
        "/repos/geo/policy/pulls?state=open&per_page=100&head=stranger%3Amore%26state%3Dclosed",
      );
  });

  it("takes no number that is none", async () => {
    const payload = { pull_request: { number: "4/../../x", head: { repo: { full_name: repository } } } };
    await expect(
      findPullRequest({ name: "pull_request", event: payload, repository, runId: 5, serverUrl }, () =>
        Promise.resolve([]),
      ),
    ).rejects.toThrow("is no number");
  });
});
