import type { HarvestSource } from "../source/harvest-source.generated.js";
import { startSandbox } from "./sandbox/sandbox.js";

export interface SandboxTarget {
  readonly url: string;
  close(): Promise<void>;
}

/** The repository a dry run harvests from: the one named, or a built-in one with as many records as are asked for. */
export async function sandboxFor(url: string | undefined, records: number): Promise<SandboxTarget> {
  if (url !== undefined && url !== "") return { url, close: () => Promise.resolve() };
  return startSandbox({ source: { kind: "generated", count: records, seed: 1 } });
}

/**
 * The manifest with its own policy but another endpoint. Sets are the agency's, and its client certificate must not be
 * shown to anybody else: both stay out.
 */
export function redirectToSandbox(source: HarvestSource, url: string): HarvestSource {
  const { spec } = source;
  return {
    ...source,
    spec: {
      ...spec,
      baseUrl: url,
      sets: undefined,
      transport: {
        ...spec.transport,
        clientCertificate: undefined,
        mtls: false,
        allowPrivateNetwork: true,
        minTlsVersion: "1.2",
        headersSecretName: undefined,
        proxyUrl: undefined,
      },
    },
  };
}
