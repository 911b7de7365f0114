import { describe, expect, it } from "vitest";
import { parseCodeowners } from "./codeowners.js";

const cases: readonly {
  readonly name: string;
  readonly text: string;
  readonly file: string;
  readonly expect: readonly string[];
}[] = [
  { name: "nothing written", text: "", file: "a.yaml", expect: [] },
  { name: "* is every file", text: "* @all", file: "a/b/c.yaml", expect: ["@all"] },
  { name: "the last match wins", text: "* @all\n*.yaml @yaml", file: "a/c.yaml", expect: ["@yaml"] },
  { name: "an order the other way", text: "*.yaml @yaml\n* @all", file: "a/c.yaml", expect: ["@all"] },
  {
    name: "several owners",
    text: "* @a @geo/team x@y.org",
    file: "f",
    expect: ["@a", "@geo/team", "x@y.org"],
  },
  { name: "a line without owners takes them away", text: "* @a\n/free/", file: "free/x.yaml", expect: [] },
  { name: "an inline comment", text: "* @a #@b is ill", file: "f", expect: ["@a"] },
  { name: "a comment line", text: "# * @b\n* @a", file: "f", expect: ["@a"] },
  { name: "a folder at the root", text: "/docs/ @d", file: "docs/a/b.md", expect: ["@d"] },
  { name: "not one of that name elsewhere", text: "/docs/ @d", file: "x/docs/a.md", expect: [] },
  { name: "a folder anywhere", text: "apps/ @d", file: "x/y/apps/z/f.yaml", expect: ["@d"] },
  { name: "a folder is no file", text: "apps/ @d", file: "x/apps", expect: [] },
  { name: "one level", text: "docs/* @d", file: "docs/a.md", expect: ["@d"] },
  { name: "and not two", text: "docs/* @d", file: "docs/a/b.md", expect: [] },
  { name: "a path in the middle is anchored", text: "a/b @d", file: "x/a/b", expect: [] },
  { name: "a folder named without slash", text: "/a/b @d", file: "a/b/c/d.yaml", expect: ["@d"] },
  { name: "** in front", text: "**/logs @d", file: "x/y/logs/z", expect: ["@d"] },
  { name: "** in the middle", text: "/a/**/z.yaml @d", file: "a/b/c/z.yaml", expect: ["@d"] },
  { name: "** in the middle may be nothing", text: "/a/**/z.yaml @d", file: "a/z.yaml", expect: ["@d"] },
  { name: "** at the end", text: "/a/** @d", file: "a/b/c", expect: ["@d"] },
  { name: "a question mark", text: "s?.yaml @d", file: "s1.yaml", expect: ["@d"] },
  { name: "a star does not cross a slash", text: "/a*z @d", file: "a/b/z", expect: [] },
  { name: "an escaped space", text: "/my\\ maps/ @d", file: "my maps/a.yaml", expect: ["@d"] },
  { name: "case counts", text: "/Docs/ @d", file: "docs/a", expect: [] },
  { name: "negation is not GitHub's", text: "* @a\n!/x/ @b", file: "x/a", expect: ["@a"] },
  { name: "ranges are not GitHub's", text: "* @a\n[a-z].yaml @b", file: "c.yaml", expect: ["@a"] },
  { name: "sections of GitLab", text: "[Maps]\n^[Charts][2] @z\n* @a", file: "c.yaml", expect: ["@a"] },
  { name: "a word that is no owner", text: "* @a\n*.yaml nobody", file: "c.yaml", expect: ["@a"] },
  { name: "Windows line ends", text: "* @a\r\n*.yaml @b\r\n", file: "c.yaml", expect: ["@b"] },
];

describe("CODEOWNERS", () => {
  it.each(cases)("$name", ({ text, file, expect: owners }) => {
    expect(parseCodeowners(text)(file)).toEqual(owners);
  });

  it("is not slowed down by a pattern made to", () => {
    const text = `${"*a".repeat(1000)}b @x\n* @y`;
    expect(parseCodeowners(text)(`${"a".repeat(4000)}`)).toEqual(["@y"]);
  });
});
