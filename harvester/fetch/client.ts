/**
 * The wire: sends a request, follows redirects by hand, and hands the answer out as bounded, decoded bytes. The only
 * place that knows undici is this folder (docs/transport.md).
 */
import { parseAddress } from "../../source/address.js";
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { asFault, Fault } from "../fault.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { Warning } from "../record.js";
import { addressGuard, type AddressGuard, type Resolve } from "./address-guard.js";
import { openBody } from "./body.js";
import { Deadlines } from "./deadlines.js";
import { exchange, type Answer } from "./exchange.js";
import { keepConnections, type Generation } from "./kept-connections.js";
import type { TransportMaterial } from "./material.js";
import { decideRedirect, stepKey } from "./redirect.js";
import { redactUrl } from "./redact.js";
import { requestHeaders } from "./request-headers.js";

export interface ClientOptions {
  readonly spec: Pick<HarvestSourceSpec, "baseUrl" | "concurrency" | "transport" | "limits">;
  /** Product, version and contact (userAgentOf). */
  readonly userAgent: string;
  /**
   * Certificates and secret headers, asked before every request so that a rotation needs no restart (transportMaterial).
   * Another object than the last time means new connections: hand out the same one while nothing changed.
   */
  readonly material?: () => Promise<TransportMaterial>;
  /** Instead of the system's resolver. */
  readonly resolve?: Resolve;
  /** Below this an answer counts as stalled. Default 100. */
  readonly minBytesPerSecond?: number;
  /** Requests this client may send in all, repetitions and redirects counted; then Fault `interrupted`, code `RequestBudget`. */
  readonly maxRequests?: number | undefined;
}

export interface Client {
  /**
   * Resolves with the answer whatever its status: protocols read errors at any status. Rejects with a Fault when there
   * is no answer. The body must be read to its end or left by `break`, or its connection is lost.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** Requests sent (redirects included) and body bytes received, as they went over the wire. */
  traffic(): { readonly requests: number; readonly bytes: number };
  /** Ends at once; what is under way fails. */
  close(): Promise<void>;
}

/** Sends nothing yet. Throws Fault `config` when the address in the manifest cannot be used. */
export function openClient(options: ClientOptions): Client {
  const { spec } = options;
  const { transport } = spec;
  const home = readUrl(spec.baseUrl, "config").origin;
  const guard = addressGuard({ allowPrivate: transport.allowPrivateNetwork, resolve: options.resolve });
  const kept = keepConnections({
    home,
    transport,
    guard,
    perOrigin: spec.concurrency.maxRequests,
    material: options.material,
  });
  const traffic = { requests: 0, bytes: 0 };
  const wire: Wire = { ...options, home, guard, traffic };

  async function send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const deadlines = new Deadlines({
      timeouts: transport.timeouts,
      minBytesPerSecond: options.minBytesPerSecond ?? 100,
      where: redactUrl(request.url),
      signal,
    });
    try {
      const found = await follow(request, { wire, deadlines, generation: await kept.current() });
      return await respond(found, wire, deadlines);
    } catch (thrown) {
      const fault = asFault(thrown);
      // Whatever is still open of this request is torn down.
      deadlines.stop(fault);
      deadlines.finish();
      throw fault;
    }
  }

  return { send, traffic: () => ({ ...traffic }), close: () => kept.close() };
}

interface Wire extends ClientOptions {
  readonly home: string;
  readonly guard: AddressGuard;
  readonly traffic: { requests: number; bytes: number };
}

interface Found {
  readonly url: URL;
  readonly answer: Answer;
  readonly warnings: readonly Warning[];
}

interface Journey {
  readonly wire: Wire;
  readonly deadlines: Deadlines;
  readonly generation: Generation;
}

/** Follows redirects until something else answers. */
async function follow(request: HttpRequest, journey: Journey): Promise<Found> {
  const { wire, deadlines, generation } = journey;
  const warnings: Warning[] = [...generation.material.warnings];
  const visited = new Set<string>();
  let step: Step = { url: readUrl(request.url, "bug"), method: request.method };
  let permanent = true;
  for (;;) {
    visited.add(stepKey(step.method, step.url));
    const answer = await ask(request, step, journey);
    warnings.push(...answer.warnings);
    const next = decideRedirect({
      status: answer.status,
      location: answer.headers["location"],
      from: step.url,
      method: step.method,
      home: wire.home,
      allowedOrigins: wire.spec.transport.allowedRedirectOrigins ?? [],
      visited,
    });
    if (next.kind === "answer") return { url: step.url, answer, warnings };
    if (next.kind === "refuse") throw next.fault;
    // A short read keeps the connection; a long body is not worth it.
    await deadlines.head(answer.body.dump({ limit: 65_536 }));
    permanent &&= next.permanent;
    if (permanent) warnings.push(movedWarning(step.url, next.url));
    step = next;
  }
}

interface Step {
  readonly url: URL;
  readonly method: HttpRequest["method"];
}

async function ask(
  request: HttpRequest,
  { url, method }: Step,
  { wire, deadlines, generation }: Journey,
): Promise<Answer> {
  const { home, guard, userAgent, spec } = wire;
  const { connections, material } = generation;
  const { headers, withheld } = requestHeaders({ request, url, home, userAgent, secret: material.headers });
  const answer = await exchange({
    url,
    method,
    headers,
    body: method === "POST" ? request.body : undefined,
    home,
    transport: spec.transport,
    guard,
    connections,
    material,
    deadlines,
    onSend: () => {
      spend(wire);
    },
  });
  return withheld ? { ...answer, warnings: [...answer.warnings, withheldWarning(url)] } : answer;
}

/** Before every request, whatever it is sent for. */
function spend({ traffic, maxRequests = Infinity }: Wire): void {
  if (traffic.requests >= maxRequests)
    throw new Fault("interrupted", {
      code: "RequestBudget",
      sentence: `Stopped after ${String(maxRequests)} requests, as many as were allowed.`,
    });
  traffic.requests += 1;
}

async function respond(
  { url, answer, warnings }: Found,
  wire: Wire,
  deadlines: Deadlines,
): Promise<HttpResponse> {
  const where = redactUrl(url);
  const opened = await openBody({
    bytes: answer.body,
    contentEncoding: answer.headers["content-encoding"],
    contentLength: answer.headers["content-length"],
    where,
    maxBytes: wire.spec.limits.maxPageBytes,
    deadlines,
    onWireBytes: (bytes) => {
      wire.traffic.bytes += bytes;
    },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    url: where,
    body: opened.body,
    warnings: [...warnings, ...opened.warnings],
  };
}

/** `kind`: whose mistake an unusable address is. */
function readUrl(text: string, kind: "config" | "bug"): URL {
  const url = parseAddress(text);
  const usable = url !== undefined && (url.protocol === "https:" || url.protocol === "http:");
  if (usable && url !== undefined && url.username === "" && url.password === "") return url;
  throw new Fault(kind, {
    code: "AddressUnusable",
    sentence: usable
      ? `The address ${redactUrl(text)} carries a user name or password, which is never sent.`
      : `${redactUrl(text)} is no http or https address.`,
    remedy: usable
      ? "Put credentials into the secret named by spec.transport.headersSecretName."
      : "Check spec.baseUrl.",
  });
}

/** Without the query: what belongs into the manifest. */
function movedWarning(from: URL, to: URL): Warning {
  return {
    code: "moved-permanently",
    sentence: `${withoutQuery(from)} has moved permanently to ${withoutQuery(to)}: update spec.baseUrl.`,
  };
}

function withoutQuery(url: URL): string {
  return redactUrl(`${url.origin}${url.pathname}`);
}

function withheldWarning(url: URL): Warning {
  return {
    code: "secrets-withheld",
    sentence: `The secret headers were not sent to ${url.origin}, which is not the origin of spec.baseUrl.`,
  };
}
