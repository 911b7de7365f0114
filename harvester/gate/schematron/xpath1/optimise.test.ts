import { describe, expect, it } from "vitest";
import { optimised } from "./optimise.js";
import { parseXPath } from "./parser.js";
import { printXPath } from "./print.js";

describe("descendants without the detour over every node", () => {
  it.each([
    { given: "//a", expect: "/descendant::a" },
    { given: "//a[b]//c[not(d)]", expect: "/descendant::a[b]/descendant::c[not(d)]" },
    { given: ".//a", expect: "./descendant::a" },
    { given: "a//text()[. = 1 or c]", expect: "a/descendant::text()[. = 1 or c]" },
    { given: "count(//a[//b = 1]) > 0", expect: "count(/descendant::a[/descendant::b = 1]) > 0" },
    { given: "//a[1]", expect: "//a[1]" },
    { given: "//a[last()]", expect: "//a[last()]" },
    { given: "//a[position() = 2]", expect: "//a[position() = 2]" },
    { given: "//a[count(b)]", expect: "//a[count(b)]" },
    { given: "//a[$v]", expect: "//a[$v]" },
    { given: "//a[(b)[1]]", expect: "//a[(b)[1]]" },
    { given: "//a[b + 1]", expect: "//a[b + 1]" },
    { given: "//a[b[1]]", expect: "/descendant::a[b[1]]" },
    { given: "//@a", expect: "//@a" },
    { given: "//.", expect: "//." },
    { given: "//self::a", expect: "//self::a" },
  ])("$given", (row) => {
    expect(printXPath(optimised(parseXPath(row.given)))).toBe(row.expect);
  });
});
