import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Vitals } from "./health-of.js";
import { startHealthServer, type HealthServer, type MetricsPage } from "./health-server.js";

const page: MetricsPage = { contentType: "text/plain; version=0.0.4", body: "harvest_sources 3\n" };
let server: HealthServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(
  own: { vitals?: Vitals; metrics?: () => Promise<MetricsPage>; onFault?: (problem: unknown) => void } = {},
) {
  server = await startHealthServer({
    port: 0,
    host: "127.0.0.1",
    limits: { silentMs: 600_000, leaseMs: 15_000 },
    vitals: () => own.vitals ?? { reflectors: [{ name: "sources", synced: false, idleMs: 0 }] },
    metrics: own.metrics ?? (() => Promise.resolve(page)),
    ...(own.onFault && { onFault: own.onFault }),
  });
  const origin = `http://127.0.0.1:${String(server.port)}`;
  return async (path: string, method = "GET") => {
    const answer = await fetch(origin + path, { method });
    return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() };
  };
}

/** Sends bytes as they are and collects what comes back until the server closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server!.port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (part) => (text += part.toString()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(text);
    });
  });
}

describe("the health server", () => {
  it.each([
    { path: "/healthz", status: 200, body: "ok" },
    {
      path: "/healthz?verbose",
      status: 200,
      body: "[+]ping ok\n[+]leader-election ok\n[+]watch-sources ok\nhealthz check passed\n",
    },
    {
      path: "/readyz",
      status: 500,
      body: "[+]ping ok\n[-]cache-sources failed: the first list of sources is not complete\nreadyz check failed\n",
    },
    { path: "/", status: 404, body: "Here are /healthz, /readyz and /metrics.\n" },
    { path: "/healthz/ping", status: 404, body: "Here are /healthz, /readyz and /metrics.\n" },
    { path: "//healthz", status: 404, body: "Here are /healthz, /readyz and /metrics.\n" },
    { path: "/metrics/../healthz%00", status: 404, body: "Here are /healthz, /readyz and /metrics.\n" },
  ])("answers $path with $status", async ({ path, status, body }) => {
    const get = await serve();
    expect(await get(path)).toEqual({ status, type: "text/plain; charset=utf-8", body });
  });

  it("gives the metrics in their own format", async () => {
    const get = await serve();
    expect(await get("/metrics")).toEqual({ status: 200, type: page.contentType, body: page.body });
  });

  it("answers HEAD without a body and refuses other methods", async () => {
    const get = await serve();
    expect(await get("/healthz", "HEAD")).toMatchObject({ status: 200, body: "" });
    expect(await get("/healthz", "POST")).toMatchObject({ status: 405, body: "Only GET and HEAD.\n" });
  });

  it("computes one page for scrapes that come together", async () => {
    let made = 0;
    let release: (made: MetricsPage) => void = () => undefined;
    const get = await serve({
      metrics: () => {
        made += 1;
        return new Promise((resolve) => (release = resolve));
      },
    });
    const both = Promise.all([get("/metrics"), get("/metrics")]);
    // A third connection that is answered after them shows that both have arrived.
    await get("/healthz");
    while (made === 0) await get("/healthz");
    release(page);
    expect((await both).map(({ body }) => body)).toEqual([page.body, page.body]);
    expect(made).toBe(1);
  });

  it("says that metrics failed without saying more than the log", async () => {
    const faults: unknown[] = [];
    const get = await serve({
      metrics: () => Promise.reject(new Error("token=secret")),
      onFault: (problem) => faults.push(problem),
    });
    expect(await get("/metrics")).toMatchObject({
      status: 500,
      body: "The metrics could not be computed; the log says why.\n",
    });
    expect(faults).toHaveLength(1);
  });

  it("refuses headers without end", async () => {
    await serve();
    expect(await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  it("cuts off a client that never ends its headers", { timeout: 20_000 }, async () => {
    await serve();
    expect(await raw("GET /healthz HTTP/1.1\r\nHost: x\r\n")).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("says what to do when the port is taken", async () => {
    await serve();
    const { port } = server!;
    const second = startHealthServer({
      port,
      host: "127.0.0.1",
      limits: { silentMs: 1, leaseMs: 1 },
      vitals: () => ({ reflectors: [] }),
      metrics: () => Promise.resolve(page),
    });
    await expect(second).rejects.toThrow(
      `Cannot serve /healthz, /readyz and /metrics on port ${String(port)} of 127.0.0.1 (EADDRINUSE). Another process listens there: end it, or set another port.`,
    );
  });

  it("ends although a client keeps its connection", async () => {
    const get = await serve();
    await get("/healthz");
    const idle = raw("");
    await server!.close();
    await idle;
  });
});
