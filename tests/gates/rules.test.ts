/** The shipped rule sets as documents: ids, roles, sentences, documentation, and a fixture for every rule. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFixtureSet } from "../../cli/fixtures/fixture-set.js";
import { shippedRules } from "./shipped-policy.js";

const root = join(import.meta.dirname, "../..");
const documentation = readFileSync(join(root, "docs/rules.md"), "utf8");

interface Rule {
  readonly id: string;
  readonly role: string;
  readonly sentence: string;
}

/** Asserts and reports as written; what stands in value-of is one word here. */
function rulesOf(file: string): readonly Rule[] {
  const text = Buffer.from(shippedRules.get(file) ?? []).toString("utf8");
  const elements = text.matchAll(/<sch:(?:assert|report)\b([^>]*)>([\s\S]*?)<\/sch:(?:assert|report)>/g);
  return [...elements].map(([, attributes = "", content = ""]) => ({
    id: /\bid="([^"]*)"/.exec(attributes)?.[1] ?? "",
    role: /\brole="([^"]*)"/.exec(attributes)?.[1] ?? "",
    sentence: content.replace(/<sch:[^>]*>/g, "value"),
  }));
}

function shownBy(folder: string): ReadonlySet<string> {
  const path = join(root, "tests/fixtures", folder, "fixtures.yaml");
  const { fixtures } = parseFixtureSet(readFileSync(path, "utf8"), path);
  return new Set([...fixtures.values()].flatMap(({ rules = [], remarks = [] }) => [...rules, ...remarks]));
}

describe.each([
  { file: "rules/geo-business-rules.sch", folder: "iso19139", count: 49 },
  { file: "rules/oai-dc-rules.sch", folder: "oai_dc", count: 15 },
])("$file", ({ file, folder, count }) => {
  const rules = rulesOf(file);

  it("has rules, each with an id of its own", () => {
    expect(rules).toHaveLength(count);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(count);
  });

  it.each(rules)(
    "$id has a role, a sentence and a line in docs/rules.md that names both",
    ({ id, role, sentence }) => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(["error", "warning", "info"]).toContain(role);
      expect(sentence).toMatch(/^["A-Z].*\.$/s);
      expect(documentation).toContain(`\n| \`${id}\` | ${role} |`);
    },
  );

  it.each(rules)("$id is shown by a fixture", ({ id }) => {
    expect(shownBy(folder)).toContain(id);
  });
});

it("docs/rules.md names no rule that does not exist", () => {
  const known = new Set([...shippedRules.keys()].flatMap((file) => rulesOf(file).map(({ id }) => id)));
  const named = [...documentation.matchAll(/^\| `([a-z0-9-]+)` \| (?:error|warning|info) \|/gm)].map(
    ([, id]) => id,
  );
  expect(named.filter((id) => id !== undefined && !known.has(id))).toEqual([]);
});
