import { gunzipSync } from "node:zlib";
import { bundleDigest, contentsProblem } from "./bundle-contents.js";
import { bundleLimits } from "./bundle-limits.js";
import { readDocument } from "./read-document.js";

export type UnpackedBundle =
  | {
      readonly kind: "unpacked";
      /** Of what is really in it. */
      readonly digest: string;
      readonly files: ReadonlyMap<string, Uint8Array>;
    }
  | {
      readonly kind: "refused";
      /** Unreadable = damaged, or not ours; TooBig = over a limit; Untrue = not what it was said to be. */
      readonly reason: "BundleUnreadable" | "BundleTooBig" | "BundleUntrue";
      readonly sentence: string;
    };

/**
 * The files of a packed bundle, within the limits of bundle-limits.ts whatever the bytes are. With `expectedDigest` only
 * a bundle of exactly this content is unpacked.
 */
export function unpackBundle(packed: Uint8Array, expectedDigest?: string): UnpackedBundle {
  if (packed.length > bundleLimits.packedBytes)
    return tooBig(
      `The bundle has ${String(packed.length)} bytes; at most ${String(bundleLimits.packedBytes)} are read.`,
    );
  const document = gunzip(packed);
  if (!Buffer.isBuffer(document)) return document;
  const read = readDocument(document);
  if (read.kind === "broken") return unreadable(`The bundle cannot be read. ${read.sentence}`);
  const problem = contentsProblem(read.files);
  if (problem !== undefined) return tooBig(problem);
  const digest = bundleDigest(read.files);
  if (expectedDigest !== undefined && expectedDigest !== digest)
    return {
      kind: "refused",
      reason: "BundleUntrue",
      sentence: `The bundle should have the digest ${shownDigest(expectedDigest)}, but its files have ${digest}: it was changed, or another one was meant.`,
    };
  return { kind: "unpacked", digest, files: read.files };
}

/** A digest somebody claims may be any text. */
export function shownDigest(claimed: string): string {
  return claimed.replace(/[^\x21-\x7e]/g, "?").slice(0, 64);
}

function gunzip(packed: Uint8Array): Buffer | Extract<UnpackedBundle, { kind: "refused" }> {
  try {
    return gunzipSync(packed, { maxOutputLength: bundleLimits.documentBytes });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ERR_BUFFER_TOO_LARGE")
      return tooBig(
        `The bundle unpacks to more than ${String(bundleLimits.documentBytes)} bytes: that is no policy.`,
      );
    return unreadable(`The bundle is no gzip, or is damaged (${code === "" ? "unknown reason" : code}).`);
  }
}

function tooBig(sentence: string): Extract<UnpackedBundle, { kind: "refused" }> {
  return { kind: "refused", reason: "BundleTooBig", sentence };
}

function unreadable(sentence: string): Extract<UnpackedBundle, { kind: "refused" }> {
  return { kind: "refused", reason: "BundleUnreadable", sentence };
}
