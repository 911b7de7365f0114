import { Flags } from "@oclif/core";
import type { RunSummary } from "../../harvester/report/summary.js";
import { stopSignal } from "../../harvester/stop-signal.js";
import { BaseCommand, rootFlag } from "../base-command.js";
import { brokenTrial } from "../dry-run/broken-trial.js";
import { choose, defaultLimit, liveRequests, type Choice } from "../dry-run/choose.js";
import { loadTrials, type Trials } from "../dry-run/load-trials.js";
import { trialProgress } from "../dry-run/progress.js";
import { totalsOf, type Tried, type TriedTotals } from "../dry-run/tried.js";
import { trySources, type TrialOptions, type TriedRun } from "../dry-run/try-sources.js";
import { exitCode } from "../exit-codes.js";
import { dryRunText, type WholeReport } from "../format/dry-run-report.js";
import { runFlags } from "../run-flags.js";

/** Stable: fields are added, never renamed. */
interface DryRunOutput {
  readonly target: Choice["kind"];
  readonly totals: TriedTotals;
  readonly sources: readonly Tried[];
  /** The summaries of the runs, as `harvestctl run --json` gives them. */
  readonly runs: readonly RunSummary[];
  /** Why a store that is there was not looked at. */
  readonly storeTrouble?: string | undefined;
  readonly recorded?: string | undefined;
}

const DAY = 86_400;

export default class DryRun extends BaseCommand {
  static override summary = "Try sources with the real pipeline, writing nothing.";
  static override description = `Runs the harvest itself (requests, both gates, transform, classification) on a store in memory, several sources at once within the ceilings of their hosts. Harvests from OAI_SANDBOX_URL when it is set, else from a built-in repository of generated records; with --live from the real endpoint, within the manifest's ceilings and at most --max-requests requests a source. Sets and client certificates of a manifest are not used against a sandbox. Where there is a store (DATABASE_URL, or .harvest below the policy root) it is read, never written: records are then classified against what it holds, from its watermark on, and the last real run stands beside this one.

Exit codes: 0 every source would run, 1 a source would fail, 2 it could not be tried.`;
  static override examples = [
    "<%= config.bin %> dry-run --source harvest/endpoints/ --limit 200 --no-index",
    "<%= config.bin %> dry-run --source manifests/sources/state-gis-clearinghouse.yaml --live --limit 20",
    "<%= config.bin %> dry-run --source manifests/sources/ --live --record surprise.tape",
    "<%= config.bin %> dry-run --source manifests/sources/ --replay surprise.tape",
  ];
  static override flags = {
    ...rootFlag,
    ...runFlags,
    source: Flags.string({
      summary: "A manifest, or a folder of manifests.",
      required: true,
      multiple: true,
    }),
    limit: Flags.integer({
      summary: `Stop each source after this many records; ${String(defaultLimit)} unless told, of a replay what was recorded.`,
      min: 1,
    }),
    "no-index": Flags.boolean({ summary: "Feed no search index (a dry run never does; CI may say so)." }),
    live: Flags.boolean({ summary: "Ask the real endpoint." }),
    "max-requests": Flags.integer({
      summary: `Send each source at most this many requests, repetitions counted; ${String(liveRequests)} with --live unless told.`,
      min: 1,
    }),
    jobs: Flags.integer({ summary: "Sources tried at once.", min: 1, max: 64, default: 4 }),
    full: Flags.boolean({ summary: "Read from the beginning, not from the stored watermark." }),
    store: Flags.string({ summary: "Folder of the embedded store to compare with." }),
    record: Flags.string({ summary: "Record the HTTP exchange to this file, without secrets." }),
    replay: Flags.string({
      summary: "Ask nobody: answer from this recording.",
      exclusive: ["record", "live", "max-requests"],
    }),
  };

  async run(): Promise<DryRunOutput> {
    const { flags } = await this.parse(DryRun);
    const trials = await loadTrials(flags.source);
    const choice = await choose(flags, process.env);
    try {
      const { root, secrets, jobs, threads, full } = flags;
      const runs = await this.tryAll(trials, {
        ...{ root, secrets, jobs, threads, full },
        logLevel: flags["log-level"],
        choice,
      });
      return this.tell(runs, { choice, recorded: flags.record });
    } finally {
      await Promise.all([choice.sandbox?.close(), choice.found.store?.close()]);
    }
  }

  private async tryAll(trials: Trials, { choice, ...options }: Wish): Promise<readonly TriedRun[]> {
    const { sandbox, recording, found, ...bounds } = choice;
    const stop = stopSignal(DAY);
    const progress = trialProgress(trials.sources.length, options.logLevel !== undefined);
    try {
      const runs = await trySources(trials.sources, {
        ...options,
        ...bounds,
        ...progress,
        record: recording,
        store: found.store,
        target: sandbox === undefined ? { kind: "live" } : { kind: "sandbox", url: sandbox.url },
        signal: stop.signal,
      });
      return [...runs, ...trials.broken.map(brokenTrial)];
    } finally {
      progress.end();
      stop.end();
      // What was recorded until a stop is a recording too.
      await recording?.tape.close();
    }
  }

  private tell(runs: readonly TriedRun[], told: Told): DryRunOutput {
    const all = runs.map(({ tried }) => tried);
    const totals = totalsOf(all);
    const { kind: target, found } = told.choice;
    const report: WholeReport = {
      ...{ all, totals, target },
      runs: runs.map(({ summary }) => summary),
      storeTrouble: found.trouble,
      recorded: told.recorded,
    };
    this.log(dryRunText(report, { theme: this.theme(), width: this.width() }));
    this.finish(verdict(totals));
    const { all: sources, ...rest } = report;
    return { ...rest, sources };
  }
}

interface Told {
  readonly choice: Choice;
  readonly recorded: string | undefined;
}

interface Wish extends Pick<TrialOptions, "root" | "secrets" | "jobs" | "threads" | "full" | "logLevel"> {
  readonly choice: Choice;
}

function verdict({ fails, untried }: TriedTotals): number {
  if (fails > 0) return exitCode.findings;
  return untried > 0 ? exitCode.failed : exitCode.clean;
}
