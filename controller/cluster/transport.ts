/** Requests to the API server: as often as is safe and sensible, never faster than allowed. */
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { endedBy, attempt, type ApiRequest, type OpenAnswer, type Outcome } from "./exchange.js";
import { mayNotWrite, NotJson, requestFailed, type Failed, type Scene } from "./api-faults.js";
import { attemptSignal, type AttemptSignal } from "./attempt-signal.js";
import { readBody } from "./body.js";
import type { Connection } from "./connection.js";
import { createBucket, type RateLimit } from "./rate-limit.js";
import { requestInfo } from "./request-info.js";
import { decideRetry, type RetryPolicy } from "./retry-decision.js";

/** One attempt as metrics count it. */
export interface ObservedRequest {
  readonly verb: string;
  readonly resource: string;
  /** HTTP status; 0 = there was no answer. */
  readonly status: number;
  /** Until the answer was read; of a stream until it began. */
  readonly seconds: number;
}

export interface TransportOptions {
  readonly retry?: Partial<RetryPolicy>;
  readonly rateLimit?: RateLimit;
  /** Longest wait for the head of an answer, ms. Default 30,000. */
  readonly headersMs?: number;
  /** Longest silence in the middle of a body, ms. Default 30,000. */
  readonly idleMs?: number;
  /** Longest time for one attempt that is no stream, ms. Default 120,000. */
  readonly attemptMs?: number;
  /** Largest body that is read at once, decoded. Default 64 MiB. */
  readonly maxBodyBytes?: number;
  readonly userAgent?: string;
  /** Asked before each attempt that may change something; false = it is not made, and ApiFault MayNotWrite is thrown. */
  mayWrite?(): boolean;
  /** Ends everything under way, and every wait. */
  readonly signal?: AbortSignal;
  /** What the server wants people to know; the same text comes again and again. */
  onWarning?(text: string): void;
  observeRequest?(request: ObservedRequest): void;
  /** From 0 (included) to 1 (excluded); for tests. */
  random?(): number;
}

/** About half a minute of trying: an API server is back within a few seconds of a restart. */
const defaultRetry: RetryPolicy = { maxAttempts: 8, totalMs: 60_000, baseMs: 200, capMs: 10_000 };
const defaultRateLimit: RateLimit = { perSecond: 50, burst: 100 };
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A success whose body is read by the caller. */
export interface StreamAnswer {
  readonly status: number;
  readonly headers: OpenAnswer["headers"];
  /** To be read to its end, or left by `cancel`: it holds a connection. Its errors are ApiFaults. */
  readonly body: AsyncIterable<Uint8Array>;
  /** How a failure of the caller's own reading is told. */
  explain(error: unknown): Error;
  cancel(): void;
}

export interface Transport {
  /** The answer's JSON. Throws ApiFault. */
  json(request: ApiRequest): Promise<unknown>;
  /** Throws ApiFault; what comes after the head is not tried again. */
  stream(request: ApiRequest): Promise<StreamAnswer>;
}

export function createTransport(connection: Connection, options: TransportOptions = {}): Transport {
  const sender = new Sender(connection, options);
  const maxBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  return {
    json: (request) =>
      sender.send(request, {
        read: async ({ body }) => parseJson(await readBody(body, maxBytes)),
        totalMs: options.attemptMs ?? 120_000,
      }),
    stream: (request) =>
      sender.send(request, {
        read: (answer, stop, scene) => Promise.resolve(streamOf(answer, stop, scene)),
        keepsSignal: true,
      }),
  };
}

interface Reading<T> {
  read(answer: OpenAnswer, stop: AttemptSignal, scene: Scene): Promise<T>;
  readonly keepsSignal?: boolean;
  readonly totalMs?: number;
}

class Sender {
  readonly #connection: Connection;
  readonly #options: TransportOptions;
  readonly #policy: RetryPolicy;
  readonly #bucket;
  readonly #random: () => number;

  constructor(connection: Connection, options: TransportOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#policy = { ...defaultRetry, ...options.retry };
    this.#bucket = createBucket(options.rateLimit ?? defaultRateLimit, performance.now());
    this.#random = options.random ?? Math.random;
  }

  async send<T>(request: ApiRequest, reading: Reading<T>): Promise<T> {
    const named = request.name === undefined ? {} : { name: request.name };
    const info = { ...requestInfo(request.method, request.path), ...named };
    const scene: Scene = { info, origin: this.#connection.server.origin };
    const began = performance.now();
    let [tries, lastWaitMs, renewed] = [0, 0, false];
    for (;;) {
      await this.#pause(this.#bucket.take(performance.now()), request, scene);
      this.#checkRight(request, scene);
      const generation = this.#connection.generation();
      const outcome = await this.#try(request, reading, scene);
      if (outcome.ok) return outcome.value;
      tries += 1;
      const decision = decideRetry({
        failure: outcome.failure,
        replayable: request.replayable,
        attempt: tries,
        elapsedMs: performance.now() - began,
        lastWaitMs,
        renewed,
        random: this.#random(),
        policy: request.once === true ? { ...this.#policy, maxAttempts: 1 } : this.#policy,
      });
      this.#distrust(outcome);
      if (decision.kind === "give-up") throw outcome.fault;
      if (decision.kind === "renew") {
        this.#connection.renew(generation);
        renewed = true;
        continue;
      }
      lastWaitMs = decision.ms;
      await this.#pause(decision.ms, request, scene);
    }
  }

  async #try<T>(request: ApiRequest, reading: Reading<T>, scene: Scene): Promise<Outcome<T>> {
    const { headersMs = 30_000, idleMs = 30_000, userAgent = "harvest-controller", signal } = this.#options;
    const started = performance.now();
    const outcome = await attempt(
      {
        connection: this.#connection,
        request,
        scene,
        userAgent,
        headersMs,
        idleMs: request.idleMs ?? idleMs,
        totalMs: reading.totalMs,
        signal,
        onWarning: (text) => this.#options.onWarning?.(text),
      },
      (answer, stop) => reading.read(answer, stop, scene),
      reading.keepsSignal,
    );
    this.#options.observeRequest?.({
      verb: scene.info.verb,
      resource: scene.info.resource,
      status: outcome.ok ? outcome.status : outcome.fault.status,
      seconds: (performance.now() - started) / 1000,
    });
    return outcome;
  }

  /** After every wait: what was decided before it may be somebody else's to do by now. */
  #checkRight({ method }: ApiRequest, scene: Scene): void {
    const reads = method === "GET" || method === "HEAD";
    if (!reads && this.#options.mayWrite?.() === false) throw mayNotWrite(scene);
  }

  /** A server that says nothing may be a kept connection into nowhere, and the others are no better. */
  #distrust({ failure }: Failed): void {
    if (failure.kind === "network" && failure.group === "silent") this.#connection.reconnect();
  }

  async #pause(ms: number, request: ApiRequest, scene: Scene): Promise<void> {
    const stop = attemptSignal([request.signal, this.#options.signal]);
    try {
      if (stop.signal.aborted || ms > 0) await wait(ms, undefined, { signal: stop.signal });
    } catch (error) {
      throw requestFailed(scene, error, "by caller").fault;
    } finally {
      stop.release();
    }
  }
}

function streamOf(answer: OpenAnswer, stop: AttemptSignal, scene: Scene): StreamAnswer {
  const { status, headers, body } = answer;
  function explain(error: unknown): Error {
    return requestFailed(scene, error, endedBy(stop)).fault;
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) yield chunk;
    } catch (error) {
      throw explain(error);
    } finally {
      stop.release();
    }
  }
  return {
    status,
    headers,
    body: chunks(),
    explain,
    cancel() {
      stop.release();
      body.destroy();
    },
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch {
    throw new NotJson();
  }
}
