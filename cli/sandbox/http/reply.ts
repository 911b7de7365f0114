/** From an XML document to the status, headers and bytes of an answer, with the faults that lie in between. */
import { promisify } from "node:util";
import { deflate, deflateRaw, gzip } from "node:zlib";
import type { Striking } from "../faults/armed-faults.js";
import type { ServerFault } from "../faults/server-faults.js";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const [gzipOf, deflateOf, rawDeflateOf] = [promisify(gzip), promisify(deflate), promisify(deflateRaw)];

const LOGIN_PAGE = `<!DOCTYPE html>
<html lang="en"><head><title>Sign in</title></head>
<body><h1>Please sign in</h1><form action="/login" method="post"><input name="user"><input name="password" type="password"></form></body></html>
`;

/** The answer that stands in for the protocol's; undefined when the protocol shall answer. */
export function insteadOfAnswer(
  striking: Striking,
  request: { readonly path: string; readonly query: string },
): Reply | undefined {
  const fault = striking.first(["status", "redirect", "html-page", "empty-body"]);
  if (fault === undefined) return undefined;
  switch (fault.kind) {
    case "redirect":
      return {
        status: fault.status ?? 302,
        headers: { location: redirectTarget(fault.value ?? "loop", request) },
        body: Buffer.alloc(0),
      };
    case "html-page":
      return {
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: Buffer.from(LOGIN_PAGE),
      };
    case "empty-body":
      return { status: 200, headers: { "content-type": "text/xml; charset=utf-8" }, body: Buffer.alloc(0) };
    case "status":
      return statusReply(fault);
  }
}

function statusReply(fault: ServerFault): Reply {
  const status = fault.status ?? 503;
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    ...(status === 401 ? { "www-authenticate": `Basic realm="sandbox"` } : {}),
  };
  return { status, headers, body: Buffer.from(`HTTP ${String(status)}, as asked for.\n`) };
}

/** The answer of a server that broke while it wrote the document. */
export function refusalReply(status: number): Reply {
  return statusReply({ kind: "status", status });
}

/** Keeps the query, as a server moved to another address does. */
function redirectTarget(
  value: string,
  { path, query }: { readonly path: string; readonly query: string },
): string {
  if (value === "loop") return `${path}?${query}`;
  return value.includes("?") ? value : `${value}?${query}`;
}

/** Retry-After in the asked form. RFC 9110 §10.2.3. */
export function retryAfterHeader(
  fault: ServerFault | undefined,
  nowSeconds: number,
): Readonly<Record<string, string>> {
  if (fault?.retryAfter === undefined) return {};
  if (fault.retryAfterAs === "junk") return { "retry-after": "soon" };
  const isDate = fault.retryAfterAs === "date";
  return {
    "retry-after": isDate
      ? new Date((nowSeconds + fault.retryAfter) * 1000).toUTCString()
      : String(fault.retryAfter),
  };
}

/** The document's bytes, damaged as the striking faults ask. */
export function documentBytes(chunks: readonly (string | Buffer)[], striking: Striking): Buffer {
  let bytes: Buffer = Buffer.concat(
    chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
  );
  if (striking.has("doctype")) bytes = withDoctype(bytes);
  if (striking.has("wrong-charset")) bytes = Buffer.from(bytes.toString("utf8"), "latin1");
  if (striking.has("blank-line-first")) bytes = Buffer.concat([Buffer.from("\n"), bytes]);
  if (striking.has("byte-order-mark")) bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  return striking.has("cut-document") ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
}

function withDoctype(bytes: Buffer): Buffer {
  const at = bytes.indexOf("?>") + 2;
  const doctype = `\n<!DOCTYPE OAI-PMH [<!ENTITY name SYSTEM "file:///etc/hostname">]>`;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(doctype), bytes.subarray(at)]);
}

interface Encoded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Encoder = (bytes: Buffer) => Promise<Encoded>;

function said(encoding: string, body: Buffer): Encoded {
  return { headers: { "content-encoding": encoding }, body };
}

/** Case C72: the ways content encodings are mislabelled. */
const encoders = {
  "gzip-unannounced": async (bytes) => ({ headers: {}, body: await gzipOf(bytes) }),
  "gzip-announced-only": (bytes) => Promise.resolve(said("gzip", bytes)),
  "x-gzip": async (bytes) => said("x-gzip", await gzipOf(bytes)),
  "double-gzip": async (bytes) => said("gzip", await gzipOf(await gzipOf(bytes))),
  deflate: async (bytes) => said("deflate", await deflateOf(bytes)),
  "raw-deflate": async (bytes) => said("deflate", await rawDeflateOf(bytes)),
  "truncated-gzip": async (bytes) => {
    const whole = await gzipOf(bytes);
    return said("gzip", whole.subarray(0, Math.floor(whole.length / 2)));
  },
} as const satisfies Readonly<Record<string, Encoder>>;

const encodingFaults = Object.keys(encoders) as (keyof typeof encoders)[];

/** Compresses when the client accepts it or a fault demands it. */
export async function encoded(bytes: Buffer, accepts: boolean, striking: Striking): Promise<Encoded> {
  const fault = striking.first(encodingFaults);
  if (fault !== undefined) return encoders[fault.kind](bytes);
  return accepts ? said("gzip", await gzipOf(bytes, { level: 1 })) : { headers: {}, body: bytes };
}
