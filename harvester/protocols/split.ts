/**
 * Cuts a page into its items as their bytes arrive, without building a tree: one malformed record costs one record
 * (law 2), and memory holds one record and the envelope, never the page. What remains with the items cut out is the
 * envelope: small, and read strictly by whoever knows the protocol.
 */
import { Fault } from "../fault.js";
import { splittableBytes } from "./encoding.js";
import type { Envelope, PageShape, Slice, SplitLimits } from "./page-shape.js";
import { PageSplitter } from "./page-splitter.js";

function tooBig(limit: number): Fault {
  return new Fault("protocol", {
    code: "PageTooBig",
    sentence: `The page is bigger than ${String(limit)} bytes.`,
    remedy: "Raise spec.limits.maxPageBytes, or ask the source for smaller pages.",
  });
}

/**
 * Throws Fault `Truncated` (transient) when the document does not end, `PageTooBig`, `EnvelopeTooBig`, `Malformed` and
 * `DoctypeForbidden` (protocol); ForeignDocument when the root is another one; and what reading the body throws.
 */
export async function* splitPage(
  body: AsyncIterable<Uint8Array>,
  shape: PageShape,
  limits: SplitLimits,
): AsyncGenerator<Slice, Envelope, void> {
  const splitter = new PageSplitter(shape, limits);
  let transcodedFrom: string | undefined;
  let pageBytes = 0;
  const bytes = splittableBytes(body, (encoding) => (transcodedFrom = encoding));
  for await (const chunk of bytes) {
    pageBytes += chunk.length;
    if (pageBytes > limits.maxPageBytes) throw tooBig(limits.maxPageBytes);
    splitter.append(chunk);
    for (let slice = splitter.next(false); slice !== undefined; slice = splitter.next(false)) yield slice;
  }
  for (let slice = splitter.next(true); slice !== undefined; slice = splitter.next(true)) yield slice;
  const envelope = splitter.envelope();
  const declared = splitter.declaredEncoding;
  return {
    bytes: envelope,
    pageBytes,
    ...(declared === undefined ? {} : { declaredEncoding: declared }),
    ...(transcodedFrom === undefined ? {} : { transcodedFrom }),
  };
}
