/** Numbers that look random and are a function of (seed, stream) alone: no clock, no Math.random. */

/** Two 32-bit integers to one, well mixed (the finalizer of MurmurHash3, public domain, run over both). */
export function mix(seed: number, stream: number): number {
  let h = Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul((stream | 0) + 0x7f4a7c15, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export interface Dice {
  /** An integer from 0 to below - 1. */
  int(below: number): number;
  /** A number from low (inclusive) to high (exclusive). */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in about one of n throws. */
  oneIn(n: number): boolean;
}

/** Dice whose whole sequence of throws is fixed by (seed, stream). */
export function dice(seed: number, stream: number): Dice {
  let state = mix(seed, stream);
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
  return {
    int: (below) => next() % below,
    between: (low, high) => low + (next() / 4294967296) * (high - low),
    pick: <T>(list: readonly T[]) => list[next() % list.length] as T,
    oneIn: (n) => next() % n === 0,
  };
}

/** 32 lower-case hex digits in the shape of a UUID (version 4, variant 1), fixed by (seed, stream). */
export function uuidOf(seed: number, stream: number): string {
  const [a = "", b = "", c = "", d = ""] = [1, 2, 3, 4].map((k) => hex(mix(seed + k * 7919, stream)));
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

function hex(n: number): string {
  return n.toString(16).padStart(8, "0");
}
