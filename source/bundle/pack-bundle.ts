import { gzipSync } from "node:zlib";
import {
  bundleDigest,
  bundleFormat,
  contentsProblem,
  sortedFiles,
  type BundleFiles,
} from "./bundle-contents.js";

export interface PackedBundle {
  /** gzip of the document. */
  readonly bytes: Uint8Array;
  /** SHA-256 in hex over paths and contents (bundleDigest). */
  readonly digest: string;
  /** How many files are in it. */
  readonly files: number;
  /** Bytes of all files before packing. */
  readonly unpackedBytes: number;
  /** The five biggest, the biggest first: what to drop when it is too big. */
  readonly biggest: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * Packs the files into one document. The same files give the same digest everywhere, and the same bytes with the same
 * zlib. Throws RangeError with the sentence of `contentsProblem` when the files cannot be a bundle: ask that first.
 */
export function packBundle(files: BundleFiles): PackedBundle {
  const problem = contentsProblem(files);
  if (problem !== undefined) throw new RangeError(problem);
  const sorted = sortedFiles(files);
  const entries = sorted.map(([path, bytes]) => entryText(path, bytes));
  const document = `{"format":${JSON.stringify(bundleFormat)},"files":[${entries.join(",")}]}`;
  const bytes = gzipSync(document, { level: 9 });
  // Byte 9 tells the operating system (RFC 1952, 2.3.1): "unknown", so that it does not matter who packs.
  bytes[9] = 255;
  const sizes = sorted.map(([path, { length }]) => ({ path, bytes: length }));
  return {
    bytes,
    digest: bundleDigest(files),
    files: files.size,
    unpackedBytes: sizes.reduce((sum, one) => sum + one.bytes, 0),
    biggest: [...sizes].sort((a, b) => b.bytes - a.bytes).slice(0, 5),
  };
}

/** As text where that gives the same bytes back and is the shorter, so that a document's size stays bounded. */
function entryText(path: string, bytes: Uint8Array): string {
  const base64 = JSON.stringify(Buffer.from(bytes).toString("base64"));
  const text = textOf(bytes);
  return text !== undefined && Buffer.byteLength(text) <= base64.length
    ? `{"path":${JSON.stringify(path)},"text":${text}}`
    : `{"path":${JSON.stringify(path)},"base64":${base64}}`;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is kept: it is part of the file.
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return JSON.stringify(decoded);
  } catch {
    return undefined;
  }
}
