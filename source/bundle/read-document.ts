/**
 * Reads the one form in which packBundle writes its document, and no other JSON: a hostile document of a few million
 * nested lists would cost gigabytes in JSON.parse; here nothing but the strings of known places is ever built.
 */
import { bundleLimits } from "./bundle-limits.js";
import { bundleFormat, pathProblem, shownPath } from "./bundle-contents.js";

export type ReadDocument =
  | { readonly kind: "read"; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: "broken"; readonly sentence: string };

const notOurs = "It is no document that harvestctl bundle wrote";

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Is this next? Then it is taken. */
  take(text: string): boolean {
    const end = this.#at + text.length;
    if (this.#bytes.toString("latin1", this.#at, end) !== text) return false;
    this.#at = end;
    return true;
  }

  /** The JSON string that begins here; undefined when there is none, or it has more bytes than these. */
  takeString(mostBytes: number): string | undefined {
    if (this.#bytes[this.#at] !== 0x22) return undefined;
    let end = this.#bytes.indexOf(0x22, this.#at + 1);
    while (end !== -1 && this.#isEscaped(end)) end = this.#bytes.indexOf(0x22, end + 1);
    if (end === -1 || end - this.#at > mostBytes) return undefined;
    const written = this.#bytes.toString("utf8", this.#at, end + 1);
    this.#at = end + 1;
    return parsedString(written);
  }

  #isEscaped(quote: number): boolean {
    let before = quote - 1;
    while (this.#bytes[before] === 0x5c) before -= 1;
    return (quote - before) % 2 === 0;
  }
}

function parsedString(written: string): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Files in the order they stand; the caller checks what may be in a bundle. */
export function readDocument(bytes: Buffer): ReadDocument {
  const reader = new Reader(bytes);
  if (!reader.take(`{"format":"${bundleFormat}","files":[`))
    return broken(`${notOurs}, or one of a format newer than ${bundleFormat}`);
  const files = new Map<string, Uint8Array>();
  if (!reader.take("]")) {
    do {
      const problem = readEntry(reader, files);
      if (problem !== undefined) return broken(problem);
    } while (reader.take(","));
    if (!reader.take("]")) return broken(notOurs);
  }
  return reader.take("}") && reader.atEnd ? { kind: "read", files } : broken(notOurs);
}

/** Six bytes of JSON at most for one byte of text. */
const mostWritten = 6;

function readEntry(reader: Reader, files: Map<string, Uint8Array>): string | undefined {
  const path = reader.take('{"path":') ? reader.takeString(mostWritten * bundleLimits.pathBytes) : undefined;
  if (path === undefined) return notOurs;
  const problem = pathProblem(path);
  if (problem !== undefined) return `Its file ${shownPath(path)} cannot be in a bundle: ${problem}`;
  const bytes = readContent(reader);
  if (bytes === undefined || !reader.take("}")) return notOurs;
  if (files.has(path)) return `It has the file ${path} twice`;
  if (files.size >= bundleLimits.files) return `It has more than ${String(bundleLimits.files)} files`;
  files.set(path, bytes);
  return undefined;
}

function readContent(reader: Reader): Uint8Array | undefined {
  const encoding = reader.take(',"text":') ? "utf8" : reader.take(',"base64":') ? "base64" : undefined;
  if (encoding === undefined) return undefined;
  const text = reader.takeString(mostWritten * bundleLimits.fileBytes);
  return text === undefined ? undefined : Buffer.from(text, encoding);
}

function broken(sentence: string): ReadDocument {
  return { kind: "broken", sentence: `${sentence}.` };
}
