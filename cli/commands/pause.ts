import { Flags } from "@oclif/core";
import { annotations } from "../../controller/names.js";
import { Fault } from "../../harvester/fault.js";
import { annotateSource } from "../annotate-source.js";
import { ClusterCommand, clusterFlags, sourceArg } from "../cluster-command.js";
import { time } from "../format/words.js";

export default class Pause extends ClusterCommand {
  static override summary = "Pull the brake: no run of a source starts until it is resumed.";
  static override description =
    "Sets an annotation, which is no drift: Flux, Argo CD and the controller leave it alone. A run on its way goes on. " +
    "For a lasting pause set spec.suspend in Git. Exit codes: 0 paused, 2 it could not be done.";
  static override examples = [
    '<%= config.bin %> pause county-gis --reason "server move, ticket 4711"',
    '<%= config.bin %> pause county-gis --reason "agency asked" --until 2026-12-24T06:00:00Z',
  ];
  static override args = sourceArg;
  static override flags = {
    ...clusterFlags,
    reason: Flags.string({ required: true, summary: "Why, for whoever looks next." }),
    until: Flags.string({ summary: "RFC 3339 time at which the pause ends by itself." }),
  };

  async run(): Promise<{ source: string; namespace: string; paused: string; until?: string }> {
    const { args, flags } = await this.parse(Pause);
    const until = flags.until === undefined ? undefined : instant(flags.until);
    const namespace = await this.withCluster(flags, async (cluster) => {
      const live = await this.source(cluster, args.source);
      await annotateSource(cluster.api, live, {
        [annotations.paused]: flags.reason,
        [annotations.pausedUntil]: until ?? null,
      });
      return cluster.namespace;
    });
    this.log(
      `${namespace}/${args.source} is paused${until === undefined ? "" : ` until ${time(until)}`}.\n` +
        `To take the brake off: harvestctl resume ${args.source} --namespace ${namespace}`,
    );
    return { source: args.source, namespace, paused: flags.reason, ...(until !== undefined && { until }) };
  }
}

function instant(text: string): string {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new Fault("config", {
      code: "BadTime",
      sentence: `--until ${text} is no RFC 3339 time.`,
      remedy: "Write it as 2026-12-24T06:00:00Z.",
    });
  if (time <= Date.now())
    throw new Fault("config", {
      code: "BadTime",
      sentence: `--until ${text} has passed: the pause would end at once.`,
      remedy: "Give a time to come, or leave --until out.",
    });
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
