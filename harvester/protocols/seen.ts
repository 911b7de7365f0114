/** Which records a list has already delivered, in eight bytes a record (cases C04, C06). */
import type { PageItem } from "../record.js";

const FNV_PRIME = 0x01000193;
const LOW_BITS = 0x100000;

/** 52 bits of a text. Two texts in a million-record list meet by chance about once in four thousand such lists. */
export function hash52(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, FNV_PRIME);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (high >>> 15), 0x2c1b3c6d);
  return (high >>> 0) * LOW_BITS + ((low ^ (high >>> 7)) & (LOW_BITS - 1));
}

/** What makes a delivered item the same as another: identifier, datestamp, being deleted; else its bytes. */
export function hashOfItem(item: PageItem): number {
  if (item.kind === "record") {
    const { identifier, datestamp, deleted } = item.header;
    return hash52(`${identifier}\n${datestamp ?? ""}\n${deleted ? "deleted" : ""}`);
  }
  return hash52(item.identifier ?? Buffer.from(item.raw.subarray(0, 4096)).toString("latin1"));
}

const SMALLEST = 1024;
/** 64 MiB: beyond, new hashes are no longer remembered, and the list's page budget alone guards it. */
const LARGEST = 8_388_608;

/** A set of hashes by open addressing in one array: a Set of numbers takes six times the memory. */
export class SeenHashes {
  #slots = new Float64Array(SMALLEST);
  #size = 0;

  /** Remembers it; true when it is new. */
  add(hash: number): boolean {
    const key = hash + 1; // An empty slot is 0.
    const at = this.#slotOf(key);
    if (this.#slots[at] === key) return false;
    if (this.#size >= LARGEST / 2) return true;
    this.#slots[at] = key;
    this.#size++;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let at = (key % 0x7fffffff) & mask;
    while (this.#slots[at] !== 0 && this.#slots[at] !== key) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const key of old) if (key !== 0) this.#slots[this.#slotOf(key)] = key;
  }
}
