import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { code, codeCell, fenced, html, prose, visible } from "../../cli/format/review/escape.js";
import { forgePage } from "./forge-page.js";

/** Values of a pull request that would like to be more than values. */
const hostile: readonly string[] = [
  "@octocat and @geo/state please merge",
  "closes #1, GH-22, geo/policy#33, geo/policy@0123abc",
  "https://evil.example/?a=b www.evil.example mail@evil.example",
  "<img src=x onerror=alert(1)><script>alert(1)</script><!-- harvestctl:diff -->",
  "</details></td></table><a href='https://evil.example'>click</a>",
  "[click](https://evil.example) ![x](https://evil.example/x.png) [1]: https://evil.example",
  "**bold** __bold__ _it_ ~~gone~~ `code` ``code`` ```",
  "a | b \\| c \\\\| d",
  "$\\frac{a}{b}$ and $$x$$",
  ":tada: :x: &lt;b&gt; &#64;octocat &commat;octocat",
  "- [ ] task\n# Heading\n> quote\n1. one\n\n---\n\n    code",
  "\u202egnp.exe\u2066 \u200b\u0000\u001b[31mred\u0007",
  "``` \n</details>\n\n# out",
  "trailing backslash \\",
  "`",
  "\ud800 lone",
];

function inCell(cell: string): string {
  return `| a | b |\n|---|---|\n| ${cell} | end |\n`;
}

describe("text of a stranger in a comment", () => {
  it.each(hostile)("prose stays text: %j", (value) => {
    const page = forgePage(inCell(prose(value)));
    expect(page.elements).toEqual(["table", "tbody", "td", "th", "thead", "tr"]);
    expect(page.html).toContain("<td>end</td>");
    expect(page.acting).not.toMatch(/@[\w]|#\d|GH-\d|:\/\/|www\.|:\w+:/);
    expect(page.text).toContain(visible(value).trim());
  });

  it.each(hostile)("code stays code: %j", (value) => {
    const page = forgePage(`- ${code(value)} end\n`);
    expect(page.elements).toEqual(["code", "li", "ul"]);
    expect(page.html).toMatch(/<\/code> end<\/li>/);
    expect(page.text).toContain(visible(value).trim());
  });

  it.each(hostile)("code stays in its cell: %j", (value) => {
    const page = forgePage(inCell(codeCell(value)));
    expect(page.elements).toEqual(["code", "table", "tbody", "td", "th", "thead", "tr"]);
    expect(page.html).toContain("<td>end</td>");
    // A backslash before a pipe is doubled: seen twice is better than a cell more.
    expect(page.text.replaceAll("\\", "")).toContain(visible(value).trim().replaceAll("\\", ""));
  });

  it.each(hostile)("a block stays a block: %j", (value) => {
    const page = forgePage(
      `<details><summary>${html(value)}</summary>\n\n${fenced(value, "diff")}\n\n</details>\n\nend\n`,
    );
    expect(page.elements).toEqual(["code", "details", "p", "pre", "summary"]);
    expect(page.html).toMatch(/<\/details>\s*<p>end<\/p>/);
  });

  it("any text at all stays text", () => {
    const anything = fc.string({ unit: "grapheme", maxLength: 60 });
    const marks = fc.string({ unit: fc.constantFrom(..."`*_[]()<>|\\~&$@#:!-=+\"' ab1\n"), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(anything, marks), (value) => {
        const shown = forgePage(inCell(`x${prose(value)}x`));
        const quoted = forgePage(inCell(codeCell(value)));
        return (
          shown.elements.join() === "table,tbody,td,th,thead,tr" &&
          quoted.elements.join() === "code,table,tbody,td,th,thead,tr" &&
          shown.html.includes("<td>end</td>") &&
          quoted.html.includes("<td>end</td>")
        );
      }),
      { numRuns: 1000, seed: 5 },
    );
  });

  it("shows what would hide, by its number", () => {
    expect(visible("a\u202eb\u200bc\u0007d\ne\u00adf")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩d e⟨U+00AD⟩f");
  });

  it("cuts what is longer than anybody reads", () => {
    expect(code("a".repeat(300))).toBe(`\`${"a".repeat(199)}…\``);
  });
});
