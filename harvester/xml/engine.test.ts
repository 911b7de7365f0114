import { describe, expect, it } from "vitest";
import { capEngineMemory, EnginePoisoned } from "./engine.js";
import { parseXml } from "./parse.js";
import { compileXPath, xpathContext, XPathFailure } from "./xpath.js";

/** In this order: the last one kills the engine of this process. */
describe("the XML engine of one thread", () => {
  it("reports what does not fit its memory as a problem of the record, and goes on", () => {
    capEngineMemory(512);
    expect(parseXml(Buffer.from(`<a>${"<b/>".repeat(2_000_000)}</a>`))).toEqual({
      kind: "broken",
      problems: [{ message: "out of memory" }],
    });
    const small = parseXml(Buffer.from("<a/>"));
    expect(small.kind).toBe("parsed");
    if (small.kind === "parsed") small.document.dispose();
  });

  it("tells a failing expression from a failing engine", () => {
    const parsed = parseXml(Buffer.from("<a/>"));
    if (parsed.kind === "broken") throw new Error("broken");
    const context = xpathContext(parsed.document, new Map());
    expect(() => context.evaluate(compileXPath("count(1)"), parsed.document.node)).toThrow(XPathFailure);
    expect(() => compileXPath("a[")).toThrow('"a[" is not an XPath 1.0 expression.');
    expect(context.evaluate(compileXPath("count(a)"), parsed.document.node)).toBe(1);
    context.dispose();
    parsed.document.dispose();
  });

  it("is dead after a trap, says so, and lets nothing more through", () => {
    const parsed = parseXml(Buffer.from("<a/>"));
    if (parsed.kind === "broken") throw new Error("broken");
    const context = xpathContext(parsed.document, new Map());
    const { root } = parsed.document;
    function trap(): void {
      context.evaluate(compileXPath(`.${"/descendant-or-self::node()/.".repeat(20_000)}`), root);
    }
    expect(trap).toThrow(EnginePoisoned);
    expect(() => parseXml(Buffer.from("<a/>"))).toThrow(EnginePoisoned);
  });
});
