import { Flags } from "@oclif/core";
import type { RunSummary } from "../../../harvester/report/summary.js";
import { exitCode } from "../../exit-codes.js";
import { replayText } from "../../format/replay.js";
import { replaySources } from "../../replay-sources.js";
import { runFlags } from "../../run-flags.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

export default class QuarantineReplay extends StoreCommand {
  static override summary = "Judge refused records again under today's rules.";
  static override description = `After a rule or schema was mended: what passes now enters the catalogue, what does not stays quarantined with its new reason. Nothing is asked of the source. The policy files are those the source's last manifest names, relative to --root.

Exit codes: 0 judged, 1 some records are still refused, 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> quarantine replay --rule bbox-order",
    "<%= config.bin %> quarantine replay --source state-gis-clearinghouse --json",
  ];
  static override flags = {
    ...storeFlags,
    ...runFlags,
    source: Flags.string({ summary: "Only this source." }),
    rule: Flags.string({ summary: "Only what this rule stopped." }),
    run: Flags.string({ summary: "Only what this run quarantined." }),
  };

  async run(): Promise<{ runs: readonly RunSummary[] }> {
    const { flags } = await this.parse(QuarantineReplay);
    const { source, rule, run } = flags;
    const runs = await this.withStore(flags, (store, db) =>
      replaySources(db, store, {
        filter: { source, rule, run },
        run: { ...flags, logLevel: flags["log-level"] },
      }),
    );
    this.log(
      runs.length === 0
        ? "No quarantined record matches."
        : runs.map((r) => replayText(r, this.theme())).join("\n"),
    );
    const refused = runs.some((r) => r.counts.quarantined + r.counts.stillQuarantined > 0);
    const failed = runs.some((r) => r.outcome !== "complete");
    this.finish(failed ? exitCode.failed : refused ? exitCode.findings : exitCode.clean);
    return { runs };
  }
}
