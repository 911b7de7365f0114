/** The way to one API server: where it is, who we are there, and the connections that are kept open. */
import { performance } from "node:perf_hooks";
import type { Dispatcher } from "undici";
import { ConfigProblem } from "./config-problem.js";
import { createCredentials } from "./credentials.js";
import { inClusterTarget, serviceAccountFolder } from "./in-cluster.js";
import { readKubeconfigFiles, type KubeconfigPlaces } from "./kubeconfig-files.js";
import { chooseTarget } from "./kubeconfig.js";
import { createPools } from "./pools.js";
import type { Target } from "./target.js";

export interface ConnectionOptions extends KubeconfigPlaces {
  /** Another context than the current one. */
  readonly context?: string;
  /** Where a pod has its service account; for tests. */
  readonly serviceAccount?: string;
  /** A clock in ms that only goes forward; for tests. */
  readonly now?: () => number;
}

export interface Connection {
  /** May have a path of its own, as behind some gateways. */
  readonly server: URL;
  /** Namespace of the context, or the pod's own. */
  readonly namespace?: string;
  readonly contextName: string;
  /** Authorization and Impersonate-*. Throws ConfigProblem. */
  headers(): Promise<Record<string, string | string[]>>;
  /** Throws ConfigProblem. */
  dispatcher(): Promise<Dispatcher>;
  /** Counts the renewals: read it before a request. */
  generation(): number;
  /**
   * The server did not accept us, or we not it: token, certificates and plugin are read anew. Nothing happens when they were
   * since `seen`, so that many requests refused at once start one login.
   */
  renew(seen: number): void;
  /** The kept connections may lead nowhere: the next request gets a new one. */
  reconnect(): void;
  /** Waits for nothing: what is under way fails. */
  close(): Promise<void>;
}

/**
 * In this order: `kubeconfig`, KUBECONFIG, ~/.kube/config, the pod's service account. Files it names are read at the first
 * request. Throws ConfigProblem.
 */
export function loadConnection(options: ConnectionOptions): Connection {
  const target = findTarget(options);
  const credentials = createCredentials(target, options.now ?? (() => performance.now()));
  const pools = createPools(target.cluster, credentials);
  let generation = 0;
  return {
    server: target.cluster.server,
    ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
    contextName: target.contextName,
    headers: () => credentials.headers(),
    dispatcher: () => pools.current(),
    generation: () => generation,
    renew: (seen) => {
      if (seen !== generation) return;
      generation += 1;
      credentials.renew();
    },
    reconnect: () => {
      pools.retire();
    },
    close: () => pools.close(),
  };
}

function findTarget(options: ConnectionOptions): Target {
  const files = readKubeconfigFiles(options);
  if (files.length > 0) return chooseTarget(files, options.context);
  const pod = inClusterTarget(options.environment, options.serviceAccount ?? serviceAccountFolder);
  if (pod !== undefined && options.context === undefined) return pod;
  throw new ConfigProblem("NoKubeconfig", {
    sentence:
      "There is no kubeconfig (KUBECONFIG is not set, ~/.kube/config does not exist), and this is no pod with a service account.",
    remedy: "Name one with --kubeconfig or KUBECONFIG.",
  });
}
