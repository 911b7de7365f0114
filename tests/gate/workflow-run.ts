/**
 * Runs a workflow as GitHub's runner would: jobs in their order, each step's command as it is written, in bash with the
 * runner's options, with the files of GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH and GITHUB_STEP_SUMMARY. `uses:` of our own
 * actions are run step by step; those of others are stand-ins that do the same (foreign-actions.ts).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { evaluate, holds, interpolate, type Context } from "./expression.js";
import { runForeign, type Runner } from "./foreign-actions.js";

export interface WorkflowEvent {
  readonly name: "pull_request" | "workflow_run";
  readonly payload: Readonly<Record<string, unknown>>;
  /** Branch the pull request goes to. */
  readonly baseRef?: string;
}

export interface RunOptions {
  readonly file: string;
  readonly runner: Runner;
  readonly event: WorkflowEvent;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Token of a job, from the permissions it asks for. */
  tokenFor(permissions: Readonly<Record<string, string>>): string;
}

export interface JobRun {
  readonly result: "success" | "failure" | "skipped";
  /** What the job's steps printed. */
  readonly log: string;
  readonly summary: string;
  readonly outcomes: Readonly<Record<string, string>>;
}

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly "continue-on-error"?: boolean;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Action {
  readonly inputs?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly outputs?: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** Jobs by name. They are run in the order of the file, which must be one that `needs` allows. */
export async function runWorkflow(options: RunOptions): Promise<Readonly<Record<string, JobRun>>> {
  const workflow = parse(readFileSync(options.file, "utf8")) as Workflow;
  const done: Record<string, JobRun> = {};
  for (const [name, job] of Object.entries(workflow.jobs))
    done[name] = await runJob({ ...options, workflow, job, done });
  return done;
}

interface JobOptions extends RunOptions {
  readonly workflow: Workflow;
  readonly job: Job;
  readonly done: Readonly<Record<string, JobRun>>;
}

async function runJob(options: JobOptions): Promise<JobRun> {
  const { job, done, workflow } = options;
  const needs = [job.needs ?? []].flat();
  const allGood = needs.every((need) => done[need]?.result === "success");
  const context = contextOf(options, needs);
  const wanted = conditionHolds(job.if, context, allGood);
  if (!wanted) return { result: "skipped", log: "", summary: "", outcomes: {} };
  const scene = new JobScene(options.runner, { ...workflow.env, ...job.env }, context);
  const { good } = await scene.runSteps(job.steps, { context });
  return {
    result: good ? "success" : "failure",
    log: scene.log,
    summary: scene.summary(),
    outcomes: scene.outcomes,
  };
}

function contextOf(options: JobOptions, needs: readonly string[]): Context {
  const { runner, event, secrets = {}, job, workflow, done } = options;
  const token = options.tokenFor(job.permissions ?? workflow.permissions ?? {});
  return {
    github: {
      event: event.payload,
      event_name: event.name,
      repository: runner.repository,
      base_ref: event.baseRef ?? "",
      token,
      workspace: runner.workspace,
    },
    runner: { temp: runner.temp },
    secrets: { ...secrets, GITHUB_TOKEN: token },
    needs: Object.fromEntries(needs.map((need) => [need, { result: done[need]?.result }])),
    hashFiles: (path: string) => (existsSync(join(runner.workspace, path)) ? "0123abc" : ""),
    always: () => true,
    event,
  };
}

/** Without a word about the state, a condition is only asked when all went well (docs.github.com, expressions). */
function conditionHolds(condition: string | undefined, context: Context, good: boolean): boolean {
  if (condition === undefined) return good;
  const states = { success: () => good, failure: () => !good, cancelled: () => false };
  const asksState = /\b(always|success|failure|cancelled)\(\)/.test(condition);
  return (good || asksState) && holds(condition, { ...context, ...states });
}

interface StepRun {
  readonly code: number;
  readonly outputs: Readonly<Record<string, string>>;
}

interface StepPlace {
  readonly context: Context;
  /** Of the action the steps belong to. */
  readonly actionPath?: string;
}

class JobScene {
  log = "";
  readonly outcomes: Record<string, string> = {};
  readonly #runner: Runner;
  readonly #env: Record<string, string> = {};
  readonly #folder: string;
  #path: string;
  #steps = 0;
  readonly #summaries: string[] = [];

  constructor(runner: Runner, env: Readonly<Record<string, unknown>>, context: Context) {
    this.#runner = runner;
    this.#folder = mkdtempSync(join(runner.temp, "_runner-"));
    this.#path = process.env["PATH"] ?? "";
    for (const [name, value] of Object.entries(env)) this.#env[name] = interpolate(String(value), context);
  }

  summary(): string {
    return this.#summaries
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, "utf8"))
      .join("");
  }

  /** `good`: did all go well? `results`: the context `steps` at the end. */
  async runSteps(
    steps: readonly Step[],
    place: StepPlace,
  ): Promise<{ readonly good: boolean; readonly results: Readonly<Record<string, unknown>> }> {
    let good = true;
    const results: Record<string, unknown> = {};
    for (const step of steps) {
      const context = { ...place.context, steps: results };
      const label = step.name ?? step.uses ?? step.id ?? step.run ?? "";
      if (!conditionHolds(step.if, context, good)) {
        this.#keep(step, results, { label, outcome: "skipped", outputs: {} });
        continue;
      }
      this.log += `##[group]${label}\n`;
      const { code, outputs } = await this.#runStep(step, { ...place, context });
      this.#keep(step, results, { label, outcome: code === 0 ? "success" : "failure", outputs });
      if (code !== 0 && step["continue-on-error"] !== true) good = false;
    }
    return { good, results };
  }

  #keep(
    step: Step,
    results: Record<string, unknown>,
    { label, outcome, outputs }: { label: string; outcome: string; outputs: unknown },
  ): void {
    this.outcomes[label] = outcome;
    if (step.id !== undefined) results[step.id] = { outcome, outputs };
  }

  async #runStep(step: Step, place: StepPlace): Promise<StepRun> {
    const given = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([key, value]) => [key, interpolate(String(value), place.context)]),
    );
    if (step.uses === undefined) return this.#runCommand(step, place);
    const own = this.#runner.ownAction(step.uses);
    if (own !== undefined) return this.#runAction(own, given, place);
    const { code, said } = runForeign(step.uses, given, this.#runner);
    this.log += `${said}\n`;
    return { code, outputs: {} };
  }

  async #runAction(
    folder: string,
    given: Readonly<Record<string, string>>,
    { context }: StepPlace,
  ): Promise<StepRun> {
    const action = parse(readFileSync(join(folder, "action.yml"), "utf8")) as Action;
    const defaults = Object.entries(action.inputs ?? {}).map(([name, input]) => [
      name,
      interpolate(String(input.default ?? ""), context),
    ]);
    const inner = { ...context, inputs: { ...Object.fromEntries(defaults), ...given } };
    const { good, results } = await this.runSteps(action.runs.steps, { context: inner, actionPath: folder });
    const outputs = Object.entries(action.outputs ?? {}).map(([name, { value }]) => [
      name,
      interpolate(value, { steps: results }),
    ]);
    return { code: good ? 0 : 1, outputs: Object.fromEntries(outputs) as Record<string, string> };
  }

  async #runCommand(step: Step, { context, actionPath }: StepPlace): Promise<StepRun> {
    this.#steps += 1;
    const folder = join(this.#folder, String(this.#steps));
    mkdirSync(folder);
    const script = join(folder, "script.sh");
    writeFileSync(script, interpolate(step.run ?? "", context));
    const files = {
      GITHUB_OUTPUT: "output",
      GITHUB_ENV: "env",
      GITHUB_PATH: "path",
      GITHUB_STEP_SUMMARY: "summary",
    };
    const env: Record<string, string> = { ...this.#base(context, folder), ...this.#env };
    for (const [name, file] of Object.entries(files)) env[name] = join(folder, file);
    for (const [name, value] of Object.entries(step.env ?? {}))
      env[name] = interpolate(String(value), context);
    if (actionPath !== undefined) env["GITHUB_ACTION_PATH"] = actionPath;
    // docs.github.com, jobs.<id>.steps[*].shell: what is not named is bash -e, what is named has pipefail too.
    const options = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];
    const code = await this.#bash([...options, script], env);
    this.#summaries.push(join(folder, "summary"));
    this.#path = [...[...linesOf(join(folder, "path"))].reverse(), this.#path].join(":");
    Object.assign(this.#env, pairsOf(join(folder, "env")));
    return { code, outputs: pairsOf(join(folder, "output")) };
  }

  /** Its exit code; what it prints goes to the log. */
  async #bash(args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
    const child = spawn("bash", args, {
      cwd: this.#runner.workspace,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 255;
  }

  /** What the runner sets for every step. */
  #base(context: Context, folder: string): Record<string, string> {
    const { workspace, temp, repository, apiUrl, runId } = this.#runner;
    const event = join(folder, "event.json");
    writeFileSync(event, JSON.stringify(evaluate("github.event", context)));
    return {
      PATH: this.#path,
      HOME: temp,
      CI: "true",
      TZ: "UTC",
      GITHUB_ACTIONS: "true",
      GITHUB_API_URL: apiUrl,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ID: String(runId),
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_PATH: event,
      GITHUB_EVENT_NAME: String(evaluate("github.event_name", context)),
      GITHUB_BASE_REF: String(evaluate("github.base_ref", context)),
      RUNNER_TEMP: temp,
    };
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

function pairsOf(file: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(file).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
