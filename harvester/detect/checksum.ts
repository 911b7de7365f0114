/** Digests of delivered bytes. */
import { createHash } from "node:crypto";

/** SHA-256 of the payload as delivered: when it is known, nothing needs parsing (law 5). */
export function rawChecksum(body: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(body).digest());
}

/** An absent digest equals nothing, not even another absent one. */
export function sameChecksum(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}
