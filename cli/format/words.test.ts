import { describe, expect, it } from "vitest";
import { table } from "./table.js";
import { ago, bytes, count, duration, oneLine, plural, time } from "./words.js";

describe("words", () => {
  const now = new Date("2026-11-30T12:00:00Z");

  it.each([
    { said: count(12_481), expect: "12,481" },
    { said: plural(1, "record"), expect: "1 record" },
    { said: plural(2, "entry", "entries"), expect: "2 entries" },
    { said: bytes(999), expect: "999 B" },
    { said: bytes(1300), expect: "1.3 kB" },
    { said: bytes(98_000_000), expect: "98 MB" },
    { said: duration(0.24), expect: "0.2 s" },
    { said: duration(31), expect: "31 s" },
    { said: duration(240), expect: "4 min" },
    { said: duration(7200), expect: "2 h" },
    { said: duration(3 * 86_400 + 4 * 3600), expect: "3 d 4 h" },
    { said: duration(2 * 86_400), expect: "2 d" },
    { said: time("2026-11-29T18:00:04Z"), expect: "2026-11-29 18:00:04Z" },
    { said: time(undefined), expect: "never" },
    { said: ago("2026-11-30T10:00:00Z", now), expect: "2 h ago" },
    { said: ago("2026-11-30T16:00:00Z", now), expect: "in 4 h" },
    { said: ago(undefined, now), expect: "never" },
  ])("$expect", ({ said, expect: expected }) => {
    expect(said).toBe(expected);
  });

  it("lets no control character of a stranger reach a terminal", () => {
    expect(oneLine("a\u001b[31mred\u0007\r\nb\u202ec")).toBe("a [31mred b c");
    expect(oneLine("abcdef", 4)).toBe("abc…");
  });
});

describe("table", () => {
  const rows = [
    { name: "a-long-name-of-a-source", n: 5 },
    { name: "b", n: 12_481 },
  ];
  const columns = [
    { title: "source", cell: (r: (typeof rows)[number]) => r.name, shrinks: true },
    { title: "records", cell: (r: (typeof rows)[number]) => count(r.n), align: "right" as const },
  ];

  it("aligns words left and numbers right", () => {
    expect(table(rows, columns, 80)).toBe(
      [
        "SOURCE                   RECORDS",
        "a-long-name-of-a-source        5",
        "b                         12,481",
      ].join("\n"),
    );
  });

  it("cuts what may shrink when the terminal is narrow", () => {
    expect(table(rows, columns, 20).split("\n")[1]).toBe("a-long-nam…        5");
  });
});
