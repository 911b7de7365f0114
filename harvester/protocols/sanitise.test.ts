import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitise } from "./sanitise.js";

/** The rule once more, character by character, as XML 1.0 §2.2 writes it. */
function allowed(character: string): boolean {
  return /^[\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]$/u.test(character);
}

describe("C54 sanitise", () => {
  it("leaves what XML allows, wherever it lies in memory", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 }).filter((drawn) => !drawn.includes("&"));
    fc.assert(
      fc.property(text, fc.nat(3), (drawn, shift) => {
        const bytes = Buffer.concat([Buffer.alloc(shift, 0x20), Buffer.from(drawn, "utf8")]);
        const aligned = new Uint8Array(bytes).subarray(shift);
        const sound = [...Buffer.from(drawn, "utf8").toString("utf8")].filter(allowed).join("");
        expect(Buffer.from(sanitise(aligned)?.bytes ?? aligned).toString("utf8")).toBe(sound);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["a\u0000b\u001fc", "abc", 2, 1],
    ["tab\tline\nreturn\r", "tab\tline\nreturn\r", 0, undefined],
    ["&#0;&#x1F;&#xFFFF;&#xD800;&#1114112;", "", 5, 0],
    ["&#9;&#xA;&#x10FFFF;&#65;&#;&#xZ;&amp;", "&#9;&#xA;&#x10FFFF;&#65;&#;&#xZ;&amp;", 0, undefined],
    ["<![CDATA[&#11;]]>&#11;<![CDATA[\u000b&#11;]]>", "<![CDATA[&#11;]]><![CDATA[&#11;]]>", 2, 17],
  ])("%j", (...[given, expected, removed, firstOffset]) => {
    const result = sanitise(Buffer.from(given, "utf8"));
    expect(Buffer.from(result?.bytes ?? Buffer.from(given)).toString("utf8")).toBe(expected);
    expect([result?.removed ?? 0, result?.firstOffset]).toEqual([removed, firstOffset]);
  });
});
