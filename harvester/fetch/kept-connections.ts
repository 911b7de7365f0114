/** Holds the connections of a client, and opens new ones when its certificate files changed. */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { Fault } from "../fault.js";
import type { AddressGuard } from "./address-guard.js";
import { Connections } from "./connections.js";
import type { TransportMaterial } from "./material.js";

export interface KeptOptions {
  readonly home: string;
  readonly transport: HarvestSourceSpec["transport"];
  readonly guard: AddressGuard;
  readonly perOrigin: number;
  readonly material: (() => Promise<TransportMaterial>) | undefined;
}

export interface Generation {
  readonly connections: Connections;
  readonly material: TransportMaterial;
}

export interface KeptConnections {
  current(): Promise<Generation>;
  close(): Promise<void>;
}

const nothing: TransportMaterial = { headers: {}, warnings: [] };

export function keepConnections(options: KeptOptions): KeptConnections {
  let generation: (Generation & { readonly loaded: TransportMaterial }) | undefined;
  let closed = false;
  const retiring = new Set<Connections>();

  function retire(old: Connections): void {
    retiring.add(old);
    void old.retire().finally(() => {
      retiring.delete(old);
    });
  }

  async function current(): Promise<Generation> {
    const loaded = (await options.material?.()) ?? nothing;
    if (closed)
      throw new Fault("interrupted", {
        code: "ClientClosed",
        sentence: "The request was not sent: the client was closed.",
      });
    if (generation?.loaded === loaded) return generation;
    const material = presented(loaded, options.transport);
    const next = { loaded, material, connections: new Connections({ ...options, material }) };
    if (generation !== undefined) retire(generation.connections);
    generation = next;
    return next;
  }

  async function close(): Promise<void> {
    closed = true;
    const all = [...retiring, ...(generation === undefined ? [] : [generation.connections])];
    await Promise.all(all.map((connections) => connections.destroy()));
  }

  return { current, close };
}

/** A certificate is shown only where the manifest says so, and must be there when it does. */
function presented(loaded: TransportMaterial, transport: HarvestSourceSpec["transport"]): TransportMaterial {
  if (!transport.mtls) return { ...loaded, clientCertificate: undefined };
  if (loaded.clientCertificate !== undefined) return loaded;
  throw new Fault("config", {
    code: "ClientCertMissing",
    sentence: "The manifest asks for a client certificate (spec.transport.mtls: true), and none was found.",
    remedy:
      "Set OAI_CLIENT_CERT and OAI_CLIENT_KEY to the PEM files, or mount the secret of spec.transport.clientCertificate.",
  });
}
