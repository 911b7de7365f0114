/** The client against a server that misbehaves: what a real API server cannot be made to do. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resources } from "../resources.js";
import { createApi, type ClusterApi } from "./client.js";
import { loadConnection, type Connection } from "./connection.js";
import type { ObservedRequest, TransportOptions } from "./transport.js";

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

let handler: Handler;
let asked: string[];
let folder: string;
let connection: Connection;
let observed: ObservedRequest[];

const server = createServer((request, response) => {
  asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
  request.resume();
  request.once("end", () => {
    handler(request, response, asked.length);
  });
});

beforeEach(async () => {
  asked = [];
  observed = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(join(tmpdir(), "harvest-transport-"));
  const kubeconfig = join(folder, "config");
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/behind/a/gateway/`;
  const config = {
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c" } }],
    clusters: [{ name: "c", cluster: { server: url } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  connection = loadConnection({ kubeconfig, environment: {} });
});

afterEach(async () => {
  await connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function api(options: TransportOptions = {}): ClusterApi {
  return createApi(connection, {
    retry: { maxAttempts: 4, totalMs: 5_000, baseMs: 1, capMs: 5 },
    observeRequest: (request) => observed.push(request),
    ...options,
  });
}

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "y" } };

function send(response: ServerResponse, status: number, body: unknown) {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

function statuses() {
  return observed.map(({ status }) => status);
}

describe("a server that misbehaves", () => {
  it("is asked below its own path", async () => {
    handler = (_request, response) => {
      send(response, 200, pod);
    };
    expect(await api().get(resources.pod, "y/p")).toEqual(pod);
    expect(asked).toEqual(["GET /behind/a/gateway/api/v1/namespaces/y/pods/p"]);
  });

  it("is asked again after a storm of 500 and 503", async () => {
    handler = (_request, response, nth) => {
      send(response, [500, 503, 504][nth - 1] ?? 200, pod);
    };
    await api().apply(resources.pod, pod, { manager: "m" });
    expect(statuses()).toEqual([500, 503, 504, 200]);
    expect(observed[0]).toMatchObject({ verb: "patch", resource: "pods" });
  });

  it("gets no write from who may not write, also between two tries, but is read", async () => {
    let may = true;
    handler = (request, response) => {
      may = false;
      send(response, request.method === "GET" ? 200 : 503, pod);
    };
    const limited = api({ mayWrite: () => may });
    for (let time = 0; time < 2; time += 1)
      await expect(limited.apply(resources.pod, pod, { manager: "m" })).rejects.toMatchObject({
        status: 0,
        reason: "MayNotWrite",
      });
    expect(await limited.get(resources.pod, "y/p")).toEqual(pod);
    expect(statuses()).toEqual([503, 200]);
  });

  it("is left alone after the last try, with what it said", async () => {
    handler = (_request, response) => {
      send(response, 503, { kind: "Status", reason: "ServiceUnavailable", message: "etcd is away" });
    };
    await expect(api().get(resources.pod, "y/p")).rejects.toMatchObject({
      status: 503,
      reason: "ServiceUnavailable",
      message:
        "The API server did not get pods y/p: 503 ServiceUnavailable: etcd is away. If it stays, look at the API server's health and log.",
    });
    expect(asked).toHaveLength(4);
  });

  it("gets a create once, unless it was turned away at the door", async () => {
    handler = (_request, response, nth) => {
      response.setHeader("retry-after", "0");
      send(response, nth === 1 ? 429 : 500, {});
    };
    await expect(api().create(resources.pod, pod, "m")).rejects.toMatchObject({ status: 500 });
    expect(statuses()).toEqual([429, 500]);
  });

  it("gets a create once when it hangs up without an answer, and a read again", async () => {
    handler = (request) => {
      request.socket.destroy();
    };
    await expect(api().create(resources.pod, pod, "m")).rejects.toMatchObject({
      status: 0,
      reason: "ConnectionReset",
    });
    expect(asked).toHaveLength(1);
    await expect(api().get(resources.pod, "y/p")).rejects.toMatchObject({ status: 0 });
    expect(asked).toHaveLength(5);
  });

  it("is not waited for when it asks for more quiet than there is time", async () => {
    handler = (_request, response) => {
      response.setHeader("retry-after", "6");
      send(response, 429, { kind: "Status", reason: "TooManyRequests" });
    };
    await expect(api().get(resources.pod, "y/p")).rejects.toMatchObject({
      status: 429,
      detail: { retryAfterSeconds: 6 },
    });
    expect(asked).toHaveLength(1);
  });

  it("gets a body again that broke off", async () => {
    handler = (_request, response, nth) => {
      if (nth > 1) {
        send(response, 200, pod);
        return;
      }
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"apiVersion":');
      setTimeout(() => response.socket?.destroy(), 5);
    };
    expect(await api().get(resources.pod, "y/p")).toEqual(pod);
    expect(statuses()).toEqual([0, 200]);
  });

  it("gets new connections when it says nothing", async () => {
    const sockets: unknown[] = [];
    handler = (request, response, nth) => {
      sockets.push(request.socket);
      if (nth !== 2) send(response, 200, pod);
    };
    const slow = api({ headersMs: 1_000 });
    await slow.get(resources.pod, "y/p");
    await slow.get(resources.pod, "y/p");
    expect(statuses()).toEqual([200, 0, 200]);
    expect(sockets.indexOf(sockets[2])).toBe(2);
  });

  it("may compress, and may not fill the memory", async () => {
    const big = { ...pod, data: "x".repeat(100_000) };
    handler = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify(big)));
    };
    expect(await api().get(resources.pod, "y/p")).toEqual(big);
    await expect(api({ maxBodyBytes: 50_000 }).get(resources.pod, "y/p")).rejects.toMatchObject({
      reason: "TooLarge",
    });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["a page of a proxy", "<html>log in</html>"],
    ["another object", '{"kind":"Pod"}'],
    ["a list", "[]"],
    ["nothing", ""],
  ])("is not believed when it answers 200 with %s", async (_name, text) => {
    handler = (_request, response) => {
      response.end(text);
    };
    await expect(api().get(resources.pod, "y/p")).rejects.toMatchObject({ status: 0, reason: "NotJson" });
    await expect(api().list(resources.pod)).rejects.toMatchObject({ reason: "NotJson", name: "ApiFault" });
  });

  it("is not followed elsewhere", async () => {
    handler = (_request, response) => {
      response.setHeader("location", "http://127.0.0.1:1/");
      send(response, 302, {});
    };
    await expect(api().get(resources.pod, "y/p")).rejects.toMatchObject({ status: 302 });
  });

  it("may forget the moment of a list: it is read anew in one answer", async () => {
    handler = (request, response) => {
      const url = new URL(request.url ?? "", "http://h");
      const metadata = { resourceVersion: "9" };
      if (url.searchParams.has("continue")) send(response, 410, { kind: "Status", reason: "Expired" });
      else if (url.searchParams.has("limit"))
        send(response, 200, { metadata: { ...metadata, continue: "t" }, items: [pod] });
      else send(response, 200, { metadata, items: [pod, pod] });
    };
    const { items } = await api().list(resources.pod, { namespace: "y", labelSelector: "a=b" });
    expect(items).toHaveLength(2);
    const path = "/behind/a/gateway/api/v1/namespaces/y/pods?labelSelector=a%3Db";
    expect(asked).toEqual([`GET ${path}&limit=500`, `GET ${path}&limit=500&continue=t`, `GET ${path}`]);
  });

  it("is not asked faster than the limit", async () => {
    const stop = new AbortController();
    handler = (_request, response) => {
      send(response, 200, pod);
    };
    const limited = api({ rateLimit: { perSecond: 0.001, burst: 2 }, signal: stop.signal });
    await limited.get(resources.pod, "y/p");
    await limited.get(resources.pod, "y/p");
    const third = limited.get(resources.pod, "y/p");
    stop.abort();
    await expect(third).rejects.toMatchObject({ reason: "Aborted" });
    expect(asked).toHaveLength(2);
  });
});

describe("a watch", () => {
  const line = `${JSON.stringify({ type: "ADDED", object: pod })}\n`;

  async function watch(options: { signal?: AbortSignal; onBytes?: () => void } = {}) {
    const events: string[] = [];
    try {
      const stream = await api().watch(resources.pod, {
        resourceVersion: "5",
        timeoutSeconds: 300,
        signal: new AbortController().signal,
        ...options,
      });
      for await (const { type } of stream) events.push(type);
      return { events };
    } catch (error) {
      return { events, error };
    }
  }

  it("asks for bookmarks, from where it was left", async () => {
    handler = (_request, response) => {
      response.end(line + line);
    };
    expect(await watch()).toEqual({ events: ["ADDED", "ADDED"] });
    expect(asked).toEqual([
      "GET /behind/a/gateway/api/v1/pods?watch=1&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300",
    ]);
  });

  it.each([
    ["cut in the middle of a line", "ConnectionReset", true],
    ["ended in the middle of a line", "Truncated", false],
  ])("that was %s ends with a fault", async (_name, reason, cut) => {
    handler = (_request, response) => {
      response.write(line + line.slice(0, 20));
      setTimeout(() => (cut ? response.socket?.destroy() : response.end()), 20);
    };
    expect(await watch()).toMatchObject({
      events: ["ADDED"],
      error: { name: "ApiFault", status: 0, reason, detail: { verb: "watch", resource: "pods" } },
    });
  });

  it("is not tried again by itself", async () => {
    handler = (_request, response) => {
      send(response, 410, { kind: "Status", reason: "Expired" });
    };
    expect(await watch()).toMatchObject({ error: { status: 410, reason: "Expired" } });
    handler = (_request, response) => {
      send(response, 503, {});
    };
    expect(await watch()).toMatchObject({ error: { status: 503 } });
    expect(asked).toHaveLength(2);
  });

  it("can be stopped by the caller, before and after it began", async () => {
    const stop = new AbortController();
    handler = (_request, response) => {
      response.write(line);
      setTimeout(() => {
        stop.abort();
      }, 20);
    };
    expect(await watch({ signal: stop.signal })).toMatchObject({
      events: ["ADDED"],
      error: { reason: "Aborted" },
    });
    expect(await watch({ signal: stop.signal })).toMatchObject({ events: [], error: { reason: "Aborted" } });
    expect(asked).toHaveLength(1);
  });

  it("tells every sign of life", async () => {
    let signs = 0;
    handler = (_request, response) => {
      response.write(line.slice(0, 9));
      setTimeout(() => response.end(line.slice(9)), 30);
    };
    expect(await watch({ onBytes: () => (signs += 1) })).toEqual({ events: ["ADDED"] });
    expect(signs).toBe(2);
  });
});

describe("odd calls", () => {
  it("stream, or read whole, and tell failures like the others", async () => {
    handler = (request, response) => {
      if (request.url?.endsWith("/log?follow=true") === true) response.end("one\ntwo\n");
      else send(response, 404, { kind: "Status", reason: "NotFound", message: "x" });
    };
    const log = await api().raw("GET", "/api/v1/namespaces/y/pods/p/log?follow=true", { idleMs: 0 });
    expect(await log.text()).toBe("one\ntwo\n");
    await expect(api().raw("GET", "/api/v1/namespaces/y/pods/q/log")).rejects.toMatchObject({
      message: "Cannot get pods/log y/q: it is not there (any more).",
    });
  });

  it("are never sent twice if they write", async () => {
    handler = (_request, response) => {
      send(response, 503, {});
    };
    await expect(api().raw("POST", "/x", { body: { a: 1 } })).rejects.toMatchObject({ status: 503 });
    expect(asked).toHaveLength(1);
  });
});

describe("an end of the program", () => {
  it("ends requests and waits", async () => {
    const stop = new AbortController();
    handler = (_request, response) => {
      response.setHeader("retry-after", "4");
      send(response, 503, {});
      setTimeout(() => {
        stop.abort();
      }, 30);
    };
    const ending = api({ signal: stop.signal });
    await expect(ending.get(resources.pod, "y/p")).rejects.toMatchObject({ reason: "Aborted" });
    await expect(ending.get(resources.pod, "y/p")).rejects.toMatchObject({ reason: "Aborted" });
    expect(asked).toHaveLength(1);
  });
});
