/** A success of an odd call. */
import { readBody } from "./body.js";
import { NotJson } from "./api-faults.js";
import type { StreamAnswer } from "./transport.js";
import { Readable } from "node:stream";

export interface RawOptions {
  /** A text is sent as it is; anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Longest silence in the middle of the answer, ms; 0 = for ever, as for a log that is followed. */
  readonly idleMs?: number;
  /** The same request twice does what it does once, so it may be sent again. Default: GET and HEAD only. */
  readonly replayable?: boolean;
}

/** Read it one way, or `cancel` it: it holds a connection. What fails is an ApiFault. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: StreamAnswer["headers"];
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<unknown>;
  cancel(): void;
}

export function rawAnswer(answer: StreamAnswer, maxBytes = 64 * 1024 * 1024): RawAnswer {
  async function text(): Promise<string> {
    try {
      return (await readBody(Readable.from(answer.body), maxBytes)).toString("utf8");
    } catch (error) {
      throw answer.explain(error);
    }
  }
  async function json(): Promise<unknown> {
    const read = await text();
    try {
      return JSON.parse(read) as unknown;
    } catch {
      throw answer.explain(new NotJson());
    }
  }
  const { status, headers, body } = answer;
  return {
    status,
    headers,
    body,
    text,
    json,
    cancel: () => {
      answer.cancel();
    },
  };
}
