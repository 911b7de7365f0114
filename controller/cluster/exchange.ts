/** One attempt: one request to the server and its answer, or why there is none. */
import type { Readable } from "node:stream";
import { answerFailed, requestFailed, type Failed, type Scene } from "./api-faults.js";
import { attemptSignal, type AttemptSignal } from "./attempt-signal.js";
import { decodedBody } from "./body.js";
import type { Connection } from "./connection.js";
import { retryAfterMs } from "./retry-after.js";
import type { Method } from "./request-info.js";
import { warningTexts } from "./warning-header.js";

export interface ApiRequest {
  readonly method: Method;
  /** From the API server's root, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of an object the path does not name yet, for sentences. */
  readonly name?: string;
  /** The same request twice does what it does once. */
  readonly replayable: boolean;
  /** True: a failure is thrown at once; only stale credentials are renewed. */
  readonly once?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Longest silence in the middle of the body, ms; 0 = for ever. Absent = the transport's. */
  readonly idleMs?: number;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

export interface Attempt {
  readonly connection: Connection;
  readonly request: ApiRequest;
  readonly scene: Scene;
  readonly userAgent: string;
  /** Longest wait for the head of the answer, ms. */
  readonly headersMs: number;
  /** Longest silence in the middle of the body, ms; 0 = for ever. */
  readonly idleMs: number;
  /** Longest time for all of it, ms; absent = for ever. */
  readonly totalMs?: number | undefined;
  /** Ends the attempt too. */
  readonly signal: AbortSignal | undefined;
  onWarning?(text: string): void;
}

export type Outcome<T> =
  { readonly ok: true; readonly status: number; readonly value: T } | ({ readonly ok: false } & Failed);

/** Of an answer that is no success this much is read: enough for any Status. */
const MAX_STATUS_BYTES = 256 * 1024;

/**
 * `read` gets the answer when it is a success, and the signal that stops the attempt; what it throws is a failure of the
 * attempt. It must release the signal when `keepsSignal`.
 */
export async function attempt<T>(
  options: Attempt,
  read: (answer: OpenAnswer, stop: AttemptSignal) => Promise<T>,
  keepsSignal = false,
): Promise<Outcome<T>> {
  const { request, scene } = options;
  const stop = attemptSignal([request.signal, options.signal], options.totalMs);
  let kept = false;
  try {
    const answer = await open(options, stop.signal);
    if (answer.status < 200 || answer.status > 299)
      return { ok: false, ...answerFailed(scene, await badAnswer(answer)) };
    for (const text of warningTexts(answer.headers["warning"])) options.onWarning?.(text);
    const value = await read(answer, stop);
    kept = keepsSignal;
    return { ok: true, status: answer.status, value };
  } catch (error) {
    return { ok: false, ...requestFailed(scene, error, endedBy(stop)) };
  } finally {
    if (!kept) stop.release();
  }
}

export function endedBy(stop: AttemptSignal): "by caller" | "by time" | undefined {
  if (!stop.signal.aborted) return undefined;
  return stop.expired() ? "by time" : "by caller";
}

async function open(options: Attempt, signal: AbortSignal): Promise<OpenAnswer> {
  const { connection, request, headersMs, idleMs, userAgent } = options;
  const own = await connection.headers();
  const dispatcher = await connection.dispatcher();
  const { server } = connection;
  const answer = await dispatcher.request({
    origin: server.origin,
    path: `${server.pathname.replace(/\/$/, "")}${request.path}`,
    method: request.method,
    headers: {
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": userAgent,
      ...request.headers,
      ...own,
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    headersTimeout: headersMs,
    bodyTimeout: idleMs,
    signal,
  });
  const coding = answer.headers["content-encoding"];
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: decodedBody(answer.body, typeof coding === "string" ? coding : undefined),
  };
}

async function badAnswer(answer: OpenAnswer): Promise<Parameters<typeof answerFailed>[1]> {
  return {
    status: answer.status,
    body: await firstBytes(answer.body),
    retryAfterMs: retryAfterMs(oneOf(answer.headers["retry-after"]), {
      now: Date.now(),
      date: oneOf(answer.headers["date"]),
    }),
  };
}

/** What came of it counts: the status is known already, whatever happens to its explanation. */
async function firstBytes(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_STATUS_BYTES) break;
    }
  } catch {
    // Cut off in the middle: told from what there is.
  }
  return Buffer.concat(chunks).toString("utf8");
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
