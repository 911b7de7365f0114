/** Wires the parts of one run: for the pod, `harvestctl run` and `harvestctl dry-run` alike, so that what CI tried is what runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ulid } from "ulid";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import { openClient, type Client } from "./fetch/client.js";
import { transportMaterial, type MaterialDirectories } from "./fetch/material.js";
import { userAgentOf } from "./fetch/request-headers.js";
import type { Gates } from "./gate/gate.js";
import { startGates } from "./gate/pool.js";
import { processHolder } from "./persist/process-identity.js";
import type { Store } from "./persist/store.js";
import { loadPolicy, policyRequestOf, type LoadedPolicy } from "./policy.js";
import { protocolOf } from "./protocols/index.js";
import { readCeiling } from "./read-ceiling.js";
import type { Observer } from "./report/events.js";
import type { Clock, Run } from "./run/run.js";

export interface Assembly {
  readonly source: HarvestSource;
  /** What the store calls it; absent = its name. */
  readonly sourceKey?: string | undefined;
  /** Folder that paths in the manifest are relative to. */
  readonly root: string;
  readonly store: Store;
  readonly observe: Observer;
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder with one folder a secret, laid out as Kubernetes mounts them. */
  readonly secrets?: string;
  readonly runId?: string;
  readonly limit?: number;
  /** Gate threads; as many as cores unless told. */
  readonly threads?: number;
  /** Requests this run may send in all, repetitions counted. */
  readonly maxRequests?: number | undefined;
  /** Instead of threads of its own: gates shared with other runs. They are closed with this run. */
  readonly gates?: ((policy: LoadedPolicy) => Promise<Gates>) | undefined;
  /** Puts something between the run and the wire: a recording. */
  readonly client?: ((wire: WireParts) => Client) | undefined;
  readonly clock?: Clock | undefined;
}

export interface WireParts {
  readonly client: Client;
  /** Headers that go with each request to the manifest's own origin. */
  readonly secretHeaders: () => Promise<Readonly<Record<string, string>>>;
}

export interface AssembledRun {
  readonly run: Run;
  close(): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  random: () => Math.random(),
};

export function newRunId(): string {
  return ulid();
}

/** Throws Fault `config` when the policy files or the transport cannot be used; nothing is asked of the source yet. */
export async function assemble(parts: Assembly): Promise<AssembledRun> {
  const { source } = parts;
  const policy = await loadPolicy(policyRequestOf(parts.root, source.spec));
  const client = clientOf(parts);
  const maxInFlight = await readCeiling(parts.root, source);
  const gates = await (parts.gates?.(policy) ?? startGates(policy.policy, { threads: parts.threads }));
  const run: Run = {
    runId: parts.runId ?? newRunId(),
    holder: processHolder(),
    source,
    sourceKey: parts.sourceKey,
    policyDigest: policy.digest,
    protocol: protocolOf(source.spec.protocol),
    client,
    gates,
    store: parts.store,
    clock: parts.clock ?? systemClock,
    observe: parts.observe,
    signal: parts.signal,
    limit: parts.limit,
    maxInFlight,
  };
  return {
    run,
    async close() {
      await gates.close();
      await client.close();
    },
  };
}

function clientOf(parts: Assembly): Client {
  const material = transportMaterial(parts.environment, secretDirectories(parts));
  const client = openClient({
    spec: parts.source.spec,
    userAgent: userAgentOf({
      name: "geoportal-harvester",
      version: productVersion(),
      contact: parts.environment["HARVEST_CONTACT"],
    }),
    material,
    maxRequests: parts.maxRequests,
  });
  return parts.client?.({ client, secretHeaders: async () => (await material()).headers }) ?? client;
}

function secretDirectories({ source, secrets }: Assembly): MaterialDirectories {
  const { transport } = source.spec;
  if (secrets === undefined) return {};
  return {
    clientCertificate: transport.mtls
      ? join(secrets, transport.clientCertificate?.secretName ?? `${source.metadata.name}-client-cert`)
      : undefined,
    ca: transport.caSecretName === undefined ? undefined : join(secrets, transport.caSecretName),
    headers:
      transport.headersSecretName === undefined ? undefined : join(secrets, transport.headersSecretName),
  };
}

/** From package.json beside the sources or two folders above the compiled file. */
export function productVersion(): string {
  for (const up of ["../package.json", "../../package.json"]) {
    try {
      const text = readFileSync(new URL(up, import.meta.url), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return "0";
}
