import { describe, expect, it } from "vitest";
import { compile } from "./environment.js";
import { knownToHold, usesOf } from "./known-to-hold.js";
import { crdRules } from "./rules.generated.js";

describe("the fields a rule asks", () => {
  it.each<{ rule: string; uses: readonly string[][] | undefined }>([
    { rule: "self.a.b <= self.c", uses: [["a", "b"], ["c"]] },
    { rule: "!has(self.a.b) || self.c.startsWith('self.d')", uses: [["a", "b"], ["c"]] },
    { rule: "self.a.all(x, x > 1)", uses: [["a"]] },
    { rule: "self.a[0] == self.b.?c", uses: [["a"], ["b"]] },
    { rule: "self.matches('x')", uses: undefined },
    { rule: "isURL(self)", uses: undefined },
    { rule: "self['a'] == 1", uses: undefined },
    { rule: "self.a == oldSelf.a", uses: undefined },
    { rule: "size(self) > 1 || self.a", uses: undefined },
    { rule: "1 == 1", uses: [] },
  ])("$rule", ({ rule, uses }) => {
    expect(usesOf(rule)).toEqual(uses);
  });
});

describe("what is known to hold", () => {
  const rule = { scope: ["spec"], rule: "self.a.b <= self.c && !has(self.d)", message: "", at: ["spec"] };

  it("is asked once for each set of values, and never remembered when it does not hold", () => {
    let asked = 0;
    const program = compile(rule.rule);
    const known = knownToHold(rule, (activation) => {
      asked += 1;
      return program(activation);
    });
    const values = [
      { a: { b: 1 }, c: 2, other: 1 },
      { a: { b: 1 }, c: 2, other: 2 },
      { a: { b: 3 }, c: 2 },
      { a: { b: 3 }, c: 2 },
      { a: { b: 1 }, c: 2, d: 0 },
      { a: {}, c: 2 },
      {},
    ];
    expect(values.map((value) => known(value))).toEqual([true, true, false, false, false, false, false]);
    expect(asked).toBe(6);
  });

  it("says of each rule of the CRD what the rule says of the whole value", () => {
    const spec = (over: object) => ({
      baseUrl: "https://a.example.gov/oai",
      transport: {
        mtls: true,
        timeouts: { connectSeconds: 1, firstByteSeconds: 1, idleSeconds: 1, requestSeconds: 9 },
      },
      delta: { mode: "snapshot" },
      deletions: { policy: "auto" },
      backoff: { initialMs: 1, maxMs: 2 },
      limits: { maxRecordBytes: 1, maxPageBytes: 2 },
      ...over,
    });
    const specs = [
      spec({}),
      spec({ baseUrl: "http://a" }),
      spec({ deletions: { policy: "tombstones" } }),
      spec({ backoff: { initialMs: 3, maxMs: 2 } }),
      spec({ limits: { maxRecordBytes: 3, maxPageBytes: 2 } }),
      spec({ transport: {} }),
    ];
    const ofSpec = crdRules.filter(({ scope }) => scope.join(".") === "spec");
    expect(ofSpec.length).toBeGreaterThan(5);
    for (const each of ofSpec) {
      const holds = compile(each.rule);
      const known = knownToHold(each, holds);
      const whole = specs.map((self) => {
        const outcome = holds({
          self: JSON.parse(JSON.stringify(self), (_, v: unknown) => (typeof v === "number" ? BigInt(v) : v)),
        });
        return outcome.ok && outcome.value === true;
      });
      expect([each.rule, specs.map((self) => known(self))]).toEqual([each.rule, whole]);
    }
  });
});
