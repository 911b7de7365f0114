import { Flags } from "@oclif/core";
import { labels } from "../../controller/names.js";
import type { KubeObject } from "../../controller/object.js";
import { resources } from "../../controller/resources.js";
import { Fault } from "../../harvester/fault.js";
import { ClusterCommand, clusterFlags, sourceArg, type Cluster } from "../cluster-command.js";

export default class Logs extends ClusterCommand {
  static override summary = "Show the log of a source's latest harvest pod.";
  static override description =
    "One JSON event a line, as the pod wrote it. Exit codes: 0 shown, 1 there is no pod, 2 the cluster could not be asked.";
  static override examples = [
    "<%= config.bin %> logs county-gis --namespace harvest",
    "<%= config.bin %> logs county-gis --follow",
  ];
  static override enableJsonFlag = false;
  static override args = sourceArg;
  static override flags = {
    ...clusterFlags,
    follow: Flags.boolean({ char: "f", summary: "Go on while the pod writes." }),
    tail: Flags.integer({ summary: "Only so many last lines.", min: 1 }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Logs);
    await this.withCluster(flags, async (cluster) => {
      await this.source(cluster, args.source);
      const pod = await latestPod(cluster, args.source);
      if (pod === undefined) {
        process.exitCode = 1;
        throw noPod(args.source);
      }
      this.logToStderr(`Pod ${cluster.namespace}/${pod.metadata.name}`);
      const query = new URLSearchParams({
        ...(flags.follow && { follow: "true" }),
        ...(flags.tail !== undefined && { tailLines: String(flags.tail) }),
      });
      const path = `/api/v1/namespaces/${cluster.namespace}/pods/${pod.metadata.name}/log?${query.toString()}`;
      const answer = await cluster.api.raw("GET", path, { idleMs: flags.follow ? 0 : 30_000 });
      for await (const chunk of answer.body) process.stdout.write(chunk);
    });
  }
}

async function latestPod({ api, namespace }: Cluster, source: string): Promise<KubeObject | undefined> {
  const { items } = await api.list(resources.pod, {
    namespace,
    labelSelector: `${labels.source}=${source}`,
  });
  return [...items].sort((a, b) => timeOf(b) - timeOf(a))[0];
}

function timeOf({ metadata }: KubeObject): number {
  return Date.parse(metadata.creationTimestamp ?? "") || 0;
}

function noPod(source: string): Fault {
  return new Fault("config", {
    code: "NoPod",
    sentence: `No pod of ${source} is there: none ran yet, or the pods of its last runs are gone.`,
    remedy: `harvestctl get ${source} shows how the last run ended; harvestctl run-now ${source} starts one.`,
  });
}
