/** Bodies of answers: decoded and bounded. */
import { createGunzip } from "node:zlib";
import { pipeline, type Readable } from "node:stream";

/** An answer bigger than is read. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The body has more than ${String(maxBytes)} bytes.`);
    this.maxBytes = maxBytes;
  }
}

/** `coding`: Content-Encoding. Only gzip is ever asked for; another coding is passed through and will be no JSON. */
export function decodedBody(body: Readable, coding: string | undefined): Readable {
  if (coding?.toLowerCase() !== "gzip") return body;
  const gunzip = createGunzip();
  // An error of either side reaches the reader of the last one.
  pipeline(body, gunzip, () => undefined);
  return gunzip;
}

/** Reads all of it. Throws TooLarge beyond `maxBytes` decoded bytes, and what the connection throws. */
export async function readBody(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the stream, and with it the connection's claim on it.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
