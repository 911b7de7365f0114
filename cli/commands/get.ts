import { Args, Flags } from "@oclif/core";
import type { LiveSource } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { ClusterCommand, clusterFlags } from "../cluster-command.js";
import { liveSourcesText } from "../format/live-sources.js";

export default class Get extends ClusterCommand {
  static override summary = "Show the sources of a cluster: state, lag, last run, what to do.";
  static override description =
    "With a name: that source, with its conditions. Exit codes: 0 shown, 2 the cluster could not be asked.";
  static override examples = [
    "<%= config.bin %> get",
    "<%= config.bin %> get --all-namespaces",
    "<%= config.bin %> get state-gis-clearinghouse --namespace harvest",
  ];
  static override args = { source: Args.string({ description: "Only this HarvestSource, in full." }) };
  static override flags = {
    ...clusterFlags,
    "all-namespaces": Flags.boolean({ char: "A", summary: "Of all namespaces.", exclusive: ["namespace"] }),
  };

  async run(): Promise<{ sources: readonly LiveSource[] }> {
    const { args, flags } = await this.parse(Get);
    const sources = await this.withCluster(flags, async (cluster) => {
      if (args.source !== undefined) return [await this.source(cluster, args.source)];
      const place = flags["all-namespaces"] ? {} : { namespace: cluster.namespace };
      return (await cluster.api.list(resources.harvestSource, place)).items as readonly LiveSource[];
    });
    const view = { now: new Date(), theme: this.theme(), width: this.width() };
    this.log(
      liveSourcesText(sources, {
        ...view,
        namespaces: flags["all-namespaces"],
        full: args.source !== undefined,
      }),
    );
    return { sources };
  }
}
