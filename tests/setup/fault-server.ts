import { createServer as createTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTls, type TlsOptions } from "node:tls";

/** A server under the test's command, byte by byte: what it answers need not be HTTP. */
export interface FaultServer {
  readonly port: number;
  /** http://127.0.0.1:port or https://localhost:port, without a slash at the end. */
  readonly origin: string;
  /** Connections accepted so far. */
  connections(): number;
  /** Heads of the requests received so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Called for each request head (up to the empty line). Number of the request from 1. */
export type Answerer = (
  socket: Socket,
  request: { readonly head: string; readonly path: string; readonly number: number },
) => void;

export async function startFaultServer(answer: Answerer, tls?: TlsOptions): Promise<FaultServer> {
  const requests: string[] = [];
  const onSocket = (socket: Socket): void => {
    let seen = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      seen += bytes.toString("latin1");
      for (let next = firstRequest(seen); next !== undefined; next = firstRequest(seen)) {
        seen = seen.slice(next.length);
        requests.push(next.head);
        answer(socket, { head: next.head, path: next.head.split(" ")[1] ?? "", number: requests.length });
      }
    });
  };
  const server = tls === undefined ? createTcp(onSocket) : createTls(tls, onSocket);
  return listening(server, {
    requests,
    scheme: tls === undefined ? "http://127.0.0.1" : "https://localhost",
  });
}

/** The first whole request of what was received, its body included. */
function firstRequest(seen: string): { readonly head: string; readonly length: number } | undefined {
  const end = seen.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = seen.slice(0, end);
  const length = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return length <= seen.length ? { head, length } : undefined;
}

/** Says something as soon as somebody connects, like an SSH or mail server. */
export async function startBannerServer(banner: string): Promise<FaultServer> {
  const server = createTcp((socket) => {
    socket.on("error", () => undefined);
    socket.end(banner);
  });
  return listening(server, { requests: [], scheme: "http://127.0.0.1" });
}

async function listening(
  server: Server,
  about: { readonly requests: string[]; readonly scheme: string },
): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${about.scheme}:${String(port)}`,
    connections: () => connections,
    requests: about.requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** A whole HTTP/1.1 answer. */
export function httpAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "content-length": String(bytes.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${String(status)} Test\r\n${lines.join("\r\n")}\r\n\r\n`),
    bytes,
  ]);
}
