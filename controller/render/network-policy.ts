import { labels, managedBy, networkPolicyName } from "../names.js";
import type { KubeObject } from "../object.js";
import { resources } from "../resources.js";
import { childObject } from "./child-object.js";
import { publicBlocks, type IpBlock } from "./public-blocks.js";
import type { WithdrawInput } from "./render-input.js";

interface Peer {
  readonly ipBlock: IpBlock;
}

interface EgressRule {
  /** Absent = anywhere. */
  readonly to?: readonly Peer[];
  readonly ports: readonly { readonly port: number; readonly protocol: "TCP" | "UDP" }[];
}

/** A policy sees the port of the name server's pod, and OpenShift's listens on 5353. */
const DNS_PORTS = [53, 5353];

/**
 * Nobody comes in; out go name resolution, the source (or its proxy) and the database. A second wall around what the
 * harvester itself refuses, where the cluster's network enforces such policies.
 */
export function renderNetworkPolicy({ source, settings }: WithdrawInput): KubeObject {
  const { name } = source.metadata;
  const egress: readonly EgressRule[] = [
    { ports: DNS_PORTS.flatMap((port) => [{ port, protocol: "UDP" }, ...tcp([port])]) },
    sourceRule(source.spec),
    {
      ...(settings.databaseCidrs.length > 0 && {
        to: settings.databaseCidrs.map((cidr) => ({ ipBlock: { cidr } })),
      }),
      ports: tcp([settings.databasePort]),
    },
  ];
  return childObject(source, {
    resource: resources.networkPolicy,
    name: networkPolicyName(name),
    content: {
      spec: {
        podSelector: { matchLabels: { [labels.source]: name, [managedBy.key]: managedBy.value } },
        // Without a rule for Ingress nothing comes in.
        policyTypes: ["Ingress", "Egress"],
        egress,
      },
    },
  });
}

function sourceRule({ baseUrl, transport }: WithdrawInput["source"]["spec"]): EgressRule {
  const { proxyUrl, allowPrivateNetwork, allowedRedirectOrigins = [] } = transport;
  // A proxy mostly has a private address, and nothing but the proxy is connected to.
  if (proxyUrl !== undefined) return { ports: tcp([portOf(proxyUrl)]) };
  // A redirect from http to https of the same host is always followed.
  const upgrade = baseUrl.startsWith("http:") ? [443] : [];
  const ports = tcp([portOf(baseUrl), ...upgrade, ...allowedRedirectOrigins.map(portOf)]);
  return allowPrivateNetwork ? { ports } : { to: publicBlocks.map((ipBlock) => ({ ipBlock })), ports };
}

function portOf(address: string): number {
  const { port, protocol } = new URL(address);
  if (port !== "") return Number(port);
  return protocol === "http:" ? 80 : 443;
}

function tcp(ports: readonly number[]): EgressRule["ports"] {
  return [...new Set(ports)].sort((a, b) => a - b).map((port) => ({ port, protocol: "TCP" }));
}
