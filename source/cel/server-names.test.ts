import { describe, expect, it } from "vitest";
import { inOwnNames } from "./server-names.js";

describe("an expression in our names", () => {
  const cases: readonly (readonly [given: string, expected: string])[] = [
    ["self.matches('a')", "self.serverMatches('a')"],
    ["self.matches && matches", "self.matches && matches"],
    ["'matches'.matches('matches')", "'matches'.serverMatches('matches')"],
    ["(a ? b : c) . trim( )", "(a ? b : c) . serverTrim( )"],
    ["('a').matches('b')", "('a').serverMatches('b')"],
    ["x.trim().lowerAscii()", "x.serverTrim().serverLowerAscii()"],
    ["list.map(i, i.trim())", "list.map(i, i.serverTrim())"],
    ["has(a.trim) && f(b.trim())", "has(a.trim) && f(b.serverTrim())"],
    ["{'k': v.trim()}['k']", "{'k': v.serverTrim()}['k']"],
    ["t.getHours(z)", "t.serverInZone(z).getHours()"],
    ["t.getHours(z.trim()) > 1", "t.serverInZone(z.serverTrim()).getHours() > 1"],
    ["t.getHours()", "t.getHours()"],
    ["'😀'.matches('😀') // matches", "'😀'.serverMatches('😀') // matches"],
    ["self.?a.orValue('').trim()", "self.?a.orValue('').serverTrim()"],
    ["self.constructor()", "self.constructor()"],
  ];

  it.each(cases)("%s", (given, expected) => {
    expect(inOwnNames(given)).toBe(expected);
  });
});
