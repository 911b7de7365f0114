import { Args, Flags } from "@oclif/core";
import type { LiveSource } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { ClusterCommand, clusterFlags } from "../cluster-command.js";
import { liveSourceText, liveSourcesText } from "../format/live-sources.js";

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
    return this.withCluster(flags, async (cluster) => {
      const view = { now: new Date(), theme: this.theme(), width: this.width() };
      if (args.source !== undefined) {
        const source = await this.source(cluster, args.source);
        this.log(liveSourceText(source, view));
        return { sources: [withoutManagers(source)] };
      }
      const everywhere = flags["all-namespaces"];
      const where = everywhere ? {} : { namespace: cluster.namespace };
      const { items } = await cluster.api.list(resources.harvestSource, where);
      const sources = items as readonly LiveSource[];
      const place = everywhere ? "in any namespace" : `in namespace ${cluster.namespace}`;
      // Only a terminal breaks long lines: what is read by programs is not cut.
      const width = process.stdout.isTTY ? view.width : Infinity;
      this.log(liveSourcesText(sources, { ...view, width, namespaces: everywhere, place }));
      return { sources: sources.map(withoutManagers) };
    });
  }
}

/** As kubectl shows objects: who owns which field is noise to all but few. */
function withoutManagers({ metadata, ...rest }: LiveSource): LiveSource {
  return { ...rest, metadata: { ...metadata, managedFields: undefined } };
}
