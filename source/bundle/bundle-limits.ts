/** What a policy bundle may hold. Everything a bundle says of itself is checked against these before it is believed. */
export const bundleLimits = {
  files: 2000,
  /** Bytes of one file, as the harvester reads policy files (harvester/policy-files.ts). */
  fileBytes: 16 * 1024 * 1024,
  /** Bytes of all files together. */
  allBytes: 64 * 1024 * 1024,
  /** Bytes of a path in UTF-8. */
  pathBytes: 512,
  /** Bytes of the document after decompression: base64 takes four bytes for three, and each file has a path. */
  documentBytes: 96 * 1024 * 1024,
  /** Bytes of a packed bundle, wherever it lies. */
  packedBytes: 16 * 1024 * 1024,
  /** Bytes of all values of a ConfigMap; the API server refuses more. */
  configMapBytes: 1024 * 1024,
} as const;

/** `kubectl apply` without --server-side keeps a copy of the object in an annotation; all annotations have this many bytes. */
export const annotationBytes = 256 * 1024;
