/** The bytes of an answer: timed, decoded layer by layer, counted, and always ended or torn down (cases C66, C72, C83). */
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { asFault, Fault } from "../fault.js";
import type { Warning } from "../record.js";
import { declaredCodings, HEAD_BYTES, sniffCoding, type Coding } from "./coding.js";
import type { Deadlines } from "./deadlines.js";

export interface BodySource {
  readonly bytes: AsyncIterable<Buffer>;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  /** Redacted address, for sentences. */
  readonly where: string;
  readonly maxBytes: number;
  readonly deadlines: Deadlines;
  readonly onWireBytes: (bytes: number) => void;
}

export interface OpenBody {
  readonly body: AsyncIterable<Uint8Array>;
  readonly warnings: readonly Warning[];
}

/** Compressed twice is seen in the field; more is an attack. */
const MAX_LAYERS = 3;
/** Deflate cannot do better than 1032 to 1; pages of near-identical records reach about 100. */
const MAX_RATIO = 500;
const RATIO_FREE_BYTES = 16 * 1024 * 1024;
/** Each decoded piece costs a round trip to a thread. */
const CHUNK_BYTES = 64 * 1024;

interface Meter {
  wire: number;
  decoded: number;
}

/** Resolves when the first decoded bytes are there, so that what they tell can be a warning. */
export async function openBody(source: BodySource): Promise<OpenBody> {
  const length = Number(source.contentLength);
  if (length > source.maxBytes) throw tooLarge(source, `announces ${String(length)} bytes`);
  const meter: Meter = { wire: 0, decoded: 0 };
  const warnings: Warning[] = [];
  const declared = declaredCodings(source.contentEncoding);
  let current = timed(source, meter);
  for (let layer = 0; ; layer += 1) {
    const { head, all } = await peek(current);
    const verdict = sniffCoding(head, declared.pop());
    if (verdict.coding === "unknown") throw unknownCoding(source);
    if (verdict.mislabelled) warnings.push(mislabelled(source, verdict.coding, layer));
    if (verdict.coding === "identity") return { body: onePass(all, source), warnings };
    if (layer === MAX_LAYERS) throw tooDeep(source);
    current = counted(through(all, verdict.coding), source, meter);
  }
}

/** The wire, with the deadlines around every wait. */
async function* timed(source: BodySource, meter: Meter): AsyncGenerator<Buffer, void, void> {
  const wire = source.bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await source.deadlines
      .bytes(wire.next(), (got) => (got.done === true ? 0 : got.value.length))
      .catch((thrown: unknown) => {
        throw brokenOff(thrown, source, meter.wire);
      });
    if (next.done === true) return;
    meter.wire += next.value.length;
    source.onWireBytes(next.value.length);
    if (meter.wire > source.maxBytes) throw tooLarge(source, "is longer");
    if (next.value.length > 0) yield next.value;
  }
}

/** What a decoder puts out, counted against the limits. */
async function* counted(
  decoder: AsyncIterable<Buffer>,
  source: BodySource,
  meter: Meter,
): AsyncGenerator<Buffer, void, void> {
  let bytes = 0;
  try {
    for await (const chunk of decoder) {
      bytes += chunk.length;
      if (bytes > source.maxBytes) throw tooLarge(source, "unpacks to more");
      if (bytes > RATIO_FREE_BYTES && bytes > meter.wire * MAX_RATIO) throw bomb(source, bytes, meter.wire);
      yield chunk;
    }
  } catch (thrown) {
    throw undecodable(thrown, source);
  }
}

/** `pipeline` carries an error of either end to the other; `pipe` would wait for ever when the socket dies. */
function through(bytes: AsyncIterable<Buffer>, coding: Exclude<Coding, "identity">): AsyncIterable<Buffer> {
  const decoder = decoders[coding]();
  pipeline(Readable.from(bytes, { objectMode: false }), decoder, () => {
    // The reader of the decoder gets the error.
  });
  return decoder;
}

const decoders: Readonly<Record<Exclude<Coding, "identity">, () => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  "deflate-raw": () => createInflateRaw({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
};

/** The first bytes, and an iterable that still has them all. */
async function peek(
  source: AsyncGenerator<Buffer, void, void>,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer, void, void> }> {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    chunks.push(next.value);
    size += next.value.length;
  }
  async function* all(): AsyncGenerator<Buffer, void, void> {
    yield* chunks;
    yield* source;
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), all: all() };
}

/** For the reader: ends the clocks at the last byte, and tears the connection down when it stops earlier. */
function onePass(bytes: AsyncGenerator<Buffer, void, void>, source: BodySource): AsyncIterable<Uint8Array> {
  const { deadlines } = source;
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const next = await bytes.next();
        if (next.done === true) deadlines.finish();
        return next;
      } catch (thrown) {
        deadlines.stop(asFault(thrown));
        deadlines.finish();
        throw thrown;
      }
    },
    return() {
      deadlines.stop(
        new Fault("interrupted", {
          code: "BodyDropped",
          sentence: `The answer of ${source.where} was not read to its end.`,
        }),
      );
      deadlines.finish();
      // Frees the decoders; it may have to wait for a read that the stop is just ending.
      bytes.return().catch(() => undefined);
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

function mislabelled(source: BodySource, found: Coding, layer: number): Warning {
  const said =
    source.contentEncoding === undefined
      ? "no content-encoding"
      : `content-encoding: ${source.contentEncoding.slice(0, 60)}`;
  const is = found === "identity" ? "not compressed" : `compressed with ${found}`;
  return {
    code: "encoding-mislabelled",
    sentence: `${source.where} says ${said}, but its answer is ${is}${layer > 0 ? " once more" : ""}; it was read as what it is.`,
  };
}

function brokenOff(thrown: unknown, source: BodySource, received: number): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("transient", {
    code: "Truncated",
    sentence: `The answer of ${source.where} broke off after ${String(received)} bytes.`,
    remedy: "The same page is asked again; if it always breaks there, tell the operator of the repository.",
    cause: thrown,
  });
}

function undecodable(thrown: unknown, source: BodySource): Fault {
  if (thrown instanceof Fault) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  const cut = code === "Z_BUF_ERROR" || code === "ERR__ERROR_FORMAT_UNEXPECTED_END";
  return new Fault("transient", {
    code: cut ? "Truncated" : "BodyCorrupt",
    sentence: cut
      ? `The compressed answer of ${source.where} ends in the middle.`
      : `The compressed answer of ${source.where} is damaged and cannot be unpacked.`,
    remedy: "The same page is asked again; if it always fails, tell the operator of the repository.",
    cause: thrown,
  });
}

function tooLarge(source: BodySource, how: string): Fault {
  return new Fault("protocol", {
    code: "AnswerTooLarge",
    sentence:
      `The answer of ${source.where} ${how} than the ${String(source.maxBytes)} bytes allowed.`.replace(
        /(announces \d+ bytes) than/,
        "$1, more than",
      ),
    remedy: "If pages of this source are really that big, raise spec.limits.maxPageBytes.",
  });
}

function bomb(source: BodySource, bytes: number, wire: number): Fault {
  return new Fault("protocol", {
    code: "CompressionBomb",
    sentence: `${String(wire)} bytes from ${source.where} unpack to more than ${String(bytes)}: no honest page is packed ${String(MAX_RATIO)} to 1.`,
    remedy: "Ask the operator of the repository what is served there.",
  });
}

function tooDeep(source: BodySource): Fault {
  return new Fault("protocol", {
    code: "CompressionBomb",
    sentence: `The answer of ${source.where} is compressed more than ${String(MAX_LAYERS)} times over.`,
    remedy: "Ask the operator of the repository what is served there.",
  });
}

function unknownCoding(source: BodySource): Fault {
  return new Fault("protocol", {
    code: "EncodingUnknown",
    sentence: `${source.where} compressed its answer with '${(source.contentEncoding ?? "").slice(0, 60)}', although only gzip and br were offered.`,
    remedy: "Tell the operator of the repository: Accept-Encoding is being ignored.",
  });
}
