import { Flags } from "@oclif/core";
import { annotations } from "../../controller/names.js";
import { keyOf, type LiveSource } from "../../controller/object.js";
import { annotateSource } from "../annotate-source.js";
import { ClusterCommand, clusterFlags, sourceArg } from "../cluster-command.js";
import { liveSourceText } from "../format/live-sources.js";
import { paragraph } from "../format/paragraph.js";
import { waitForRun, type RequestedRun } from "../wait-for-run.js";

const TIMEOUT_SECONDS = 3600;

export default class RunNow extends ClusterCommand {
  static override summary = "Ask the controller for one run of a source at once.";
  static override description =
    "Sets the annotation ingest.geoportal.io/requestedAt; a run on its way ends first. Exit codes: 0 asked for (with --wait: " +
    "complete), 1 with --wait: refused or not complete, 2 it could not be done, or not within --timeout.";
  static override examples = [
    "<%= config.bin %> run-now state-gis-clearinghouse",
    "<%= config.bin %> run-now state-gis-clearinghouse --wait --timeout 600",
  ];
  static override args = sourceArg;
  static override flags = {
    ...clusterFlags,
    wait: Flags.boolean({ summary: "Wait for its end and show it." }),
    // Without a default: oclif takes one for given, and demands --wait.
    timeout: Flags.integer({
      summary: `Seconds to wait at most; ${String(TIMEOUT_SECONDS)} unless told otherwise.`,
      min: 1,
      dependsOn: ["wait"],
    }),
  };

  async run(): Promise<RequestedRun> {
    const { args, flags } = await this.parse(RunNow);
    return this.withCluster(flags, async (cluster) => {
      const value = new Date().toISOString();
      const before = await this.source(cluster, args.source);
      const live = await annotateSource(cluster.api, before, { [annotations.requestedAt]: value });
      const key = keyOf(live);
      this.logToStderr(`Asked for a run of ${key} (requestedAt ${value}).`);
      if (!flags.wait) return { source: key, requestedAt: value };
      const { timeout: timeoutSeconds = TIMEOUT_SECONDS } = flags;
      const run = await waitForRun(cluster.api, { key, requestedAt: value, timeoutSeconds });
      this.show(run.live, run.result);
      if (run.result.outcome !== "complete") this.finish(1);
      return run.result;
    });
  }

  private show(live: LiveSource, { outcome, message = "" }: RequestedRun): void {
    const view = { now: new Date(), theme: this.theme(), width: this.width() };
    if (outcome === "not-started") this.log(paragraph("NOT STARTED: ", message, view.width));
    this.log(liveSourceText(live, view));
  }
}
