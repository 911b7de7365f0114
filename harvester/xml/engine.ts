/**
 * The guard around every call into libxml2 (WebAssembly). Facts: a trap (`RuntimeError`, or the stack of the engine
 * running over) leaves the instance unusable, and every later call in this thread would fail or lie. So the first
 * trap closes the door for good: the thread has to be replaced.
 */

/** The engine of this thread is dead: replace the thread. Never the fault of the caller, seldom that of the record alone. */
export class EnginePoisoned extends Error {
  constructor(cause: unknown) {
    super(`The XML engine of this thread failed and cannot be used again: ${textOf(cause)}`, { cause });
    this.name = "EnginePoisoned";
  }
}

let poison: EnginePoisoned | undefined;

/** Runs one step that calls into the engine; a trap becomes EnginePoisoned, now and for every later step. */
export function guarded<T>(step: () => T): T {
  if (poison !== undefined) throw poison;
  try {
    return step();
  } catch (thrown) {
    if (!isTrap(thrown)) throw thrown;
    poison = new EnginePoisoned(thrown);
    throw poison;
  }
}

/** Pages of 64 KiB: 256 MiB, as measured to suffice for records of 10 MiB. */
export const MEMORY_PAGES = 4096;

/**
 * Lets no WebAssembly memory of this thread grow beyond `pages` (64 KiB each): the engine then reports "out of memory"
 * for the record and goes on. V8's own flag (`--wasm-max-mem-pages`) would do, but it rules the whole process, and
 * the embedded database lives there too. Call it in gate threads only.
 */
export function capEngineMemory(pages = MEMORY_PAGES): void {
  const prototype = wasm.Memory.prototype;
  const grow = prototype.grow;
  prototype.grow = function capped(this: Memory, delta: number): number {
    if (this.buffer.byteLength / 65_536 + delta > pages) throw new RangeError("engine memory limit reached");
    return grow.call(this, delta);
  };
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(delta: number): number;
}

/** Node's types know only half of this namespace. */
const wasm = Reflect.get(globalThis, "WebAssembly") as {
  readonly Memory: { readonly prototype: Memory };
  readonly RuntimeError: new () => Error;
};

function isTrap(thrown: unknown): boolean {
  if (thrown instanceof wasm.RuntimeError) return true;
  return thrown instanceof RangeError && thrown.message.includes("call stack");
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
