import { describe, expect, it } from "vitest";
import { admissionJudge, type AdmissionRequest } from "./admission-verdicts.js";
import type { AdmissionPolicy } from "./rule-types.js";

function policy(given: Partial<AdmissionPolicy>): AdmissionPolicy {
  return {
    name: "p",
    failurePolicy: "Fail",
    matchConditions: [],
    variables: [],
    validations: [{ expression: "false", message: "refused" }],
    asksWriter: false,
    ...given,
  };
}

const object = { metadata: { name: "a" }, spec: { n: 3, text: "x" } };
const broken = "object.spec.missing == 1";

describe("a policy", () => {
  const cases: readonly {
    readonly name: string;
    readonly given: Partial<AdmissionPolicy>;
    readonly request?: Partial<AdmissionRequest>;
    readonly told: readonly string[];
  }[] = [
    { name: "refuses", given: {}, told: ["refused"] },
    { name: "lets pass", given: { validations: [{ expression: "object.spec.n == 3" }] }, told: [] },
    {
      name: "names the expression where there is no message",
      given: { validations: [{ expression: "object.spec.n == 4" }] },
      told: ["failed expression: object.spec.n == 4"],
    },
    {
      name: "tells every validation that fails",
      given: {
        validations: [
          { expression: "false", message: "one" },
          { expression: "true", message: "two" },
          { expression: "false", messageExpression: "'three: ' + string(object.spec.n)" },
        ],
      },
      told: ["one", "three: 3"],
    },
    {
      name: "falls back where its message has two lines",
      given: { validations: [{ expression: "false", messageExpression: "'a\\nb'", message: "refused" }] },
      told: ["refused"],
    },
    {
      name: "that fails closed refuses what it cannot evaluate",
      given: { validations: [{ expression: broken }] },
      told: ["expression 'object.spec.missing == 1' resulted in error: No such key: missing"],
    },
    {
      name: "that fails open lets that pass",
      given: { failurePolicy: "Ignore", validations: [{ expression: broken }] },
      told: [],
    },
    {
      name: "whose condition is false is not asked, even beside one that cannot be evaluated",
      given: {
        matchConditions: [
          { name: "a", expression: broken },
          { name: "b", expression: "false" },
        ],
      },
      told: [],
    },
    {
      name: "whose condition cannot be evaluated fails closed",
      given: { matchConditions: [{ name: "a", expression: broken }] },
      told: ["No such key: missing"],
    },
    {
      name: "has variables of variables",
      given: {
        variables: [
          { name: "n", expression: "object.spec.n" },
          { name: "twice", expression: "variables.n * 2" },
        ],
        validations: [{ expression: "variables.twice != 6", message: "six" }],
      },
      told: ["six"],
    },
    {
      name: "does not mind a variable nobody asks for",
      given: { variables: [{ name: "bad", expression: broken }], validations: [{ expression: "true" }] },
      told: [],
    },
    {
      name: "minds one that is asked for",
      given: {
        variables: [{ name: "bad", expression: broken }],
        validations: [{ expression: "variables.bad" }],
      },
      told: ["expression 'variables.bad' resulted in error: No such key: missing"],
    },
    {
      name: "sees that an object is new",
      given: { validations: [{ expression: "oldObject == null && request.operation == 'CREATE'" }] },
      told: [],
    },
    {
      name: "sees what it was before",
      given: {
        validations: [{ expression: "object.spec != oldObject.spec && request.operation == 'UPDATE'" }],
      },
      request: { oldObject: { spec: { n: 2, text: "x" } } },
      told: [],
    },
    {
      name: "sees that nothing has changed",
      given: { validations: [{ expression: "object.spec != oldObject.spec", message: "the same" }] },
      request: { oldObject: { spec: { text: "x", n: 3 } } },
      told: ["the same"],
    },
    {
      name: "reads its parameters",
      given: {
        parameters: { name: "c", whenMissing: "Deny" },
        validations: [{ expression: "'k' in params.data && params.data['k'] == '1'" }],
      },
      request: { params: { data: { k: "1" } } },
      told: [],
    },
    { name: "may allow without them", given: { parameters: { name: "c", whenMissing: "Allow" } }, told: [] },
    {
      name: "may deny without them",
      given: { parameters: { name: "c", whenMissing: "Deny" } },
      told: ["no ConfigMap c found"],
    },
    {
      name: "knows who writes where that is told",
      given: { validations: [{ expression: "request.userInfo.username == 'flux'" }] },
      request: { userInfo: { username: "flux" } },
      told: [],
    },
  ];

  it.each(cases)("$name", ({ given, request, told }) => {
    const verdicts = admissionJudge(policy(given))({ object, ...request });
    expect(verdicts.map(({ message }) => message)).toEqual(told);
  });
});
