/** Many sources at once: ceilings kept, none stopped by another, a strict budget, Ctrl-C for all. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { loadTrials } from "../../cli/dry-run/load-trials.js";
import { totalsOf } from "../../cli/dry-run/tried.js";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../cli/sandbox/sandbox.js";
import { Fault } from "../../harvester/fault.js";
import { manifestOf, sourceOf } from "../run/scene.js";
import { policyFolder } from "../impact/impact-stage.js";
import { dryRun } from "./dry-run-stage.js";

const opened: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function sandboxOf(wish: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ source: { kind: "generated", count: 30 }, pageSize: 10, ...wish });
  opened.push(sandbox);
  return sandbox;
}

const sixNames = ["a", "b", "c", "d", "e", "f"];

/** Most runs that can have been under way at one moment, by the order of their requests: Identify and three pages each. */
function mostAtOnce(verbs: readonly string[]): number {
  let [begun, pages, most] = [0, 0, 0];
  for (const verb of verbs) {
    if (verb === "Identify") begun += 1;
    else pages += 1;
    most = Math.max(most, begun - Math.floor(pages / 3));
  }
  return most;
}

function verbsOf(sandbox: Sandbox): readonly string[] {
  return sandbox.control.requests().last.map(({ verb }) => verb);
}

function ceilings(text: string): string {
  const policy = policyFolder();
  folders.push(policy.dir);
  writeFileSync(join(policy.dir, "rules/fair-use.yaml"), text);
  return policy.dir;
}

it.each([
  { name: "one slot: one run after the other", ceiling: 1 },
  { name: "two slots: two at most, whatever the manifests ask for", ceiling: 2 },
])("six sources of one host share its slots, $name", async ({ ceiling }) => {
  const policy = ceilings(`hosts:\n  127.0.0.1:\n    maxRequests: ${String(ceiling)}\n`);
  const sandbox = await sandboxOf();
  sandbox.control.arm({ kind: "slow-drip", bytes: 2000, pauseMs: 20, times: 0 });
  const concurrency = { maxRequests: 50, requestsPerSecond: 1000 };
  const sources = sixNames.map((name) => sourceOf(sandbox.url, { concurrency }, name));
  const runs = await dryRun(sources, { jobs: 6, root: policy });
  expect(runs.map(({ tried }) => [tried.source, tried.verdict, tried.counts.read])).toEqual(
    sixNames.map((name) => [name, "ok", 30]),
  );
  expect(verbsOf(sandbox)).toHaveLength(24);
  expect(mostAtOnce(verbsOf(sandbox))).toBe(ceiling);
});

it("a sandbox in the place of several hosts is asked as those hosts would be: side by side", async () => {
  const policy = ceilings("default:\n  maxRequests: 1\n");
  const sandbox = await sandboxOf();
  sandbox.control.arm({ kind: "slow-drip", bytes: 2000, pauseMs: 50, times: 0 });
  const hosts = ["a", "a", "b", "b"];
  const sources = hosts.map((host, i) => sourceOf(`https://${host}.example/oai`, {}, `${host}${String(i)}`));
  const target = { kind: "sandbox", url: sandbox.url } as const;
  const runs = await dryRun(sources, { target, root: policy });
  expect(runs.map(({ tried }) => tried.verdict)).toEqual(["ok", "ok", "ok", "ok"]);
  expect(mostAtOnce(verbsOf(sandbox))).toBe(2);
});

it("more policies than gate threads: they take turns", async () => {
  const sandbox = await sandboxOf();
  const sources = [1, 2, 3, 4, 5].map((n) =>
    sourceOf(sandbox.url, { limits: { maxRecordBytes: 1_000_000 + n } }, `s${String(n)}`),
  );
  const runs = await dryRun(sources, { jobs: 5, threads: 2 });
  expect(runs.map(({ tried }) => tried.counts.valid)).toEqual([30, 30, 30, 30, 30]);
});

it("one bad source never stops the others: refused, missing rules, broken manifest", async () => {
  const [good, gone] = [await sandboxOf(), await sandboxOf()];
  gone.control.arm({ kind: "status", status: 404, times: 0 });
  const noRules = { xsd: "schemas/oai_dc.xsd", schematron: "rules/none.sch" };
  const runs = await dryRun([
    sourceOf(gone.url, {}, "gone"),
    sourceOf(good.url, { validation: noRules }, "no-rules"),
    sourceOf(good.url, {}, "good"),
  ]);
  expect(runs.map(({ tried }) => [tried.source, tried.verdict, tried.code, tried.counts.read])).toEqual([
    ["gone", "untried", "NotFound", 0],
    ["no-rules", "fails", "PolicyFile", 0],
    ["good", "ok", undefined, 30],
  ]);
  const totals = totalsOf(runs.map(({ tried }) => tried));
  expect(totals).toMatchObject({ sources: 3, ok: 1, fails: 1, untried: 1, counts: { read: 30, insert: 30 } });
});

it("a folder with a broken manifest: the others are tried, and the broken one is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "manifests-"));
  folders.push(folder);
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in/a.yaml"), JSON.stringify(manifestOf("https://a.example/oai", {}, "a")));
  writeFileSync(join(folder, "in/b.yaml"), "kind: HarvestSource\napiVersion: ingest.geoportal.io/v1\n");
  const { sources, broken } = await loadTrials([join(folder, "in")]);
  expect(sources.map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect(broken.map(({ file, fault }) => [file, fault.code])).toEqual([
    [join(folder, "in/b.yaml"), "BadManifest"],
  ]);
});

it.each([
  { name: "pages", maxRequests: 3, arm: [], read: 20, verdict: "ok", requests: 3 },
  { name: "nothing but Identify", maxRequests: 1, arm: [], read: 0, verdict: "untried", requests: 1 },
  {
    name: "repetitions count",
    maxRequests: 4,
    arm: [{ kind: "status", status: 500, verb: "ListRecords", times: 2 } as const],
    read: 10,
    verdict: "ok",
    requests: 4,
  },
  {
    name: "connections that are closed count",
    maxRequests: 3,
    arm: [{ kind: "drop-connection", times: 0 } as const],
    read: 0,
    verdict: "untried",
    requests: 3,
  },
])("a budget of requests: $name", async ({ maxRequests, arm, read, verdict, requests }) => {
  const sandbox = await sandboxOf();
  for (const fault of arm) sandbox.control.arm(fault);
  const backoff = { initialMs: 100, maxMs: 200, maxAttempts: 10 };
  const [run] = await dryRun([sourceOf(sandbox.url, { backoff }, "one")], { maxRequests });
  expect(run!.tried).toMatchObject({ verdict, code: "RequestBudget", counts: { read } });
  expect(run!.tried.message).toBe(`Stopped after ${String(maxRequests)} requests, as many as were allowed.`);
  expect(run!.summary.watermarks.every((w) => w.after === w.before)).toBe(true);
  expect(sandbox.control.requests().count).toBe(requests);
});

it("a budget of requests: each redirect that is followed counts", async () => {
  const [moved, target] = [await sandboxOf(), await sandboxOf()];
  moved.control.arm({ kind: "redirect", value: target.url, times: 0 });
  const transport = {
    allowPrivateNetwork: true,
    minTlsVersion: "1.2",
    allowedRedirectOrigins: [new URL(target.url).origin],
  };
  const [run] = await dryRun([sourceOf(moved.url, { transport }, "one")], { maxRequests: 3 });
  expect(run!.tried).toMatchObject({ verdict: "untried", code: "RequestBudget", counts: { read: 0 } });
  expect([moved, target].map(({ control }) => control.requests().count)).toEqual([2, 1]);
});

it("a stop ends all: those under way, and those not begun", async () => {
  const sandbox = await sandboxOf();
  sandbox.control.arm({ kind: "stall", times: 0, verb: "ListRecords" });
  const stop = new AbortController();
  const begun: string[] = [];
  const runs = dryRun(
    sixNames.map((name) => sourceOf(sandbox.url, {}, name)),
    {
      jobs: 2,
      signal: stop.signal,
      onBegin: (source) => begun.push(source),
      onEvent: (event) => {
        if (event.kind === "window")
          stop.abort(new Fault("interrupted", { code: "Interrupted", sentence: "Stopped by SIGINT." }));
      },
    },
  );
  expect((await runs).map(({ tried }) => [tried.verdict, tried.code])).toEqual(
    sixNames.map(() => ["untried", "Interrupted"]),
  );
  expect(sandbox.control.requests().count).toBeLessThanOrEqual(4);
});
