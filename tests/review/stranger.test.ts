import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diffDesk, manifest, policy, type DiffDesk } from "./diff-desk.js";
import { forgePage } from "./forge-page.js";

const bad =
  "</details><img src=x onerror=alert(1)> | **b** `c` ``` #1 @octocat GH-2 [x](https://evil.example) \u202eevil";

/** Everything a pull request may put a text into. */
const files: Readonly<Record<string, string>> = {
  "sources/a|b `c` @octocat #1 \u202e<b>.yaml": manifest({ name: "named", spec: "  suspend: true\n" }),
  "sources/values.yaml": manifest({
    name: "two",
    metadata: `  annotations: { note: ${JSON.stringify(bad)} }\n  labels: { team: "x__y" }\n`,
    spec: `  sets: ["a_b", "~x~"]\n  transport: { proxyUrl: "http://p.example:1" }\n`,
  }).replace("/oai", "/oai?note=|@octocat|**b**`x`&access_token=s3cret"),
  "sources/refused.yaml": manifest({ name: JSON.stringify(bad) }),
  "sources/unknown.yaml": manifest({ name: "x", spec: `  ${JSON.stringify(bad)}: 1\n` }),
  "sources/rules.yaml": manifest({
    name: "y",
    spec: `  validation: { schematron: ${JSON.stringify(`rules/${bad}.sch`)} }\n`,
  }),
  "sources/broken.yaml": `ingest.geoportal.io/v1: [\n${bad}\n`,
  ".github/CODEOWNERS": "* @everyone mail@evil.example @a/b\n",
  "rules/<script>alert(1)</script>@octocat.sch": "<a/>",
};

describe("a pull request of a stranger", () => {
  let desk: DiffDesk;
  beforeEach(() => {
    desk = diffDesk({
      ...policy,
      "sources/refused.yaml": "",
      "sources/values.yaml": policy["sources/two.yaml"] ?? "",
    });
    desk.repository.commit({ ...files, "sources/two.yaml": undefined });
  });
  afterEach(() => {
    desk.remove();
  });

  it("puts nothing but text into the comment", async () => {
    const { out, code } = await desk.diff(["--base", "main", "--head", "change", "--format", "md"]);
    const page = forgePage(out);
    expect(code).toBe(1);
    expect(page.elements).toEqual([
      "code",
      "details",
      "em",
      "h3",
      "li",
      "p",
      "pre",
      "strong",
      "sub",
      "summary",
      "table",
      "tbody",
      "td",
      "th",
      "thead",
      "tr",
      "ul",
    ]);
    expect(page.acting).not.toMatch(/@\w|#\d|GH-\d|:\/\/|www\./);
    expect(out.match(/<!--/g)).toEqual(["<!--"]);
    expect(out).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(out).not.toContain("s3cret");
    // As many folds as are opened are closed, and everything after them is still read.
    expect(page.html.match(/<details>/g)?.length).toBe(page.html.match(/<\/details>/g)?.length);
    expect(page.html).toMatch(/Reproduce: <code>harvestctl diff --base main --head change<\/code>/);
    expect(page.text).toContain("@everyone mail@evil.example @a/b");
  });

  it("gives a terminal nothing to obey", async () => {
    const { out } = await desk.diff(["--base", "main", "--head", "change"]);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(out).not.toContain("s3cret");
  });

  it.each(["json", "sarif", "github"])(
    "leaves no secret in %s, and no line of its own in annotations",
    async (format) => {
      const { out } = await desk.diff(["--base", "main", "--head", "change", "--format", format]);
      expect(out).not.toContain("s3cret");
      if (format === "github")
        for (const line of out.trimEnd().split("\n").slice(0, -1))
          expect(line).toMatch(/^::(error|warning|notice) /);
      else expect(() => JSON.parse(out) as unknown).not.toThrow();
    },
  );
});
