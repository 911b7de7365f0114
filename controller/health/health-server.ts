/** /healthz, /readyz and /metrics over plain HTTP. Nothing is read from a request but method, path and `verbose`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { healthOf, probeAnswer, type HealthLimits, type Vitals } from "./health-of.js";

export interface MetricsPage {
  readonly contentType: string;
  readonly body: string;
}

export interface HealthServerOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Absent = all addresses, for the kubelet and Prometheus come from outside of the pod. */
  readonly host?: string;
  readonly limits: HealthLimits;
  /** Called for every probe. */
  vitals(): Vitals;
  /** Called for every scrape; scrapes at the same time share one page. */
  metrics(): Promise<MetricsPage>;
  /** A page that could not be made, or the server's own trouble. */
  onFault?(problem: unknown): void;
}

export interface HealthServer {
  readonly port: number;
  /** Takes no connection more and ends those there are. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const PLAIN = "text/plain; charset=utf-8";
const BOUNDS = {
  maxHeaderSize: 8 * 1024,
  /** Of the whole request, ms. */
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
} as const;
/** A client that takes nothing of an answer for so long is cut off, ms. */
const IDLE_MS = 15_000;
const MAX_CONNECTIONS = 64;

/** Rejects, with a sentence, when the port cannot be had. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const answerTo = answerer(options);
  const server = createServer(BOUNDS, (request, response) => {
    // Nobody sends a body here; what comes is thrown away.
    request.resume();
    void answerTo(request).then((answer) => {
      send(response, request.method === "HEAD", answer);
    });
  });
  server.timeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options);
  server.on("error", (problem) => options.onFault?.(problem));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { port, host }: HealthServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (problem: NodeJS.ErrnoException) => {
      const place = `port ${String(port)}${host === undefined ? "" : ` of ${host}`}`;
      const next =
        problem.code === "EADDRINUSE"
          ? "Another process listens there: end it, or set another port."
          : "Set another port.";
      reject(
        new Error(
          `Cannot serve /healthz, /readyz and /metrics on ${place} (${problem.code ?? problem.message}). ${next}`,
          {
            cause: problem,
          },
        ),
      );
    });
    server.listen({ port, ...(host !== undefined && { host }) }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function answerer(options: HealthServerOptions): (request: IncomingMessage) => Promise<Answer> {
  const page = shared(() => options.metrics());
  async function metrics(): Promise<Answer> {
    try {
      const { contentType, body } = await page();
      return { status: 200, body, type: contentType };
    } catch (problem) {
      options.onFault?.(problem);
      return { status: 500, body: "The metrics could not be computed; the log says why.\n" };
    }
  }
  return async ({ method, url = "" }) => {
    if (method !== "GET" && method !== "HEAD") return { status: 405, body: "Only GET and HEAD.\n" };
    const [path = "", query = ""] = url.split("?", 2);
    const verbose = new URLSearchParams(query).has("verbose");
    switch (path) {
      case "/healthz":
        return probeAnswer("healthz", healthOf(options.vitals(), options.limits).live, verbose);
      case "/readyz":
        return probeAnswer("readyz", healthOf(options.vitals(), options.limits).ready, verbose);
      case "/metrics":
        return metrics();
      default:
        return { status: 404, body: "Here are /healthz, /readyz and /metrics.\n" };
    }
  };
}

/** Whoever asks while the answer is being made gets the same one. */
function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= make().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

function send(response: ServerResponse, headOnly: boolean, { status, body, type = PLAIN }: Answer): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 && { allow: "GET, HEAD" }),
  });
  response.end(headOnly ? undefined : body);
}
