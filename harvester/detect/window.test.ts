import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Window } from "../record.js";
import { fromSeconds, toSeconds } from "./instant.js";
import { planAfter, planWindows, splitWindow, type WindowQuestion } from "./window.js";

const NOW = "2026-03-02T06:00:00Z";

interface Given {
  readonly watermark?: string;
  readonly mode?: WindowQuestion["delta"]["mode"];
  readonly overlapSeconds?: number;
  readonly maxWindowDays?: number;
  readonly granularity?: "day" | "second";
  readonly earliest?: string;
  readonly serverTime?: string | null;
}

function question(given: Given): WindowQuestion {
  const {
    mode = "from-cursor",
    overlapSeconds = 300,
    maxWindowDays,
    granularity = "second",
    earliest,
    serverTime = NOW,
  } = given;
  return {
    cursor: { watermark: given.watermark },
    capabilities: { granularity, earliest, serverTime: serverTime ?? undefined },
    delta: { mode, overlapSeconds, maxWindowDays },
  };
}

const table: readonly { readonly name: string; readonly given: Given; readonly expect: readonly Window[] }[] =
  [
    {
      name: "C24 the first harvest sends no from",
      given: { earliest: "2020-01-01T00:00:00Z" },
      expect: [{}],
    },
    {
      name: "the overlap",
      given: { watermark: "2026-03-01T00:04:00Z" },
      expect: [{ from: "2026-02-28T23:59:00Z" }],
    },
    {
      name: "no overlap",
      given: { watermark: "2026-03-01T00:04:00Z", overlapSeconds: 0 },
      expect: [{ from: "2026-03-01T00:04:00Z" }],
    },
    {
      name: "C19 days are read again from their midnight",
      given: { watermark: "2026-03-01T23:00:00Z", granularity: "day" },
      expect: [{ from: "2026-03-01T00:00:00Z" }],
    },
    {
      name: "C19 the overlap reaches into the day before",
      given: { watermark: "2026-03-01T00:01:00Z", granularity: "day" },
      expect: [{ from: "2026-02-28T00:00:00Z" }],
    },
    {
      name: "full reads everything",
      given: { watermark: "2026-03-01T00:00:00Z", mode: "full" },
      expect: [{}],
    },
    {
      name: "snapshot reads everything",
      given: { watermark: "2026-03-01T00:00:00Z", mode: "snapshot" },
      expect: [{}],
    },
    {
      name: "C30 a watermark ahead of the server's clock is no from in the future",
      given: { watermark: "2026-05-01T00:00:00Z" },
      expect: [{ from: "2026-03-02T05:55:00Z" }],
    },
    {
      name: "C30 from is not before a believable earliest",
      given: { watermark: "2026-03-01T00:01:00Z", earliest: "2026-03-01T00:00:00Z" },
      expect: [{ from: "2026-03-01T00:00:00Z" }],
    },
    {
      name: "C24 an earliest behind the watermark filters nothing",
      given: { watermark: "2026-02-01T00:05:00Z", earliest: NOW },
      expect: [{ from: "2026-02-01T00:00:00Z" }],
    },
    {
      name: "catch-up shards, in order, sharing their edges, the newest open",
      given: { watermark: "2026-02-27T06:05:00Z", maxWindowDays: 1 },
      expect: [
        { from: "2026-02-27T06:00:00Z", until: "2026-02-28T06:00:00Z" },
        { from: "2026-02-28T06:00:00Z", until: "2026-03-01T06:00:00Z" },
        { from: "2026-03-01T06:00:00Z" },
      ],
    },
    {
      name: "C24 a sharded first harvest: the first shard reaches back without end",
      given: { earliest: "2026-02-20T10:00:00Z", maxWindowDays: 5, granularity: "day" },
      expect: [
        { until: "2026-02-25T00:00:00Z" },
        { from: "2026-02-25T00:00:00Z", until: "2026-03-02T00:00:00Z" },
        { from: "2026-03-02T00:00:00Z" },
      ],
    },
    {
      name: "a gap smaller than a shard is one window",
      given: { watermark: "2026-03-01T00:05:00Z", maxWindowDays: 30 },
      expect: [{ from: "2026-03-01T00:00:00Z" }],
    },
    {
      name: "no server clock, no shards",
      given: { watermark: "2020-01-01T00:05:00Z", maxWindowDays: 1, serverTime: null },
      expect: [{ from: "2020-01-01T00:00:00Z" }],
    },
  ];

describe("planWindows", () => {
  it.each(table)("$name", ({ given, expect: expected }) => {
    expect(planWindows(question(given))).toEqual(expected);
  });

  it("C24 a year 1 does not make a million shards", () => {
    const windows = planWindows(question({ earliest: "0001-01-01T00:00:00Z", maxWindowDays: 365 }));
    expect(windows.length).toBe(37);
    expect(windows[0]).toEqual({ until: "1991-01-01T00:00:00Z" });
  });

  const time = fc
    .integer({ min: toSeconds("1995-01-01T00:00:00Z"), max: toSeconds("2035-01-01T00:00:00Z") })
    .map(fromSeconds);
  const given: fc.Arbitrary<Given> = fc.record({
    watermark: fc.option(time, { nil: undefined }),
    mode: fc.constantFrom("from-cursor" as const, "full" as const),
    overlapSeconds: fc.integer({ min: 0, max: 200_000 }),
    maxWindowDays: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
    granularity: fc.constantFrom("day" as const, "second" as const),
    earliest: fc.option(time, { nil: undefined }),
    serverTime: fc.option(time, { nil: null }),
  });

  function windowsOf(drawn: Given): readonly Window[] {
    return planWindows(question(drawn));
  }

  it("begins at the watermark less the overlap, or without a lower end, and ends open", () => {
    fc.assert(
      fc.property(given, (drawn) => {
        const windows = windowsOf(drawn);
        const everything = drawn.watermark === undefined || drawn.mode === "full";
        if (everything) expect(windows[0]!.from).toBeUndefined();
        else expect(windows[0]!.from! <= drawn.watermark!).toBe(true);
        expect(windows.at(-1)!.until).toBeUndefined();
      }),
    );
  });

  it("leaves no gap, in order, and no window is upside down or in the future", () => {
    fc.assert(
      fc.property(given, (drawn) => {
        const now = drawn.serverTime ?? "9999-12-31T23:59:59Z";
        let edge: string | undefined;
        for (const [index, { from, until }] of windowsOf(drawn).entries()) {
          if (index > 0) expect(from).toBe(edge);
          expect((from ?? "") < (until ?? "9999-12-31T23:59:59Z")).toBe(true);
          expect((from ?? "") <= now && (until ?? "") < now).toBe(true);
          edge = until;
        }
      }),
    );
  });

  it("C19 windows of days begin and end at midnight", () => {
    fc.assert(
      fc.property(given, (drawn) => {
        const ends = windowsOf({ ...drawn, granularity: "day" }).flatMap(({ from, until }) => [from, until]);
        for (const end of ends) expect(end ?? "T00:00:00Z").toMatch(/T00:00:00Z$/);
      }),
    );
  });

  it("C33 gives the same in every time zone", () => {
    const before = process.env["TZ"];
    const plans = ["UTC", "America/New_York", "Pacific/Kiritimati"].map((zone) => {
      process.env["TZ"] = zone;
      return JSON.stringify(table.map((row) => planWindows(question(row.given))));
    });
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
    expect(new Set(plans).size).toBe(1);
  });
});

describe("planAfter", () => {
  const list = { token: "t", windowTime: NOW, storedAt: NOW, received: 1 };

  it("an open window was the newest", () => {
    expect(
      planAfter({ ...list, window: { from: "2026-01-01T00:00:00Z" } }, question({ maxWindowDays: 1 })),
    ).toEqual([{ from: "2026-01-01T00:00:00Z" }]);
  });

  it("a shard is followed by the next ones", () => {
    const window = { from: "2026-02-27T00:00:00Z", until: "2026-02-28T00:00:00Z" };
    expect(
      planAfter({ ...list, window }, question({ maxWindowDays: 2, watermark: "2026-02-27T00:00:00Z" })),
    ).toEqual([
      window,
      { from: "2026-02-28T00:00:00Z", until: "2026-03-02T00:00:00Z" },
      { from: "2026-03-02T00:00:00Z" },
    ]);
  });
});

describe("C18 splitWindow", () => {
  const seconds = {
    granularity: "second",
    earliest: "2026-01-01T00:00:00Z",
    serverTime: "2026-01-03T00:00:00Z",
  } as const;
  const days = { ...seconds, granularity: "day" } as const;

  it.each([
    ["open at both ends", {}, seconds, [{ until: "2026-01-02T00:00:00Z" }, { from: "2026-01-02T00:00:00Z" }]],
    [
      "closed",
      { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:04Z" },
      seconds,
      [
        { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:02Z" },
        { from: "2026-01-01T00:00:02Z", until: "2026-01-01T00:00:04Z" },
      ],
    ],
    [
      "two neighbouring seconds are one instant",
      { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:01Z" },
      seconds,
      undefined,
    ],
    ["one instant", { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z" }, seconds, undefined],
    [
      "days share no edge",
      { from: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" },
      days,
      [
        { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z" },
        { from: "2026-01-02T00:00:00Z", until: "2026-01-02T00:00:00Z" },
      ],
    ],
    ["one day", { from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z" }, days, undefined],
    ["behind now", { from: "2026-02-01T00:00:00Z" }, seconds, undefined],
    ["no upper end known", {}, { granularity: "second" as const }, undefined],
  ])("%s", (...[, window, capabilities, expected]) => {
    expect(splitWindow(window, capabilities)).toEqual(expected);
  });

  it("halves cover the whole, touch, and end", () => {
    fc.assert(
      fc.property(
        fc.nat(100_000_000),
        fc.nat(100_000_000),
        fc.constantFrom("day" as const, "second" as const),
        (start, length, granularity) => {
          const base = toSeconds("2020-01-01T00:00:00Z");
          let window: Window = { from: fromSeconds(base + start), until: fromSeconds(base + start + length) };
          for (let depth = 0; depth < 64; depth++) {
            const halves = splitWindow(window, { granularity, serverTime: NOW });
            if (halves === undefined) return;
            const [left, right] = halves;
            expect([left.from, right.until]).toEqual([window.from, window.until]);
            const gap = toSeconds(right.from!) - toSeconds(left.until!);
            expect(gap).toBe(granularity === "day" ? 86_400 : 0);
            window = depth % 2 === 0 ? left : right;
          }
          throw new Error("never ended");
        },
      ),
    );
  });
});
