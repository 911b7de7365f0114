import { describe, expect, it } from "vitest";
import type { Gates } from "../gate/gate.js";
import type { Verdict, Violation } from "../record.js";
import type { ImpactItem } from "./impact.js";
import { judgeBoth } from "./judge-both.js";
import type { LoadedSide } from "./load-side.js";
import { planReplay } from "./plan.js";

interface SideWish {
  readonly xsd?: string;
  readonly rules?: Readonly<Record<string, string>>;
  readonly phase?: string;
  readonly maxRecordBytes?: number;
}

/** Digests are words here: equal words are equal files. */
function side({ xsd = "x", rules = { a: "1", b: "1" }, phase, maxRecordBytes = 100 }: SideWish): LoadedSide {
  return {
    digest: JSON.stringify([xsd, rules, phase, maxRecordBytes]),
    xsdDigest: xsd,
    ruleDigests: new Map(Object.entries(rules)),
    policy: {
      prefix: "oai_dc",
      xsd: ["s.xsd"],
      schematron: Object.keys(rules),
      ...(phase === undefined ? {} : { phase }),
      files: [],
      limits: { maxRecordBytes, deadlineMs: 1, maxViolations: 50 },
    },
  };
}

interface PlanRow {
  readonly name: string;
  readonly base: SideWish;
  readonly head: SideWish;
  readonly expect: object | undefined;
}

describe("what must be judged again", () => {
  const rows: readonly PlanRow[] = [
    { name: "nothing changes", base: {}, head: {}, expect: undefined },
    {
      name: "one of two rule sets",
      base: {},
      head: { rules: { a: "1", b: "2" } },
      expect: { xsd: [], schematron: ["b"], before: true },
    },
    {
      name: "a rule set more",
      base: {},
      head: { rules: { a: "1", b: "1", c: "1" } },
      expect: { xsd: [], schematron: ["c"], before: true },
    },
    {
      name: "a rule set less can only release",
      base: {},
      head: { rules: { a: "1" } },
      expect: { before: true },
    },
    {
      name: "the schema",
      base: {},
      head: { xsd: "y" },
      expect: { xsd: ["s.xsd"], schematron: [], before: false },
    },
    {
      name: "the phase touches every rule set",
      base: {},
      head: { phase: "essential" },
      expect: { xsd: [], schematron: ["a", "b"], before: true },
    },
    {
      name: "the size limit",
      base: {},
      head: { maxRecordBytes: 50 },
      expect: { xsd: [], schematron: [], before: false },
    },
  ];
  it.each(rows)("$name", ({ base, head, expect: expected }) => {
    const plan = planReplay(side(base), side(head));
    const told = plan && {
      ...(plan.changed && { xsd: plan.changed.xsd, schematron: plan.changed.schematron }),
      before: plan.sameBeforeRules,
    };
    expect(told).toEqual(expected);
  });
});

describe("which gates are asked", () => {
  const refusal: Violation = { gate: "schematron", rule: "r", severity: "error", message: "m" };
  const pass: Verdict = passing();
  const refused: Verdict = { kind: "refused", violations: [refusal] };
  const plan = planReplay(side({}), side({ rules: { a: "1", b: "2" } }))!;

  function passing(): Verdict {
    const checksum = new Uint8Array();
    return { kind: "pass", checksum, canonical: {} as never, packed: checksum, remarks: [] };
  }

  function asking(answers: Readonly<Record<"base" | "head" | "changed", Verdict>>) {
    const asked: string[] = [];
    function gate(name: "base" | "head" | "changed"): Gates {
      return {
        check() {
          asked.push(name);
          return Promise.resolve(answers[name]);
        },
        close: () => Promise.resolve(),
      };
    }
    return { asked, gates: { base: gate("base"), head: gate("head"), changed: gate("changed") } };
  }

  const body = new Uint8Array();
  const passed = (ruleRemarks: number): ImpactItem => ({
    identifier: "i",
    body,
    last: { kind: "passed", ruleRemarks },
  });
  const lastRefused = (gate: Violation["gate"]): ImpactItem => ({
    identifier: "i",
    body,
    last: { kind: "refused", violation: { ...refusal, gate } },
  });

  it.each([
    { name: "it passed: only what changed", item: passed(0), trusted: true, asked: ["changed"] },
    { name: "nobody judged it", item: { identifier: "i", body }, trusted: true, asked: ["base", "changed"] },
    { name: "judged by another policy", item: passed(0), trusted: false, asked: ["base", "changed"] },
    { name: "refused by the schema", item: lastRefused("xsd"), trusted: true, asked: [] },
    { name: "not well-formed", item: lastRefused("well-formed"), trusted: true, asked: [] },
    { name: "refused by a rule", item: lastRefused("schematron"), trusted: true, asked: ["head"] },
    { name: "the engine had given up", item: lastRefused("engine"), trusted: true, asked: ["head"] },
    {
      name: "so many remarks that some may be hidden",
      item: passed(49),
      trusted: true,
      asked: ["changed", "head"],
    },
  ])("$name", async ({ item, trusted, asked: expected }) => {
    const { asked, gates } = asking({ base: pass, head: refused, changed: refused });
    const verdicts = await judgeBoth(item, plan, { gates, trusted });
    expect(asked).toEqual(expected);
    expect(verdicts.head).toBeDefined();
  });
});
