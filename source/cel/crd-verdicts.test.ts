import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseManifests } from "../parse.js";
import { compileRules, crdVerdicts, verdictsOf } from "./crd-verdicts.js";
import type { CrdRule } from "./rule-types.js";

function rule(scope: readonly string[], rest: Partial<CrdRule>): CrdRule {
  return { scope, rule: "true", message: "refused", at: scope, ...rest };
}

function verdicts(rules: readonly CrdRule[], object: object, before?: object) {
  return verdictsOf(compileRules(rules), object, before).map(({ at, message, error }) => ({
    at: at.join("."),
    message,
    ...(error !== undefined && { error }),
  }));
}

describe("a rule", () => {
  const cases: readonly {
    readonly name: string;
    readonly given: CrdRule;
    readonly object: object;
    readonly before?: object;
    readonly told: readonly object[];
  }[] = [
    {
      name: "that holds",
      given: rule(["spec"], { rule: "self.n == 1" }),
      object: { spec: { n: 1 } },
      told: [],
    },
    {
      name: "is placed at its fieldPath",
      given: rule(["spec"], { rule: "self.n == 1", at: ["spec", "n"] }),
      object: { spec: { n: 2 } },
      told: [{ at: "spec.n", message: "refused" }],
    },
    {
      name: "of an absent field is not asked",
      given: rule(["spec", "a", "b"], { rule: "false" }),
      object: { spec: {} },
      told: [],
    },
    {
      name: "of a list's items is asked of each",
      given: rule(["spec", "list", "[]"], { rule: "self.startsWith('a')" }),
      object: { spec: { list: ["a", "b", "ab", "c"] } },
      told: [
        { at: "spec.list.1", message: "refused" },
        { at: "spec.list.3", message: "refused" },
      ],
    },
    {
      name: "of a field of a list's items",
      given: rule(["list", "[]", "n"], { rule: "self > 1" }),
      object: { list: [{ n: 1 }, {}, { n: 2 }] },
      told: [{ at: "list.0.n", message: "refused" }],
    },
    {
      name: "that cannot be evaluated refuses, at the object it was asked of",
      given: rule(["spec"], { rule: "self.missing == 1", at: ["spec", "n"] }),
      object: { spec: { n: 1 } },
      told: [{ at: "spec", message: "refused", error: "No such key: missing" }],
    },
    {
      name: "with an expression for its message",
      given: rule(["spec"], { rule: "self.n < 3", messageExpression: "string(self.n) + ' is not under 3'" }),
      object: { spec: { n: 3 } },
      told: [{ at: "spec", message: "3 is not under 3" }],
    },
    {
      name: "whose message cannot be evaluated falls back to the fixed one",
      given: rule(["spec"], { rule: "false", messageExpression: "self.missing" }),
      object: { spec: {} },
      told: [{ at: "spec", message: "refused" }],
    },
    {
      name: "whose message has two lines falls back to the fixed one",
      given: rule(["spec"], { rule: "false", messageExpression: "'a\\nb'" }),
      object: { spec: {} },
      told: [{ at: "spec", message: "refused" }],
    },
    {
      name: "about a change is not asked of a new object",
      given: rule(["spec", "n"], { rule: "self >= oldSelf", transition: true }),
      object: { spec: { n: 1 } },
      told: [],
    },
    {
      name: "about a change is asked of a change",
      given: rule(["spec", "n"], { rule: "self >= oldSelf", transition: true }),
      object: { spec: { n: 1 } },
      before: { spec: { n: 2 } },
      told: [{ at: "spec.n", message: "refused" }],
    },
    {
      name: "about a change is not asked of a field that is new",
      given: rule(["spec", "n"], { rule: "self >= oldSelf", transition: true }),
      object: { spec: { n: 1 } },
      before: { spec: {} },
      told: [],
    },
  ];

  it.each(cases)("$name", ({ given, object, before, told }) => {
    expect(verdicts([given], object, before)).toEqual(told);
  });
});

const [good] = parseManifests(
  `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata: { name: a }
spec: { baseUrl: "https://a.example/oai", metadataPrefix: oai_dc, schedule: "@daily" }
`,
  { file: "a.yaml", named: true },
).sources;

/** Rules of the CRD against what a person would write down for them, over values nobody chose. */
describe("the rules of the CRD", () => {
  const spec = fc.record({
    https: fc.boolean(),
    mtls: fc.boolean(),
    initialMs: fc.integer({ min: 1, max: 3_600_000 }),
    maxMs: fc.integer({ min: 1, max: 3_600_000 }),
    connect: fc.integer({ min: 1, max: 300 }),
    firstByte: fc.integer({ min: 1, max: 3_600 }),
    idle: fc.integer({ min: 1, max: 3_600 }),
    request: fc.integer({ min: 1, max: 86_400 }),
  });

  it("say what three hand-written oracles say", () => {
    fc.assert(
      fc.property(spec, (given) => {
        const source = sourceOf(given);
        const told = new Set(crdVerdicts(source).map(({ rule: { at } }) => at.join(".")));
        expect({
          mtls: told.has("spec.transport.mtls"),
          backoff: told.has("spec.backoff.initialMs"),
          timeouts: told.has("spec.transport.timeouts.requestSeconds"),
        }).toEqual({
          mtls: given.mtls && !given.https,
          backoff: given.initialMs > given.maxMs,
          timeouts: [given.connect, given.firstByte, given.idle].some((seconds) => seconds > given.request),
        });
      }),
      { numRuns: 500 },
    );
  });

  function sourceOf(given: (typeof spec extends fc.Arbitrary<infer T> ? T : never) & object): object {
    const base = good!.source.spec;
    return {
      ...good!.source,
      spec: {
        ...base,
        baseUrl: given.https ? base.baseUrl : "http://a.example/oai",
        backoff: { ...base.backoff, initialMs: given.initialMs, maxMs: given.maxMs },
        transport: {
          ...base.transport,
          mtls: given.mtls,
          timeouts: {
            connectSeconds: given.connect,
            firstByteSeconds: given.firstByte,
            idleSeconds: given.idle,
            requestSeconds: given.request,
          },
        },
      },
    };
  }

  it("end for any text in any field they ask about", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.webUrl(),
      fc.constant("__proto__"),
    );
    fc.assert(
      fc.property(fc.tuple(texts, texts, texts, texts), ([baseUrl, schedule, timeZone, proxyUrl]) => {
        const base = good!.source.spec;
        const transport = { ...base.transport, proxyUrl };
        const object = { ...good!.source, spec: { ...base, baseUrl, schedule, timeZone, transport } };
        for (const { message } of crdVerdicts(object)) expect(message).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});
