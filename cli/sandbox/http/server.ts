/** The HTTP side: reads a request, asks the protocol (or a fault) for an answer, sends it, logs it. */
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttps } from "node:https";
import { TLSSocket } from "node:tls";
import type { ArmedFaults, Striking } from "../faults/armed-faults.js";
import { answerXml } from "../oai/answer.js";
import { HttpRefusal } from "../oai/http-refusal.js";
import { isVerb, type Verb } from "../oai/question.js";
import type { Site } from "../oai/site.js";
import type { TlsOptions } from "../options.js";
import {
  documentBytes,
  encoded,
  insteadOfAnswer,
  refusalReply,
  retryAfterHeader,
  type Reply,
} from "./reply.js";
import type { Requests } from "./request-log.js";
import { send } from "./send.js";
import { readTls } from "./tls.js";

export const OAI_PATH = "/oai";
export const CONTROL_PATH = "/_control";

/** OAI-PMH §3.1.1.2 allows POST forms; nothing honest is longer. */
const MAX_FORM_BYTES = 65_536;

export interface Serving {
  readonly site: Site;
  readonly faults: ArmedFaults;
  readonly requests: Requests;
  readonly tls?: TlsOptions;
  control(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export function createServer(serving: Serving): Server {
  const listener: RequestListener = (request, response) => {
    void handle(serving, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        plain(response, 500, `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  const server =
    serving.tls === undefined ? createHttp(listener) : createHttps(readTls(serving.tls), listener);
  server.on("connection", () => {
    serving.requests.connected();
  });
  return server;
}

/** The document, or the status a faulty server fails with while it writes it. */
function documentOrRefusal(site: Site, query: URLSearchParams, striking: Striking): Buffer | Reply {
  try {
    return documentBytes(answerXml(site, query, striking), striking);
  } catch (thrown) {
    if (thrown instanceof HttpRefusal) return refusalReply(thrown.status);
    throw thrown;
  }
}

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://sandbox");
  if (url.pathname === CONTROL_PATH || url.pathname.startsWith(`${CONTROL_PATH}/`))
    return serving.control(request, response);
  if (url.pathname !== OAI_PATH) return plain(response, 404, `This sandbox serves OAI-PMH at ${OAI_PATH}.`);
  const query = await readQuery(request, url);
  if (query === undefined) return plain(response, 405, "OAI-PMH knows GET and POST with a form.");
  const striking = serving.faults.strike(occasionOf(serving.site, query));
  const ended = serving.requests.began({ ...describe(request, query), faults: striking.kinds() });
  response.on("close", () => {
    ended(response.headersSent ? response.statusCode : 0);
  });
  if (refusesClient(serving, request)) return plain(response, 403, "A client certificate is required.");
  await send(response, await replyTo(serving, { request, query }, striking), striking);
}

async function replyTo(
  { site }: Serving,
  asked: { readonly request: IncomingMessage; readonly query: URLSearchParams },
  striking: Striking,
): Promise<Reply> {
  const { request, query } = asked;
  const instead = insteadOfAnswer(striking, { path: OAI_PATH, query: query.toString() });
  const retryAfter = retryAfterHeader(striking.first(["status", "oai-error"]), site.now());
  const date = { date: new Date(site.now() * 1000).toUTCString() };
  if (instead !== undefined) return { ...instead, headers: { ...instead.headers, ...retryAfter, ...date } };
  const bytes = documentOrRefusal(site, query, striking);
  if (!Buffer.isBuffer(bytes)) return bytes;
  const accepts =
    site.gzip &&
    /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(request.headers["accept-encoding"] ?? ""));
  const { headers, body } = await encoded(bytes, accepts, striking);
  const type = striking.has("content-type")
    ? (striking.get("content-type")?.value ?? "text/html")
    : "text/xml; charset=utf-8";
  const status = striking.get("oai-error")?.status ?? 200;
  return {
    status,
    headers: { ...headers, ...retryAfter, ...date, "content-type": type, vary: "accept-encoding" },
    body,
  };
}

function occasionOf(
  site: Site,
  query: URLSearchParams,
): { readonly verb: ReturnType<typeof verbOf>; readonly page: number } {
  const verb = verbOf(query);
  const token = query.get("resumptionToken");
  if (token === null || verb === undefined) return { verb, page: 1 };
  return { verb, page: site.tokens.pageOf(token, site.live.pageSize) };
}

function verbOf(query: URLSearchParams): Verb | undefined {
  const verb = query.get("verb");
  return isVerb(verb) ? verb : undefined;
}

async function readQuery(request: IncomingMessage, url: URL): Promise<URLSearchParams | undefined> {
  if (request.method === "GET") return url.searchParams;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "");
  if (request.method !== "POST" || !isForm) return undefined;
  return new URLSearchParams((await readBody(request, MAX_FORM_BYTES)).toString());
}

/** Throws when the body is longer than allowed. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) throw new Error(`The request is longer than ${String(maxBytes)} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function describe(
  request: IncomingMessage,
  query: URLSearchParams,
): Omit<Parameters<Requests["began"]>[0], "faults"> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
  const clientName = request.socket instanceof TLSSocket ? peerName(request.socket) : undefined;
  return {
    method: request.method ?? "GET",
    query: [...query].map(([name, value]) => `${name}=${value}`).join("&"),
    verb: query.get("verb") ?? "",
    headers,
    startedAt: Date.now(),
    ...(clientName === undefined ? {} : { clientName }),
  };
}

/** Node answers an empty object when no certificate was shown. */
function peerName(socket: TLSSocket): string | undefined {
  const subject: unknown = socket.getPeerCertificate().subject;
  const name: unknown =
    typeof subject === "object" && subject !== null && "CN" in subject ? subject.CN : undefined;
  return typeof name === "string" ? name : undefined;
}

function refusesClient(serving: Serving, request: IncomingMessage): boolean {
  return (
    serving.tls?.clientCertificate === "answer-403" &&
    !(request.socket instanceof TLSSocket && request.socket.authorized)
  );
}

export function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}
