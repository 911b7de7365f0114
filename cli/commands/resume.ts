import { annotations } from "../../controller/names.js";
import { annotateSource } from "../annotate-source.js";
import { ClusterCommand, clusterFlags, sourceArg } from "../cluster-command.js";

export default class Resume extends ClusterCommand {
  static override summary = "Take the brake off a paused source.";
  static override description =
    "Runs start again by schedule; what was missed is not made up for at once (harvestctl run-now does that). " +
    "A source that is suspended in its spec stays so: change that in Git. Exit codes: 0 resumed, 2 it could not be done.";
  static override examples = ["<%= config.bin %> resume county-gis --namespace harvest"];
  static override args = sourceArg;
  static override flags = clusterFlags;

  async run(): Promise<{ source: string; namespace: string; wasPaused: boolean; suspended: boolean }> {
    const { args, flags } = await this.parse(Resume);
    const result = await this.withCluster(flags, async (cluster) => {
      const live = await this.source(cluster, args.source);
      const wasPaused = live.metadata.annotations?.[annotations.paused] !== undefined;
      if (wasPaused)
        await annotateSource(cluster.api, live, {
          [annotations.paused]: null,
          [annotations.pausedUntil]: null,
        });
      const { namespace } = cluster;
      return { source: args.source, namespace, wasPaused, suspended: live.spec.suspend };
    });
    const said = result.wasPaused ? "is resumed" : "was not paused";
    const but = result.suspended ? " It stays suspended: spec.suspend is true, which Git decides." : "";
    this.log(`${result.namespace}/${args.source} ${said}.${but}`);
    return result;
  }
}
