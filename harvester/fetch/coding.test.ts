import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { declaredCodings, sniffCoding } from "./coding.js";

const xml = Buffer.from(`<?xml version="1.0"?><OAI-PMH>${"<a/>".repeat(50)}</OAI-PMH>`);

interface Row {
  readonly name: string;
  readonly body: Uint8Array;
  readonly declared?: string;
  readonly coding: string;
  readonly mislabelled?: boolean;
}

const table: readonly Row[] = [
  { name: "plain, undeclared", body: xml, coding: "identity" },
  { name: "gzip, declared", body: gzipSync(xml), declared: "gzip", coding: "gzip" },
  { name: "gzip, declared x-gzip", body: gzipSync(xml), declared: "x-gzip", coding: "gzip" },
  { name: "C72 gzip, undeclared", body: gzipSync(xml), coding: "gzip", mislabelled: true },
  { name: "C72 gzip, declared br", body: gzipSync(xml), declared: "br", coding: "gzip", mislabelled: true },
  { name: "C72 plain, declared gzip", body: xml, declared: "gzip", coding: "identity", mislabelled: true },
  { name: "C72 plain, declared br", body: xml, declared: "br", coding: "identity", mislabelled: true },
  {
    name: "C72 plain, declared deflate",
    body: xml,
    declared: "deflate",
    coding: "identity",
    mislabelled: true,
  },
  {
    name: "C72 plain with BOM, declared gzip",
    body: Buffer.from("\uFEFF<?xml version='1.0'?><a/>"),
    declared: "gzip",
    coding: "identity",
    mislabelled: true,
  },
  {
    name: "C72 UTF-16, declared gzip",
    body: Buffer.from("\uFEFF<a>text</a>", "utf16le"),
    declared: "gzip",
    coding: "identity",
    mislabelled: true,
  },
  {
    name: "C72 plain words, declared gzip",
    body: Buffer.from("Service Unavailable"),
    declared: "gzip",
    coding: "identity",
    mislabelled: true,
  },
  { name: "C72 a plain unknown name", body: xml, declared: "utf-8", coding: "identity", mislabelled: true },
  { name: "brotli", body: brotliCompressSync(xml), declared: "br", coding: "br" },
  { name: "brotli of nothing", body: brotliCompressSync(""), declared: "br", coding: "br" },
  { name: "brotli of a short text", body: brotliCompressSync("<a/>"), declared: "br", coding: "br" },
  { name: "deflate with zlib header", body: deflateSync(xml), declared: "deflate", coding: "deflate" },
  { name: "deflate without it", body: deflateRawSync(xml), declared: "deflate", coding: "deflate-raw" },
  {
    name: "C72 deflate, declared gzip",
    body: deflateSync(xml),
    declared: "gzip",
    coding: "deflate",
    mislabelled: true,
  },
  { name: "C72 deflate, undeclared", body: deflateSync(xml), coding: "deflate", mislabelled: true },
  {
    name: "zstd",
    body: Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2, 3, 4]),
    declared: "zstd",
    coding: "unknown",
  },
  { name: "an empty body, declared gzip", body: new Uint8Array(), declared: "gzip", coding: "identity" },
];

describe("sniffCoding", () => {
  it.each(table)("$name", ({ body, declared, coding, mislabelled }) => {
    expect(sniffCoding(body.subarray(0, 32), declared)).toEqual({
      coding,
      mislabelled: mislabelled ?? false,
    });
  });

  it("reads the header without regard to case, and forgets identity", () => {
    expect(declaredCodings(" GZIP , identity,Br")).toEqual(["gzip", "br"]);
    expect(declaredCodings(undefined)).toEqual([]);
  });
});
