/** The files of a bundle: what may be in one, in which order, and the digest that stands for all of them. Pure. */
import { createHash } from "node:crypto";
import { bundleLimits } from "./bundle-limits.js";

/** Path relative to the policy root → bytes. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

export const bundleFormat = "harvest-policy/v1";

/** Why these files cannot be a bundle, in one sentence; undefined when they can. */
export function contentsProblem(files: BundleFiles): string | undefined {
  if (files.size > bundleLimits.files)
    return `The bundle has ${String(files.size)} files; at most ${String(bundleLimits.files)} are allowed.`;
  let all = 0;
  for (const [path, bytes] of files) {
    const problem = pathProblem(path);
    if (problem !== undefined) return `The file ${shownPath(path)} cannot be in a bundle: ${problem}.`;
    if (bytes.length > bundleLimits.fileBytes)
      return `The file ${path} has ${String(bytes.length)} bytes; at most ${String(bundleLimits.fileBytes)} are allowed.`;
    all += bytes.length;
  }
  if (all > bundleLimits.allBytes)
    return `The files have ${String(all)} bytes together; at most ${String(bundleLimits.allBytes)} are allowed.`;
  return fileThatIsFolder(files);
}

/** Why this cannot be the path of a bundle's file; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "its path is empty";
  if (Buffer.byteLength(path) > bundleLimits.pathBytes)
    return `its path is longer than ${String(bundleLimits.pathBytes)} bytes`;
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(path))
    return "its path has a control or another invisible character";
  if (path.includes("\\")) return "its path has a backslash";
  if (path.startsWith("/")) return "its path is absolute";
  const parts = path.split("/");
  if (parts.includes("")) return "its path has an empty part";
  if (parts.includes("..")) return "its path leads out of the bundle";
  if (parts.some((part) => part.startsWith("."))) return "a part of its path is hidden (begins with a dot)";
  return undefined;
}

/** A path as sentences show it: cut, and without what a terminal would act on. */
export function shownPath(path: string): string {
  const cut = path.length > 120 ? `${path.slice(0, 120)}…` : path;
  return JSON.stringify(cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "?"));
}

/** On a disk `a` cannot be a file beside `a/b`. */
function fileThatIsFolder(files: BundleFiles): string | undefined {
  for (const path of files.keys()) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (files.has(folder)) return `${folder} is a file of the bundle, and also the folder of ${path}.`;
    }
  }
  return undefined;
}

/** By code units of the path, so that every machine agrees. */
export function sortedFiles(files: BundleFiles): readonly (readonly [string, Uint8Array])[] {
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * SHA-256 in hex over the format, and each path with the SHA-256 of its bytes, in order. Never over compressed bytes:
 * two versions of zlib pack the same files differently.
 */
export function bundleDigest(files: BundleFiles): string {
  const digest = createHash("sha256").update(`${bundleFormat}\n`);
  for (const [path, bytes] of sortedFiles(files))
    digest.update(`${JSON.stringify(path)} ${contentHash(bytes)}\n`);
  return digest.digest("hex");
}

/** SHA-256 in hex. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
