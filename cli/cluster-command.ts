import { Args, Flags, type Interfaces } from "@oclif/core";
import { ApiFault } from "../controller/api.js";
import { createApi, type ClusterApi } from "../controller/cluster/client.js";
import { ConfigProblem } from "../controller/cluster/config-problem.js";
import { loadConnection } from "../controller/cluster/connection.js";
import type { LiveSource } from "../controller/object.js";
import { resources } from "../controller/resources.js";
import { Fault } from "../harvester/fault.js";
import { BaseCommand } from "./base-command.js";

export const clusterFlags = {
  namespace: Flags.string({
    char: "n",
    summary: "Namespace; without it the context's.",
    helpGroup: "CLUSTER",
  }),
  context: Flags.string({ summary: "Context of the kubeconfig.", helpGroup: "CLUSTER" }),
  kubeconfig: Flags.string({
    summary: "Path of the kubeconfig; without it as kubectl.",
    helpGroup: "CLUSTER",
  }),
};

export const sourceArg = {
  source: Args.string({ required: true, description: "Name of the HarvestSource." }),
};

export interface ClusterFlags {
  readonly namespace?: string | undefined;
  readonly context?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

export interface Cluster {
  readonly api: ClusterApi;
  readonly namespace: string;
}

/** A command that talks to a cluster with the user's own kubeconfig. */
export abstract class ClusterCommand extends BaseCommand {
  protected async withCluster<T>(
    { namespace, context, kubeconfig }: ClusterFlags,
    work: (cluster: Cluster) => Promise<T>,
  ): Promise<T> {
    const connection = loadConnection({
      environment: process.env,
      ...(context !== undefined && { context }),
      ...(kubeconfig !== undefined && { kubeconfig }),
    });
    const api = createApi(connection, {
      userAgent: `harvestctl/${this.config.version}`,
      retry: { maxAttempts: 3, totalMs: 10_000 },
      onWarning: (text) => {
        this.logToStderr(`warning: ${text}`);
      },
    });
    try {
      return await work({ api, namespace: namespace ?? connection.namespace ?? "default" });
    } finally {
      await connection.close();
    }
  }

  /** Throws Fault `config` when there is no such source. */
  protected async source({ api, namespace }: Cluster, name: string): Promise<LiveSource> {
    const found = await api.get(resources.harvestSource, `${namespace}/${name}`);
    if (found === undefined)
      throw new Fault("config", {
        code: "NoSuchSource",
        sentence: `There is no HarvestSource ${name} in namespace ${namespace}.`,
        remedy: `harvestctl get --namespace ${namespace} lists those there are; --namespace names another one.`,
      });
    return found as LiveSource;
  }

  protected override async catch(error: Interfaces.CommandError): Promise<unknown> {
    return super.catch(asClusterFault(error) as Interfaces.CommandError);
  }
}

/** By HTTP status; 0 = no answer. What else fails says in its sentence what to do. */
const remedies: ReadonlyMap<number, string> = new Map([
  [0, "kubectl cluster-info shows whether the server answers."],
  [401, "kubectl auth whoami shows whom the server takes you for."],
  [
    403,
    "The ClusterRoles harvest-source-viewer and harvest-source-editor have what harvestctl needs; kubectl auth can-i --list shows what you have.",
  ],
]);

function asClusterFault(error: unknown): unknown {
  if (error instanceof ConfigProblem)
    return new Fault("config", { code: error.code, sentence: error.sentence, remedy: error.remedy });
  if (error instanceof ApiFault)
    return new Fault(error.status === 403 || error.status === 401 ? "denied" : "transient", {
      code: error.reason,
      sentence: error.message,
      remedy: remedies.get(error.status),
      cause: error,
    });
  return error;
}
