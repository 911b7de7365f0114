/**
 * What a reviewer sees: realistic changes as two folders, and beside them the review as Markdown, JSON and SARIF. Read them
 * before they are written anew (`npx vitest run --config vitest.unit.config.ts tests/review/golden.test.ts -u`).
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noColour } from "../../cli/format/colour.js";
import { reviewReport } from "../../cli/format/review/review-report.js";
import { shownReview } from "../../cli/format/review/shown-review.js";
import { reviewPage } from "../../cli/review/review-page.js";
import { reviewFolders } from "../../cli/review/run-review.js";
import type { ImpactFacts, LiveFacts, ReviewFacts, StoreFacts } from "../../source/review/facts.js";

const repository = join(import.meta.dirname, "../..");
const golden = join(import.meta.dirname, "golden");
const cases = readdirSync(golden).sort();
const scratch: string[] = [];

afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true });
});

/** case.json: what is known beyond the two folders. */
interface Case {
  readonly title: string;
  readonly now: string;
  readonly store?: Readonly<Record<string, StoreFacts>>;
  readonly live?: Readonly<Record<string, LiveFacts>>;
  readonly impact?: ImpactFacts;
}

/** A policy root: the shipped schemas and rules, and what the case says over them. */
function side(name: string, which: "base" | "head"): string {
  const folder = mkdtempSync(join(tmpdir(), "harvest-golden-"));
  scratch.push(folder);
  for (const shipped of ["schemas", "rules"])
    cpSync(join(repository, shipped), join(folder, shipped), { recursive: true });
  cpSync(join(golden, name, which), folder, { recursive: true });
  return folder;
}

function factsOf({ store, live, impact }: Case): ReviewFacts {
  return {
    ...(store !== undefined && { store: new Map(Object.entries(store)) }),
    ...(live !== undefined && { live: new Map(Object.entries(live)) }),
    ...(impact !== undefined && { impact }),
  };
}

describe("golden reviews", () => {
  it("are at least twenty", () => {
    expect(cases.length).toBeGreaterThanOrEqual(20);
  });

  it.each(cases)("%s", async (name) => {
    const known = JSON.parse(readFileSync(join(golden, name, "case.json"), "utf8")) as Case;
    const reviewed = await reviewFolders({
      base: side(name, "base"),
      head: side(name, "head"),
      now: new Date(known.now),
      facts: factsOf(known),
      labels: { base: "3f2a91c", head: "9b04d1e" },
    });
    const page = reviewPage(reviewed, {
      theme: noColour,
      width: 100,
      version: "0.1.0",
      command: "harvestctl diff --base origin/main",
    });
    const shown = shownReview(reviewed);
    for (const format of ["md", "json", "sarif"] as const)
      await expect(reviewReport(shown, format, page)).toMatchFileSnapshot(
        join(golden, name, `review.${format}`),
      );
  });
});
