import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { openClient, type Client, type ClientOptions } from "../../harvester/fetch/client.js";
import { Fault } from "../../harvester/fault.js";
import type { HttpRequest, HttpResponse } from "../../harvester/http.js";

type Transport = HarvestSourceSpec["transport"];

export interface ClientWish extends Partial<Omit<ClientOptions, "spec">> {
  readonly transport?: Partial<Omit<Transport, "timeouts">>;
  readonly timeouts?: Partial<Transport["timeouts"]>;
  readonly maxPageBytes?: number;
  readonly maxRequests?: number;
}

/** A client whose source lies at `baseUrl`, on this machine unless the wish says otherwise. */
export function testClient(baseUrl: string, wish: ClientWish = {}): Client {
  const { transport, timeouts, maxPageBytes = 1_000_000, maxRequests = 1, ...rest } = wish;
  return openClient({
    userAgent: "harvest-controller/test (+mailto:test@example.org)",
    ...rest,
    spec: {
      baseUrl,
      concurrency: { maxRequests, respectRetryAfter: true },
      limits: { maxRecordBytes: 1_000_000, maxPageBytes, maxRunSeconds: 60 },
      transport: {
        mtls: false,
        minTlsVersion: "1.2",
        allowPrivateNetwork: true,
        ...transport,
        timeouts: { connectSeconds: 5, firstByteSeconds: 5, idleSeconds: 5, requestSeconds: 20, ...timeouts },
      },
    },
  });
}

export function get(url: string, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return { method: "GET", url, headers };
}

export async function readAll(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The Fault a request, or the reading of its body, ends with. */
export async function faultOf(work: Promise<HttpResponse>): Promise<Fault> {
  try {
    await readAll(await work);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("The request succeeded.");
}
