/** Reads a record file just far enough to serve it: by pattern, not by parser, for a broken file must be servable too. */
import type { Format } from "./format.js";

export interface FileFacts {
  /** Undefined: not a record this sandbox can serve. */
  readonly format?: Format;
  readonly identifier?: string;
  /** gmd:dateStamp, in seconds of the epoch. */
  readonly stamp?: number;
}

export function readFacts(file: Buffer): FileFacts {
  const text = payloadOf(file).toString("utf8");
  if (/<(?:\w+:)?M[DI]_Metadata[\s>]/.test(text)) {
    const identifier = /fileIdentifier\b[^>]*>\s*<[^>]+>\s*([^<\s][^<]*)/.exec(text)?.[1]?.trim();
    const written = /dateStamp\b[^>]*>\s*<[^>]+>\s*(\d{4}-\d{2}-\d{2})/.exec(text)?.[1];
    const stamp = written === undefined ? NaN : Date.parse(`${written}T00:00:00Z`) / 1000;
    return {
      format: "iso19139",
      ...(identifier === undefined ? {} : { identifier }),
      ...(Number.isNaN(stamp) ? {} : { stamp }),
    };
  }
  return /<(?:\w+:)?dc[\s>]/.test(text) && text.includes("http://www.openarchives.org/OAI/2.0/oai_dc/")
    ? { format: "oai_dc" }
    : {};
}

/** The file without byte-order mark, XML declaration and outer blanks, in UTF-8, ready to stand inside an envelope. */
export function payloadOf(file: Buffer): Buffer {
  const head = file.subarray(0, 200).toString("latin1");
  const declared = /^(?:\xEF\xBB\xBF)?\s*<\?xml\b[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/
    .exec(head)?.[1]
    ?.toLowerCase();
  const start = /^(?:\xEF\xBB\xBF)?\s*(?:<\?xml\b[^>]*\?>)?\s*/.exec(head)?.[0].length ?? 0;
  const body = file.subarray(start);
  if (declared === undefined || declared === "utf-8" || declared === "us-ascii") return body;
  return Buffer.from(new TextDecoder(knownEncoding(declared)).decode(body));
}

function knownEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}
