/** Functions of libxml2-wasm 0.7.2 that exist but have no type declaration. The version is pinned exactly; a missing one fails at start. */
import * as library from "libxml2-wasm/lib/libxml2.mjs";
import type { XmlOutputBufferHandler } from "libxml2-wasm/lib/libxml2.mjs";

interface Undeclared {
  /** Puts a function into the engine's table; the signature is one letter per value: v, i. */
  readonly addFunction: (callback: (...values: number[]) => unknown, signature: string) => number;
  readonly xmlOutputBufferCreateIO: (handler: XmlOutputBufferHandler) => number;
}

export const { addFunction, xmlOutputBufferCreateIO } = library as unknown as Undeclared;
