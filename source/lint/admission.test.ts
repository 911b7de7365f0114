import { describe, expect, it } from "vitest";
import { fairUseConfigMap } from "../bundle/fair-use-config-map.js";
import { admissionPolicies } from "../cel/rules.generated.js";
import { parseFairUse } from "../fair-use.js";
import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { parseManifests } from "../parse.js";
import { admission, admissionFindings } from "./admission.js";
import { admissionIds } from "./admission-ids.js";
import { lint } from "./index.js";

function fairUse(text: string) {
  const parsed = parseFairUse(text, "rules/fair-use.yaml").fairUse;
  if (parsed === undefined) throw new Error("The ceilings of this test are refused.");
  return parsed;
}

function context(text: string) {
  return {
    fairUse: fairUse(text),
    prefixes: ["oai_dc"],
    checkPolicyFile: () => ({ ok: true }) as const,
    now: new Date("2026-01-01T00:00:00Z"),
  };
}

/** Sources in one file, a document of nine lines each: maxRequests stands on the seventh. */
function sources(...wishes: readonly { readonly max: number; readonly suspend?: boolean }[]) {
  const text = wishes
    .map(
      ({ max, suspend = false }, i) => `---
apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: source-${String(i)} }
spec:
  baseUrl: https://a.example.org/oai?repo=${String(i)}
  concurrency: { maxRequests: ${String(max)} }
  metadataPrefix: oai_dc
  schedule: "@daily"
  suspend: ${String(suspend)}
`,
    )
    .join("");
  return parseManifests(text, { file: "a.yaml", named: true }).sources;
}

function told(findings: readonly Finding[]) {
  return findings.map(({ rule, place }) => `${rule} ${String(place.line)}`);
}

describe("the admission policies", () => {
  it("each have an id for each validation, but those that ask who writes", () => {
    const asked = admissionPolicies.filter(({ asksWriter }) => !asksWriter);
    expect(Object.fromEntries(asked.map(({ name, validations }) => [name, validations.length]))).toEqual(
      Object.fromEntries(Object.entries(admissionIds).map(([name, ids]) => [name, ids.length])),
    );
    expect(admissionPolicies.filter(({ asksWriter }) => asksWriter).map(({ name }) => name)).toEqual([
      "harvest-delivery",
    ]);
  });
});

describe("a ceiling", () => {
  const ceilings = "hosts:\n  a.example.org: { maxRequests: 10 }\n";
  const cases: readonly {
    readonly name: string;
    readonly given: readonly LocatedSource[];
    readonly whole: readonly string[];
  }[] = [
    { name: "kept", given: sources({ max: 10 }), whole: [] },
    {
      name: "broken by one source: told once",
      given: sources({ max: 11 }),
      whole: ["fair-use/over-ceiling 7"],
    },
    {
      name: "broken by the sum alone: told by lint, where no policy sees it",
      given: sources({ max: 6 }, { max: 5 }),
      whole: ["fair-use/over-ceiling 17"],
    },
    {
      name: "broken by two sources, each by itself: both are told",
      given: sources({ max: 12 }, { max: 11 }),
      whole: ["fair-use/over-ceiling 7", "fair-use/over-ceiling 17"],
    },
    { name: "that a paused source does not ask for", given: sources({ max: 200, suspend: true }), whole: [] },
  ];

  it.each(cases)("$name", ({ given, whole }) => {
    expect(told(lint(given, context(ceilings)).filter(({ rule }) => rule.startsWith("fair-use/")))).toEqual(
      whole,
    );
  });

  it("is told in the words of the policy", () => {
    const [, second] = admission(sources({ max: 13 }, { max: 12 }, { max: 11 }), context(ceilings));
    expect(second?.sentence).toBe(
      "maxRequests 11 exceeds the fair-use ceiling 10 of a.example.org: lower it, or agree a higher ceiling with the agency and write it into rules/fair-use.yaml.",
    );
  });

  it("is not asked of where there is no file of them", () => {
    const { prefixes, checkPolicyFile, now } = context(ceilings);
    expect(admission(sources({ max: 200 }), { prefixes, checkPolicyFile, now })).toEqual([]);
  });

  const changes: readonly {
    readonly name: string;
    readonly before: number;
    readonly after: number;
    readonly refused: boolean;
  }[] = [
    { name: "what stood there and still stands", before: 20, after: 20, refused: false },
    { name: "less, but not little enough", before: 20, after: 15, refused: true },
    { name: "little enough", before: 20, after: 10, refused: false },
  ];

  it.each(changes)("judges a change: $name", ({ before, after, refused }) => {
    const parameters = { "harvest-fair-use": fairUseConfigMap(fairUse(ceilings)) };
    const [old] = sources({ max: before });
    const [located] = sources({ max: after });
    expect(admissionFindings(located!, parameters, old!.source).length > 0).toBe(refused);
  });

  it("that is no number is told, as the server tells it", () => {
    const parameters = {
      "harvest-fair-use": { metadata: { namespace: "harvest" }, data: { "a.example.org": "many" } },
    };
    expect(admissionFindings(sources({ max: 1 })[0]!, parameters)).toEqual([
      {
        rule: "fair-use/unreadable",
        severity: "error",
        place: { file: "a.yaml", line: 6, column: 12, length: 32 },
        sentence:
          "the ceiling of a.example.org in ConfigMap harvest/harvest-fair-use is 'many', which is no whole number: write the ConfigMap anew with harvestctl bundle --fair-use.",
      },
    ]);
  });
});
