import { Flags } from "@oclif/core";
import { openMemoryStore } from "../../harvester/persist/memory-store.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { BaseCommand, rootFlag } from "../base-command.js";
import { redirectToSandbox, sandboxFor, type SandboxTarget } from "../dry-run-target.js";
import { exitCode } from "../exit-codes.js";
import { summaryText } from "../format/summary.js";
import { plural } from "../format/words.js";
import { loadSources } from "../load-sources.js";
import { runFlags } from "../run-flags.js";
import { runOne } from "../run-one.js";

export default class DryRun extends BaseCommand {
  static override summary = "Try sources with the real pipeline, writing nothing.";
  static override description = `Runs the harvest itself (requests, both gates, transform, classification) on a store in memory. Harvests from OAI_SANDBOX_URL when it is set, else from a built-in repository of generated records; with --live from the real endpoint, politely, within the manifest's ceilings. Sets and client certificates of a manifest are not used against a sandbox.

Exit codes: 0 every source would run, 1 a source would fail, 2 it could not be tried.`;
  static override examples = [
    "<%= config.bin %> dry-run --source harvest/endpoints/ --limit 200 --no-index",
    "<%= config.bin %> dry-run --source manifests/sources/state-gis-clearinghouse.yaml --live --limit 20",
  ];
  static override flags = {
    ...rootFlag,
    ...runFlags,
    source: Flags.string({
      summary: "A manifest, or a folder of manifests.",
      required: true,
      multiple: true,
    }),
    limit: Flags.integer({ summary: "Stop each source after this many records.", min: 1, default: 200 }),
    "no-index": Flags.boolean({ summary: "Feed no search index (a dry run never does; CI may say so)." }),
    live: Flags.boolean({ summary: "Ask the real endpoint." }),
  };

  async run(): Promise<{ runs: readonly RunSummary[] }> {
    const { flags } = await this.parse(DryRun);
    const sources = await loadSources(flags.source);
    const target = flags.live ? undefined : await sandboxFor(process.env["OAI_SANDBOX_URL"], flags.limit);
    try {
      const runs: RunSummary[] = [];
      for (const source of sources)
        runs.push(await this.try(source, target, { ...flags, logLevel: flags["log-level"] }));
      this.finish(verdict(runs));
      this.log(`\n${closing(runs)}`);
      return { runs };
    } finally {
      await target?.close();
    }
  }

  private async try(
    source: HarvestSource,
    target: SandboxTarget | undefined,
    options: Parameters<typeof runOne>[2],
  ): Promise<RunSummary> {
    const tried = target === undefined ? source : redirectToSandbox(source, target.url);
    const summary = asTried(await runOne(tried, openMemoryStore(), options));
    this.log(summaryText(summary, { theme: this.theme(), stored: false }));
    return summary;
  }
}

/** Reaching the limit is what was asked for, so it is no fault here; the message still says that it was a sample. */
function asTried(summary: RunSummary): RunSummary {
  if (summary.code !== "LimitReached") return summary;
  return { ...summary, outcome: "complete", exitCode: 0 };
}

const couldNotTry = new Set([69, 70, 74, 75]);

function verdict(runs: readonly RunSummary[]): number {
  const failed = runs.filter((r) => r.outcome !== "complete");
  if (failed.length === 0) return exitCode.clean;
  return failed.every((r) => couldNotTry.has(r.exitCode)) ? exitCode.failed : exitCode.findings;
}

function closing(runs: readonly RunSummary[]): string {
  const failed = runs.filter((r) => r.outcome !== "complete").length;
  const records = runs.reduce((sum, r) => sum + r.counts.read, 0);
  const refused = runs.reduce((sum, r) => sum + r.counts.quarantined, 0);
  const verb = failed === 0 ? "would run" : `tried, ${plural(failed, "would fail", "would fail")}`;
  const sampled = runs.some((r) => r.code === "LimitReached") ? " It was a sample (--limit)." : "";
  return `${plural(runs.length, "source")} ${verb}: ${plural(records, "record")} read, ${plural(refused, "record")} refused. Nothing was written.${sampled}`;
}
