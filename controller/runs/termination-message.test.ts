import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTruncated } from "./parse-truncated.js";
import { readTerminationMessage } from "./termination-message.js";

describe("parseTruncated", () => {
  it.each([
    { name: "whole", text: '{"a":1,"b":[2]}', expect: { a: 1, b: [2] } },
    { name: "cut in a list", text: '{"a":1,"b":[2,3', expect: { a: 1 } },
    { name: "cut in a text", text: '{"a":1,"b":{"c":2},"d":"x,{', expect: { a: 1, b: { c: 2 } } },
    { name: "cut after a backslash", text: '{"a":"q\\",","b":"\\', expect: { a: 'q",' } },
    {
      name: "a text that looks like a member",
      text: '{"m":"\\"outcome\\":\\"complete\\",","x',
      expect: { m: '"outcome":"complete",' },
    },
    { name: "cut in the first member", text: '{"a":', expect: undefined },
    { name: "a log line", text: "Error: it broke", expect: undefined },
    { name: "a list", text: "[1,2", expect: undefined },
    { name: "nothing", text: "", expect: undefined },
    { name: "garbage after a member", text: '{"a":1,]]]}', expect: { a: 1 } },
  ])("$name", ({ text, expect: expected }) => {
    expect(parseTruncated(text)).toEqual(expected);
  });

  it("never says of a cut object what the whole one does not", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const whole = JSON.parse(text) as Record<string, unknown>;
        const cut = (parseTruncated(text.slice(0, at % (text.length + 1))) ?? {}) as Record<string, unknown>;
        for (const [key, one] of Object.entries(cut)) expect(one).toEqual(whole[key]);
      }),
    );
  });
});

describe("readTerminationMessage", () => {
  it("is bounded, whatever is said", () => {
    const said = readTerminationMessage(
      JSON.stringify({
        runId: "r".repeat(500),
        outcome: "failed",
        exitCode: 4000,
        message: `\u001b[31m${"🗺".repeat(3000)}`,
        watermarks: Array.from({ length: 150 }, (_, i) => ({ set: String(i) })),
        warnings: Array.from({ length: 50 }, () => ({ code: "c", sentence: "s" })),
      }),
    );
    expect(said?.runId).toBe(`${"r".repeat(63)}…`);
    expect(said?.exitCode).toBeUndefined();
    expect(Array.from(said?.message ?? "")).toHaveLength(2000);
    expect(said?.message?.startsWith("[31m🗺")).toBe(true);
    expect(said?.cursors).toHaveLength(100);
    expect(said?.warnings).toHaveLength(10);
  });

  it("throws for nothing at all", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (text) => {
        readTerminationMessage(text);
      }),
    );
  });

  it("lets a flood be", () => {
    expect(readTerminationMessage(`{"a":"${"x".repeat(20_000)}"}`)).toBeUndefined();
  });
});
