/** One cluster and one user: what a kubeconfig's context, or a pod's service account, stands for. */
import type { JsonObject } from "../object.js";

export interface ClusterEntry {
  readonly server: URL;
  /** Path of a PEM file; re-read when it changes. Wins over caData. */
  readonly caFile?: string;
  /** PEM. */
  readonly caData?: string;
  readonly insecure: boolean;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
}

export interface UserEntry {
  readonly name: string;
  readonly token?: string;
  /** Re-read at most every 60 s; wins over token. */
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly certFile?: string;
  readonly certData?: string;
  readonly keyFile?: string;
  readonly keyData?: string;
  /** Impersonate-* headers. */
  readonly impersonation: Readonly<Record<string, string | string[]>>;
  /** `exec` as the kubeconfig has it: a program that prints credentials. */
  readonly exec?: JsonObject;
  /** `auth-provider` as the kubeconfig has it: oidc and its kin. */
  readonly authProvider?: JsonObject;
}

export interface Target {
  readonly contextName: string;
  /** Namespace of the context; absent = it names none. */
  readonly namespace?: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
}
