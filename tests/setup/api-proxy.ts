/**
 * A proxy of HTTP between a controller and a real API server: it ends TLS with a certificate of its own, hands every request
 * on with the caller's credentials, writes down what passed, and misbehaves where a test wants it. What the network does to
 * bytes is fault-proxy.ts; this one knows requests.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority } from "./certificates.js";
import { kubeconfigText, type Access } from "./cluster-http.js";

/** One request, as RBAC would name it, but that an apply is told from other patches. */
export interface Passing {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** ms since 1970. */
  readonly at: number;
  readonly verb: "get" | "list" | "watch" | "create" | "patch" | "apply" | "update" | "delete";
  /** cronjobs.batch; configmaps for the core group. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  /** Changes an object that is neither a lease nor an event. */
  readonly write: boolean;
  /** Of the answer, the server's or the proxy's own; undefined before it, and when there was none. */
  status: number | undefined;
}

/** An answer of the proxy's own. "reset": the connection is cut instead. */
export type Answer =
  | "reset"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string };

/** What is in the way at the moment; absent = nothing. */
export interface ApiWeather {
  /** Before a request is handed on; an answer keeps it from the server. */
  readonly before?: (passing: Passing) => Answer | undefined | Promise<Answer | undefined>;
  /** The server has answered, and nothing of it was passed on yet. "reset" loses the answer. */
  readonly after?: (passing: Passing) => "reset" | undefined | Promise<"reset" | undefined>;
  /** A line of a watch, in order; the promise holds back it and all that follow, undefined drops it. */
  readonly line?: (line: string, passing: Passing) => string | undefined | Promise<string | undefined>;
}

export interface OpenWatch {
  readonly passing: Passing;
  /** Bytes of our own between the server's. */
  write(text: string): void;
  /** An orderly end of the answer. */
  end(): void;
  reset(): void;
}

export interface ApiProxy extends Access {
  /** Path of a kubeconfig that leads here. */
  readonly kubeconfig: string;
  readonly log: readonly Passing[];
  weather: ApiWeather;
  watches(): readonly OpenWatch[];
  stop(): Promise<void>;
}

export interface ApiProxyOptions {
  /** `target.token` goes into the kubeconfig; the proxy itself needs none. */
  readonly target: Access;
  readonly namespace?: string;
}

export async function startApiProxy({ target, namespace }: ApiProxyOptions): Promise<ApiProxy> {
  const authority = createAuthority("API proxy");
  const log: Passing[] = [];
  const open = new Set<OpenWatch>();
  const agent = new Agent({ keepAlive: true, ca: target.certificateAuthority, maxSockets: 256 });
  const state: State = { weather: {}, open, agent, target };
  const server = createServer(authority.issue({ name: "localhost" }), (incoming, outgoing) => {
    // A client that goes away is what the tests are about.
    outgoing.on("error", () => undefined);
    void readAll(incoming).then(
      (body) => {
        const passing = passingOf(incoming, { number: log.length + 1, body });
        log.push(passing);
        return handOn({ passing, incoming, outgoing }, state);
      },
      () => outgoing.destroy(),
    );
  });
  // A restarted controller must not find a kept connection of ours closing under it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const access = {
    server: `https://127.0.0.1:${String(port)}`,
    certificateAuthority: authority.cert,
    token: target.token,
  };
  const folder = mkdtempSync(join(tmpdir(), "api-proxy-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(access, namespace), { mode: 0o600 });
  return {
    ...access,
    kubeconfig,
    log,
    get weather() {
      return state.weather;
    },
    set weather(weather) {
      state.weather = weather;
    },
    watches: () => [...open],
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  weather: ApiWeather;
  readonly open: Set<OpenWatch>;
  readonly agent: Agent;
  readonly target: Access;
}

interface Exchange {
  readonly passing: Passing;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

async function handOn(exchange: Exchange, state: State): Promise<void> {
  const { passing, outgoing } = exchange;
  try {
    const own = await state.weather.before?.(passing);
    if (own !== undefined) {
      if (own !== "reset") passing.status = own.status;
      answer(outgoing, own);
      return;
    }
    const upstream = await forward(exchange, state);
    passing.status = upstream.statusCode;
    if ((await state.weather.after?.(passing)) === "reset") {
      upstream.destroy();
      reset(outgoing);
    } else if (passing.verb === "watch" && upstream.statusCode === 200) relayWatch(exchange, upstream, state);
    else relay(outgoing, upstream);
  } catch {
    reset(outgoing);
  }
}

function forward(
  { passing, incoming, outgoing }: Exchange,
  { agent, target }: State,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const upstream = request(`${target.server}${passing.path}`, {
      method: incoming.method,
      agent,
      headers: { ...incoming.headers, host: new URL(target.server).host },
    });
    upstream.once("response", resolve);
    upstream.once("error", reject);
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) upstream.destroy();
    });
    upstream.end(passing.body);
  });
}

function relay(outgoing: ServerResponse, upstream: IncomingMessage): void {
  outgoing.writeHead(upstream.statusCode ?? 502, upstream.headers);
  upstream.on("error", () => {
    reset(outgoing);
  });
  upstream.pipe(outgoing);
}

/** Line by line, each after the one before it. */
function relayWatch({ passing, outgoing }: Exchange, upstream: IncomingMessage, state: State): void {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.flushHeaders();
  const watch: OpenWatch = {
    passing,
    write: (text) => {
      if (outgoing.writable) outgoing.write(text);
    },
    end: () => {
      upstream.destroy();
      outgoing.end();
    },
    reset: () => {
      upstream.destroy();
      reset(outgoing);
    },
  };
  state.open.add(watch);
  outgoing.once("close", () => state.open.delete(watch));
  let rest = Buffer.alloc(0);
  let turn = Promise.resolve();
  const later = (act: () => void | Promise<void>): void => {
    turn = turn.then(act).catch(() => {
      watch.reset();
    });
  };
  upstream.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end).toString("utf8");
      rest = rest.subarray(end + 1);
      later(async () => {
        const { line: rewrite } = state.weather;
        const kept = rewrite === undefined ? line : await rewrite(line, passing);
        if (kept !== undefined) watch.write(`${kept}\n`);
      });
    }
  });
  upstream.on("error", () => {
    reset(outgoing);
  });
  upstream.on("end", () => {
    later(() => {
      outgoing.end();
    });
  });
}

function answer(outgoing: ServerResponse, own: Answer): void {
  if (own === "reset") {
    reset(outgoing);
    return;
  }
  outgoing.writeHead(own.status, { "content-type": "application/json", ...own.headers });
  outgoing.end(own.body);
}

function reset(outgoing: ServerResponse): void {
  const { socket } = outgoing;
  if (socket === null) outgoing.destroy();
  else socket.destroy();
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

const pathForm =
  /^\/(?:api|apis\/(?<group>[^/]+))\/[^/]+(?:\/namespaces\/[^/]+(?=\/))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<subresource>.+))?)?$/;

function passingOf(
  { method = "GET", url = "/", headers }: IncomingMessage,
  { number, body }: { readonly number: number; readonly body: string },
): Passing {
  const { pathname, searchParams } = new URL(url, "https://any");
  const { group, plural = pathname, name, subresource } = pathForm.exec(pathname)?.groups ?? {};
  const resource = group === undefined ? plural : `${plural}.${group}`;
  const named = name !== undefined;
  const verb = isApply(headers) ? "apply" : verbOf(method, { named, watch: searchParams.has("watch") });
  const write = isWrite(verb, resource);
  const at = Date.now();
  return { number, at, verb, resource, name, subresource, path: url, body, write, status: undefined };
}

function isApply(headers: IncomingMessage["headers"]): boolean {
  return headers["content-type"]?.startsWith("application/apply-patch") === true;
}

function isWrite(verb: Passing["verb"], resource: string): boolean {
  return !/^(get|list|watch)$/.test(verb) && !/^(leases\.|events$|events\.)/.test(resource);
}

function verbOf(
  method: string,
  { named, watch }: { readonly named: boolean; readonly watch: boolean },
): Passing["verb"] {
  const verbs: Readonly<Record<string, Passing["verb"]>> = {
    POST: "create",
    PATCH: "patch",
    PUT: "update",
    DELETE: "delete",
  };
  return verbs[method] ?? (watch ? "watch" : named ? "get" : "list");
}

/** How often what was asked, e.g. { "list pods": 2 }; of the requests that came after `from` (a number of Passing). */
export function requestCounts(log: readonly Passing[], from = 0): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { number, verb, resource } of log)
    if (number > from) counts[`${verb} ${resource}`] = (counts[`${verb} ${resource}`] ?? 0) + 1;
  return counts;
}

/** `apply cronjobs.batch/harvest-a`, `apply harvestsources.ingest.geoportal.io/a/status`. */
export function wordOf({ verb, resource, name, subresource, body }: Passing): string {
  const made = verb === "create" ? nameIn(body) : name;
  return [`${verb} ${resource}`, made, subresource].filter((part) => part !== undefined).join("/");
}

function nameIn(body: string): string | undefined {
  return (JSON.parse(body) as { metadata?: { name?: string } }).metadata?.name;
}
