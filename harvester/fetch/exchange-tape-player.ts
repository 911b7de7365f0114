/** A client that answers from a recording and asks nobody. */
import { Fault } from "../fault.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { Client } from "./client.js";
import type { TapeExchange, TapeFault, TapeResponse } from "./exchange-tape.js";
import type { TapedSource } from "./exchange-tape-reader.js";
import { strippedRequest } from "./exchange-tape-strip.js";

export interface Player extends Client {
  /** Recorded answers nobody asked for. */
  unheard(): number;
}

/** `reached`: told at each answer how long after its beginning the recorded run had it, in ms. */
export function playingClient(taped: TapedSource, reached: (milliseconds: number) => void): Player {
  const waiting = [...taped.exchanges];
  const traffic = { requests: 0, bytes: 0 };
  return {
    send(request) {
      const asked = keyOf(request);
      const at = waiting.findIndex((exchange) => nameOf(exchange.request) === asked);
      const exchange = waiting[at];
      if (exchange === undefined) return Promise.reject(notOnTape(request, taped));
      waiting.splice(at, 1);
      traffic.requests += 1;
      reached(exchange.at);
      return answerOf(exchange, (bytes) => {
        traffic.bytes += bytes;
      });
    },
    traffic: () => ({ ...traffic }),
    close: () => Promise.resolve(),
    unheard: () => waiting.length,
  };
}

function answerOf(exchange: TapeExchange, onBytes: (bytes: number) => void): Promise<HttpResponse> {
  const { response, fault } = exchange;
  if (response === undefined) return Promise.reject(asRecorded(fault));
  const { status, url, headers, warnings } = response;
  return Promise.resolve({ status, url, headers, warnings, body: bodyOf(response, fault, onBytes) });
}

async function* bodyOf(
  response: TapeResponse,
  fault: TapeFault | undefined,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const bytes = Buffer.from(response.body, "base64");
  let at = 0;
  for (const length of response.pieces) {
    const piece = bytes.subarray(at, at + length);
    at += length;
    onBytes(piece.byteLength);
    yield Uint8Array.from(piece);
    await Promise.resolve();
  }
  if (fault !== undefined) throw asRecorded(fault);
  if (response.left === true) throw leftEarly(response.url);
}

function asRecorded(fault: TapeFault | undefined): Fault {
  if (fault === undefined)
    return new Fault("config", {
      code: "TapeDamaged",
      sentence: "The recording holds a request with neither an answer nor a reason why there is none.",
    });
  const { fault: kind, ...detail } = fault;
  return new Fault(kind, detail);
}

function keyOf(request: HttpRequest): string {
  return nameOf(strippedRequest(request));
}

function nameOf({ method, url, body }: Pick<HttpRequest, "method" | "url" | "body">): string {
  return body === undefined ? `${method} ${url}` : `${method} ${url} with ${body}`;
}

/** No fault of the source, and nothing another try could mend. */
function notOnTape(request: HttpRequest, { exchanges }: TapedSource): Fault {
  return new Fault("interrupted", {
    code: "NotOnTape",
    sentence: `The recording has no answer to ${keyOf(request).slice(0, 400)}; it holds ${String(exchanges.length)} answers of this source.`,
    remedy:
      "The manifest, the limit or the program asks for something else than when it was recorded: record anew.",
  });
}

function leftEarly(url: string): Fault {
  return new Fault("interrupted", {
    code: "NotOnTape",
    sentence: `The recording holds only the beginning of the answer of ${url}: the recorded run needed no more.`,
    remedy: "Replay with the limit it was recorded with, or record anew.",
  });
}
