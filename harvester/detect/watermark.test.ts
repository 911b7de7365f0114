import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromSeconds, toSeconds } from "./instant.js";
import { decideResume } from "./resume.js";
import { decideWatermark, type WatermarkQuestion } from "./watermark.js";

const base: WatermarkQuestion = {
  current: "2026-03-01T00:00:00Z",
  window: {},
  windowTime: "2026-03-02T06:00:00Z",
  now: "2026-03-02T06:10:00Z",
};

describe("decideWatermark", () => {
  it.each([
    ["C27 the server's clock at the first answer, ten minutes behind ours", {}, "2026-03-02T06:00:00Z"],
    ["the first harvest", { current: undefined }, "2026-03-02T06:00:00Z"],
    ["a shard ends where it ends", { window: { until: "2026-03-01T12:00:00Z" } }, "2026-03-01T12:00:00Z"],
    [
      "an until behind the server's clock",
      { window: { until: "2027-01-01T00:00:00Z" } },
      "2026-03-02T06:00:00Z",
    ],
    ["never backwards", { current: "2026-03-02T07:00:00Z" }, "not-forward"],
    ["the server told no time", { windowTime: undefined }, "no-server-time"],
    ["the server lives in the future", { windowTime: "2030-01-01T00:00:00Z" }, "server-clock-ahead"],
  ])("%s", (_, changes, expected) => {
    const decision = decideWatermark({ ...base, ...changes });
    expect(decision.kind === "move" ? decision.to : decision.reason).toBe(expected);
  });

  it("never exceeds the server's clock, never moves back", () => {
    const time = fc
      .integer({ min: toSeconds("2000-01-01T00:00:00Z"), max: toSeconds("2060-01-01T00:00:00Z") })
      .map(fromSeconds);
    const maybe = fc.option(time, { nil: undefined });
    fc.assert(
      fc.property(maybe, maybe, maybe, time, (...[current, until, windowTime, now]) => {
        const decision = decideWatermark({ current, window: { until }, windowTime, now });
        if (decision.kind !== "move") return;
        expect(decision.to <= windowTime!).toBe(true);
        expect(until === undefined || decision.to <= until).toBe(true);
        expect(current === undefined || decision.to > current).toBe(true);
      }),
    );
  });
});

describe("decideResume", () => {
  const list = {
    token: "t",
    window: {},
    windowTime: "2026-03-01T00:00:00Z",
    storedAt: "2026-03-01T00:00:00Z",
    received: 100,
  };
  const spec = {
    token: { cacheTtlSeconds: 900, alsoSendPrefix: false },
    delta: { mode: "from-cursor" as const, overlapSeconds: 300 },
  };

  it.each([
    ["2026-03-01T00:15:00Z", "resume"],
    ["2026-03-01T00:15:01Z", "token-too-old"],
    ["2026-02-28T23:59:59Z", "clock-went-back"],
  ])("at %s", (now, expected) => {
    const decision = decideResume({ unfinished: list }, spec, now);
    expect(decision.kind === "resume" ? decision.kind : decision.reason).toBe(expected);
  });

  it("nothing unfinished, and lists that are compared as a whole", () => {
    expect(decideResume({}, spec, "2026-03-01T00:00:01Z")).toEqual({
      kind: "anew",
      reason: "nothing-unfinished",
    });
    const full = { ...spec, delta: { ...spec.delta, mode: "full" as const } };
    expect(decideResume({ unfinished: list }, full, "2026-03-01T00:00:01Z")).toEqual({
      kind: "anew",
      reason: "mode-reads-everything",
    });
  });
});
