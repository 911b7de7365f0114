/**
 * The part of a stream that is still being looked at: it grows at the end and is eaten at the front, and each byte is
 * moved about once whatever the size of the chunks it came in.
 */
const SMALLEST_STORE = 65_536;

export class ByteWindow {
  #store = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #view = this.#store;

  /** The bytes at hand. Valid until the next `append` or `consume`. */
  get view(): Buffer {
    return this.#view;
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#store.length) this.#makeRoom(chunk.length);
    this.#store.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#refresh();
  }

  /** Forgets the first `count` bytes. */
  consume(count: number): void {
    this.#start = Math.min(this.#start + count, this.#end);
    this.#refresh();
  }

  /** A copy that stays valid. */
  copy(from: number, to: number): Uint8Array {
    return new Uint8Array(this.#view.subarray(from, to));
  }

  #makeRoom(more: number): void {
    const wanted = this.#end - this.#start + more;
    // At least half stays free after a move, so that the next move is paid for by as many new bytes.
    const fits = wanted * 2 <= this.#store.length;
    const target = fits ? this.#store : Buffer.allocUnsafe(Math.max(SMALLEST_STORE, wanted * 2));
    this.#store.copy(target, 0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    this.#store = target;
  }

  #refresh(): void {
    this.#view = this.#store.subarray(this.#start, this.#end);
  }
}
