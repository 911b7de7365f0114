import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue, explainConsequence } from "./catalogue.js";
import type { CatalogueEntry } from "./catalogue/entry.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/consequences.md"), "utf8");

/** As docs/consequences.md must say it, word for word. */
function section({ id, title, severities, told, means, todo }: CatalogueEntry): string {
  return [
    `### \`${id}\``,
    `**${title}** · ${severities.join(" or ")}`,
    `- Told when: ${told}`,
    `- What it means: ${means}`,
    `- What to do: ${todo}`,
  ].join("\n\n");
}

/** Lists need no blank line between items; both spellings are the same page. */
function tight(text: string): string {
  return text.replace(/\n+/g, "\n");
}

describe("the catalogue", () => {
  it("has an id once", () => {
    const ids = catalogue.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it("explains an id, and knows no other", () => {
    expect(explainConsequence("full-reharvest")?.title).toBe("Everything is read again");
    expect(explainConsequence("toString")).toBeUndefined();
  });

  it.each(catalogue)("stands on the page word for word: $id", (entry) => {
    expect(tight(page)).toContain(tight(section(entry)));
  });

  it("leaves no id on the page unexplained, and keeps its order", () => {
    const named = [...page.matchAll(/^### `([a-z0-9-]+)`$/gm)].map(([, id]) => id);
    expect(named).toEqual(catalogue.map(({ id }) => id));
  });

  it("is told in full by the table at the top of the page", () => {
    const rows = [
      ...page.matchAll(/^\| \[`([a-z0-9-]+)`\]\(#([a-z0-9-]+)\) \| ([a-z ]+?) +\| (.+?) +\|$/gm),
    ].map(([, id, link, severities, title]) => ({ id, link, severities, title }));
    expect(rows).toEqual(
      catalogue.map(({ id, severities, title }) => ({
        id,
        link: id,
        severities: severities.join(" or "),
        title,
      })),
    );
  });

  it("has a test for every id and severity", () => {
    const folder = join(import.meta.dirname, "consequences");
    const tests = readdirSync(folder)
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    const wanted = catalogue.flatMap(({ id, severities }) =>
      severities.map((severity) => `${severity} ${id}: `),
    );
    expect(wanted.filter((each) => !tests.includes(each))).toEqual([]);
  });
});
