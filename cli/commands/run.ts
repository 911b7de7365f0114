import { Flags } from "@oclif/core";
import { faultTable, type Fault } from "../../harvester/fault.js";
import type { RunSummary } from "../../harvester/report/summary.js";
import { summaryText } from "../format/summary.js";
import { loadSources } from "../load-sources.js";
import { nextRunText } from "../next-run.js";
import { runFlags } from "../run-flags.js";
import { runOne, worstExitCode } from "../run-one.js";
import { StoreCommand, storeFlags } from "../store-command.js";

export default class Run extends StoreCommand {
  static override summary = "Harvest sources now, into the store.";
  static override description = `Reads what changed since the last run, puts each record through both gates, quarantines the ones that fail, and moves the watermark only with the records it covers. Several sources are harvested one after the other.

Exit codes: 0 complete, 65 protocol fault or guard, 69 endpoint unavailable, 70 our bug, 74 store, 75 partial or interrupted, 77 denied, 78 configuration; 2 a wrong option (docs/exit-codes.md).`;
  static override examples = [
    "<%= config.bin %> run --source manifests/sources/state-gis-clearinghouse.yaml",
    "DATABASE_URL=postgres://harvest@db/catalogue <%= config.bin %> run --source manifests/sources/ --log-level info",
  ];
  static override flags = {
    ...storeFlags,
    ...runFlags,
    source: Flags.string({
      summary: "A manifest, or a folder of manifests.",
      required: true,
      multiple: true,
    }),
  };

  async run(): Promise<{ runs: readonly RunSummary[] }> {
    const { flags } = await this.parse(Run);
    const sources = await loadSources(flags.source);
    const runs = await this.withStore(flags, async (store) => {
      const done: RunSummary[] = [];
      for (const source of sources) {
        const summary = await runOne(source, store, { ...flags, logLevel: flags["log-level"] });
        const nextRun = nextRunText(source, new Date());
        this.log(summaryText(summary, { theme: this.theme(), stored: true, nextRun }));
        done.push(summary);
        if (summary.outcome === "interrupted" && summary.code === "Interrupted") break;
      }
      return done;
    });
    this.finish(worstExitCode(runs));
    return { runs };
  }

  /** A run that could not begin ends like one that failed: a manifest is 78, a store that is down 74, one in use 75. */
  protected override faultExitCode(fault: Fault): number {
    return faultTable[fault.kind].exitCode;
  }
}
