/** What `kubectl logs` asks a node for, by way of the API server: GET /containerLogs/NAMESPACE/POD/CONTAINER. */
import { createServer } from "node:https";
import { readFileSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { selfSigned } from "./certificates.js";

export interface LogServer {
  readonly port: number;
  close(): void;
}

export interface LogOf {
  readonly file: string;
  ended(): boolean;
}

export async function serveLogs(
  find: (namespace: string, pod: string) => LogOf | undefined,
): Promise<LogServer> {
  const server = createServer(selfSigned({ name: "test-kubelet" }), (request, response) => {
    const url = new URL(request.url ?? "/", "https://kubelet");
    const [, verb, namespace = "", pod = ""] = url.pathname.split("/");
    const log = verb === "containerLogs" ? find(namespace, pod) : undefined;
    if (log === undefined) {
      response.writeHead(404).end(`no such pod: ${pod}\n`);
      return;
    }
    send(log, url.searchParams, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function send(log: LogOf, wish: URLSearchParams, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/plain" });
  const bytes = readFileSync(log.file);
  response.write(lastLines(bytes, Number(wish.get("tailLines") ?? -1)));
  let sent = bytes.length;
  const following = (): boolean => wish.get("follow") === "true" && !response.destroyed;
  while (following()) {
    const ended = log.ended();
    if (statSync(log.file).size > sent) {
      const more = readFileSync(log.file).subarray(sent);
      response.write(more);
      sent += more.length;
    }
    if (ended) break;
    await wait(100);
  }
  response.end();
}

function lastLines(bytes: Buffer, lines: number): Buffer {
  if (lines < 0) return bytes;
  const all = bytes.toString("utf8").split(/(?<=\n)/);
  return Buffer.from(lines === 0 ? "" : all.slice(-lines).join(""));
}
