/**
 * Arrays in PostgreSQL's binary format: 1.3 times cheaper to write than array literals, because neither Node quotes nor
 * the server parses 8 kB bodies (measured; docs/store.md). A Buffer parameter is sent as binary by both engines.
 */
const textOid = 25;
const byteaOid = 17;

/** `text[]`. */
export function textArray(items: readonly (string | null | undefined)[]): Uint8Array {
  return encode(
    textOid,
    items.map((item) => (item === null || item === undefined ? null : Buffer.from(item, "utf8"))),
  );
}

/** `bytea[]`. */
export function byteaArray(items: readonly (Uint8Array | null | undefined)[]): Uint8Array {
  return encode(
    byteaOid,
    items.map((item) => item ?? null),
  );
}

/** One dimension, lower bound 1 (array_recv in src/backend/utils/adt/arrayfuncs.c of PostgreSQL reads this form). */
function encode(oid: number, items: readonly (Uint8Array | null)[]): Uint8Array {
  const size = items.reduce((sum, item) => sum + 4 + (item?.length ?? 0), 20);
  const out = Buffer.allocUnsafe(size);
  out.writeInt32BE(1, 0);
  out.writeInt32BE(items.includes(null) ? 1 : 0, 4);
  out.writeInt32BE(oid, 8);
  out.writeInt32BE(items.length, 12);
  out.writeInt32BE(1, 16);
  let at = 20;
  for (const item of items) {
    out.writeInt32BE(item === null ? -1 : item.length, at);
    at += 4;
    if (item !== null) {
      out.set(item, at);
      at += item.length;
    }
  }
  return out;
}
