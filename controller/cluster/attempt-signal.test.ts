import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { attemptSignal } from "./attempt-signal.js";

describe("attemptSignal", () => {
  it("ends with the first of the outer signals", () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const stop = attemptSignal([one.signal, undefined, two.signal]);
    expect(stop.signal.aborted).toBe(false);
    two.abort();
    expect(stop.signal.aborted).toBe(true);
    expect(stop.expired()).toBe(false);
  });

  it("has ended when an outer one had", () => {
    expect(attemptSignal([AbortSignal.abort()]).signal.aborted).toBe(true);
  });

  it("ends when its time is over", async () => {
    const stop = attemptSignal([], 1);
    await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
    expect(stop.expired()).toBe(true);
  });

  it("leaves nothing on a signal that outlives it, and warns of no leak", async () => {
    const warned: Error[] = [];
    const note = (warning: Error) => warned.push(warning);
    process.on("warning", note);
    const outer = new AbortController();
    const stops = Array.from({ length: 50 }, () => attemptSignal([outer.signal]));
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(50);
    for (const stop of stops) stop.release();
    expect(getEventListeners(outer.signal, "abort")).toHaveLength(0);
    // Warnings come a tick later.
    await new Promise(setImmediate);
    process.off("warning", note);
    expect(warned).toEqual([]);
  });
});
