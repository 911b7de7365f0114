/**
 * The comment as people see it: rendered as GitHub does, looked at in a real browser. The reviews are the golden ones, a
 * stranger's among them. `UPDATE_SCREENSHOT=1` takes the picture of docs/pull-requests.md anew.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repositoryRoot } from "../house/scratch-house.js";
import { findBrowser, startBrowser } from "./browser.js";
import { commentBody, composeReport } from "./gate-scripts.js";
import { commentPage } from "./render-comment.js";
import { smallPng } from "./small-png.js";

const golden = join(repositoryRoot, "tests/review/golden");
const cases = readdirSync(golden).sort();
const screenshot = join(repositoryRoot, "docs/images/review-comment.png");
const executable = findBrowser();
const runUrl = "https://github.com/geo/policy/actions/runs/7";

/** As the gate posts it: the review, then what became of the other checks. */
function commentOf(name: string, fork?: string): string {
  const review = readFileSync(join(golden, name, "review.md"), "utf8");
  const refused = review.includes("❌");
  const steps = [
    {
      name: "lint",
      title: "Lint",
      code: refused ? 1 : 0,
      text: `7 sources, ${refused ? "1 error" : "0 errors"}, 0 warnings.\n`,
    },
    {
      name: "dry-run",
      title: "Dry run against a sandbox",
      code: 0,
      text: "1 source would run: 200 records read, 3 records refused. Nothing was written. It was a sample (--limit).\n",
    },
    {
      name: "fixtures",
      title: "Fixtures",
      code: 0,
      text: "112 fixtures: 112 as declared (28 pass, 84 refused).\n",
    },
    {
      name: "diff",
      title: "Review",
      code: refused ? 1 : 0,
      text: `diff-report.md: ${review.split("**")[1]!}\n`,
    },
  ];
  const { report } = composeReport({ steps, review, warnings: 0, failOn: "error" });
  return commentBody(report, { runUrl, ...(fork === undefined ? {} : { fork }) });
}

interface Seen {
  /** Cells a row, for each table. */
  readonly cells: readonly (readonly number[])[];
  readonly elements: readonly string[];
  readonly attributes: readonly string[];
  /** What sticks out of the column and cannot be scrolled to. */
  readonly wide: readonly string[];
  readonly pageWidth: number;
  readonly folds: number;
  readonly open: number;
}

/** Runs in the page. */
function look(): Seen {
  const doc = (globalThis as unknown as { document: SeenDocument }).document;
  const main = doc.querySelector("main");
  const all = [...main.querySelectorAll("*")];
  const right = main.getBoundingClientRect().right;
  function scrolls(element: SeenElement | null): boolean {
    if (element === null || element === main) return false;
    return element.matches("table, pre") || scrolls(element.parentElement);
  }
  return {
    cells: [...main.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("tr")].map((row) => row.querySelectorAll("th, td").length),
    ),
    elements: [...new Set(all.map(({ tagName }) => tagName.toLowerCase()))].sort(),
    attributes: [...new Set(all.flatMap((element) => element.getAttributeNames()))].sort(),
    wide: all
      .filter(
        (element) => element.getBoundingClientRect().right > right + 1 && !scrolls(element.parentElement),
      )
      .map(({ tagName }) => tagName),
    pageWidth: doc.documentElement.scrollWidth,
    folds: main.querySelectorAll("details").length,
    open: main.querySelectorAll("details[open]").length,
  };
}

interface SeenElement {
  readonly tagName: string;
  readonly parentElement: SeenElement | null;
  readonly scrollWidth: number;
  matches(selector: string): boolean;
  querySelector(selector: string): SeenElement;
  querySelectorAll(selector: string): Iterable<SeenElement> & { readonly length: number };
  getAttributeNames(): string[];
  getBoundingClientRect(): { readonly right: number };
}
type SeenDocument = SeenElement & { readonly documentElement: SeenElement };

/** What a review is made of; anything else came out of a value. */
const expected = new Set(
  "a blockquote br code del details em h3 li ol p pre strong sub summary table tbody td th thead tr ul".split(
    " ",
  ),
);

describe.runIf(executable !== undefined)("the comment in a browser", () => {
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  beforeAll(async () => {
    browser = await startBrowser(executable!);
    page = await browser.newPage({ viewport: { width: 1044, height: 900 } });
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.route("**/*", (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
  });
  afterAll(async () => {
    await browser.close();
  });

  it.each([...cases, "a fork's"])("%s", async (name) => {
    const stranger = name === "a fork's";
    const markdown = stranger ? commentOf("20-a-stranger-writes", "stranger/policy") : commentOf(name);
    await page.setContent(await commentPage(markdown));
    const seen = await page.evaluate(look);
    // The blast radius and the checks, each row as long as its head.
    expect(seen.cells.length).toBeGreaterThanOrEqual(1);
    for (const rows of seen.cells) {
      expect(rows.length).toBeGreaterThan(1);
      expect(new Set(rows).size).toBe(1);
    }
    expect(seen.elements.filter((element) => !expected.has(element))).toEqual([]);
    expect(seen.attributes.filter((attribute) => !["href", "open"].includes(attribute))).toEqual([]);
    expect({ wide: seen.wide, pageWidth: seen.pageWidth }).toEqual({ wide: [], pageWidth: 1044 });
    expect(seen.open).toBe(0);
    for (const fold of await page.locator("details").all()) {
      const inside = fold.locator("pre");
      expect(await inside.isVisible()).toBe(false);
      await fold.locator("summary").click();
      expect(await inside.isVisible()).toBe(true);
    }
    expect((await page.evaluate(look)).wide).toEqual([]);
    for (const fold of await page.locator("summary").all()) await fold.click();
    expect((await page.evaluate(look)).open).toBe(0);
    const read = await page.locator("main").innerText();
    expect(read).toContain("Checks");
    expect(read).not.toMatch(/&(#\d|lt;|gt;|amp;)/);
    expect(asked).toEqual([]);
  });

  it.runIf(process.env["UPDATE_SCREENSHOT"] !== undefined)("takes its picture", async () => {
    await page.setContent(await commentPage(commentOf("19-the-agency-moves")));
    mkdirSync(join(screenshot, ".."), { recursive: true });
    writeFileSync(screenshot, smallPng(await page.locator("article").screenshot()));
  });
});

describe("the picture in the documentation", () => {
  it("is there, and small", () => {
    expect(statSync(screenshot).size).toBeLessThan(200_000);
    expect(readFileSync(screenshot).subarray(1, 4).toString("latin1")).toBe("PNG");
  });
});
