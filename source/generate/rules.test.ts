import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { admissionPoliciesOf } from "./admission-policies.js";
import type { Crd } from "./crd-node.js";
import { crdRulesOf } from "./crd-rules.js";

/** A CRD with one field of each kind and these rules at spec. */
function crd(rules: string): Crd {
  return parse(`
spec:
  group: g
  names: { kind: K }
  versions:
    - name: v1
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              x-kubernetes-validations: ${rules}
              properties:
                text: { type: string }
                whole: { type: integer }
                real: { type: number }
                list:
                  type: array
                  items:
                    type: string
                    x-kubernetes-validations:
                      - { rule: self != '', message: empty }
`) as Crd;
}

describe("the rules of a CRD", () => {
  it("are read with scope, place and message", () => {
    const given = `
                - { rule: self.whole > 1, message: small, fieldPath: .whole }
                - { rule: self.text == oldSelf.text, message: fixed, messageExpression: "'was ' + oldSelf.text" }`;
    expect(crdRulesOf(crd(given))).toEqual([
      { scope: ["spec"], rule: "self.whole > 1", message: "small", at: ["spec", "whole"] },
      {
        scope: ["spec"],
        rule: "self.text == oldSelf.text",
        message: "fixed",
        messageExpression: "'was ' + oldSelf.text",
        at: ["spec"],
        transition: true,
      },
      {
        scope: ["spec", "list", "[]"],
        rule: "self != ''",
        message: "empty",
        at: ["spec", "list", "[]"],
      },
    ]);
  });

  it.each([
    ["no message", "[{ rule: 'true' }]", "has no message"],
    ["no CEL", "[{ rule: 'self.', message: m }]", "self."],
    ["an unknown field", "[{ rule: self.texts == '', message: m }]", "texts"],
    ["an unknown function", "[{ rule: self.text.format(), message: m }]", "format"],
    ["an unknown name", "[{ rule: object == null, message: m }]", "object"],
    ["types that do not fit", "[{ rule: self.text > 1, message: m }]", "string > int"],
    ["a whole number for a real one", "[{ rule: self.real > 'a', message: m }]", "double > string"],
    ["no verdict", "[{ rule: self.text, message: m }]", "is of type string, not bool"],
    [
      "a message that is none",
      "[{ rule: 'true', message: m, messageExpression: self.whole }]",
      "is of type int, not string",
    ],
    ["a place that is no name", `[{ rule: 'true', message: m, fieldPath: ".list[0]" }]`, "fieldPath"],
    ["an optional old value", "[{ rule: 'true', message: m, optionalOldSelf: true }]", "optionalOldSelf"],
  ])("are refused with %s", (_, rules, says) => {
    expect(() => crdRulesOf(crd(rules))).toThrow(says);
  });
});

describe("the admission policies", () => {
  const manifest = { type: "object", properties: { spec: { type: "object", properties: {} } } };

  function texts(validation: string, resource = "harvestsources"): readonly string[] {
    return [
      `
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints: { resourceRules: [{ resources: [${resource}] }] }
  variables: [{ name: n, expression: size(params.data) }]
  validations: [${validation}]
---
kind: ValidatingAdmissionPolicyBinding
spec: { policyName: p, paramRef: { name: c, parameterNotFoundAction: Deny } }
`,
    ];
  }

  it("are read with what their binding adds", () => {
    expect(
      admissionPoliciesOf(texts("{ expression: variables.n == 1, reason: Forbidden }"), manifest),
    ).toEqual([
      {
        name: "p",
        failurePolicy: "Fail",
        matchConditions: [],
        variables: [{ name: "n", expression: "size(params.data)" }],
        validations: [{ expression: "variables.n == 1" }],
        parameters: { name: "c", whenMissing: "Deny" },
        asksWriter: false,
      },
    ]);
  });

  it("are known by whether they ask who writes", () => {
    const [read] = admissionPoliciesOf(texts("{ expression: request.userInfo.username == '' }"), manifest);
    expect(read?.asksWriter).toBe(true);
  });

  it("about other things are left out", () => {
    expect(admissionPoliciesOf(texts("{ expression: 'true' }", "pods"), manifest)).toEqual([]);
  });

  it.each([
    ["{ expression: variables.m == 1 }", "m"],
    ["{ expression: variables.n == 'a' }", "int == string"],
    ["{ expression: object.specs == null }", "specs"],
    ["{ expression: variables.n }", "is of type int, not bool"],
  ])("are refused with %s", (validation, says) => {
    expect(() => admissionPoliciesOf(texts(validation), manifest)).toThrow(says);
  });
});
