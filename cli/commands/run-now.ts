import { Flags } from "@oclif/core";
import { annotations } from "../../controller/names.js";
import { keyOf, type LiveSource } from "../../controller/object.js";
import { annotateSource } from "../annotate-source.js";
import { ClusterCommand, clusterFlags, sourceArg } from "../cluster-command.js";
import { liveSourcesText } from "../format/live-sources.js";
import { waitForRun, type RequestedRun } from "../wait-for-run.js";

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
    timeout: Flags.integer({
      summary: "Seconds to wait at most.",
      default: 3600,
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
      const run = await waitForRun(cluster.api, { key, requestedAt: value, timeoutSeconds: flags.timeout });
      this.show(run.live);
      if (run.result.outcome !== "complete") this.finish(1);
      return run.result;
    });
  }

  private show(live: LiveSource): void {
    const view = { now: new Date(), theme: this.theme(), width: this.width() };
    this.log(liveSourcesText([live], { ...view, namespaces: false, full: true }));
  }
}
