/** The ValidatingAdmissionPolicies of the install manifests as data, each expression checked for its types. */
import { parseAllDocuments } from "yaml";
import { celTypeOf, checkedType, type CelFields, type CelType, type TypedNode } from "../cel/check-types.js";
import type { AdmissionPolicy, NamedExpression, Validation } from "../cel/rule-types.js";

interface PolicyObject {
  readonly kind: "ValidatingAdmissionPolicy";
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly failurePolicy?: "Fail" | "Ignore";
    readonly matchConstraints: {
      readonly resourceRules: readonly { readonly resources: readonly string[] }[];
    };
    readonly matchConditions?: readonly NamedExpression[];
    readonly variables?: readonly NamedExpression[];
    readonly validations: readonly (Validation & { readonly reason?: string })[];
  };
}

interface BindingObject {
  readonly kind: "ValidatingAdmissionPolicyBinding";
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: { readonly name: string; readonly parameterNotFoundAction: "Allow" | "Deny" };
  };
}

/** A ConfigMap, and who asks: what the policies may read besides the object. */
const CONFIG_MAP: CelFields = {
  metadata: { name: "string", namespace: "string" },
  data: "map<string, string>",
};
const REQUEST: CelFields = {
  operation: "string",
  userInfo: { username: "string", groups: "list<string>" },
};

/** Policies about HarvestSources in the order of the texts. `manifest` is the schema of a manifest. Throws like crdRulesOf. */
export function admissionPoliciesOf(
  texts: readonly string[],
  manifest: TypedNode,
): readonly AdmissionPolicy[] {
  const objects = texts
    .flatMap((text) => parseAllDocuments(text))
    .map((document) => document.toJS() as PolicyObject | BindingObject | { readonly kind: "" });
  const bindings = objects.filter((each) => each.kind === "ValidatingAdmissionPolicyBinding");
  return objects
    .filter((each) => each.kind === "ValidatingAdmissionPolicy")
    .filter(({ spec }) => spec.matchConstraints.resourceRules.some(aboutSources))
    .map((policy) => policyOf(policy, bindings, celTypeOf(manifest)));
}

function aboutSources({ resources }: { readonly resources: readonly string[] }): boolean {
  return resources.includes("harvestsources");
}

function policyOf(
  { metadata: { name }, spec }: PolicyObject,
  bindings: readonly BindingObject[],
  object: CelType,
): AdmissionPolicy {
  const { matchConditions = [], variables = [], failurePolicy = "Fail" } = spec;
  checkTypes({ name, matchConditions, variables, validations: spec.validations, object });
  const paramRef = bindings.find(({ spec: { policyName } }) => policyName === name)?.spec.paramRef;
  const asked = [...matchConditions, ...variables, ...spec.validations].map(({ expression }) => expression);
  return {
    name,
    failurePolicy,
    matchConditions: matchConditions.map(named),
    variables: variables.map(named),
    validations: spec.validations.map(({ expression, message, messageExpression }) => ({
      expression,
      ...(message === undefined ? {} : { message }),
      ...(messageExpression === undefined ? {} : { messageExpression }),
    })),
    ...(paramRef === undefined
      ? {}
      : { parameters: { name: paramRef.name, whenMissing: paramRef.parameterNotFoundAction } }),
    asksWriter: asked.some((expression) => /\b(userInfo|authorizer)\b/.test(expression)),
  };
}

function named({ name, expression }: NamedExpression): NamedExpression {
  return { name, expression };
}

function checkTypes(policy: {
  readonly name: string;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly Validation[];
  readonly object: CelType;
}): void {
  // The old object may be null, which no object's type has.
  const before: CelFields = {
    object: policy.object,
    oldObject: policy.object,
    params: CONFIG_MAP,
    request: REQUEST,
  };
  for (const { expression } of policy.matchConditions)
    expectType(policy.name, checkedType(expression, before), "bool");
  const types: Record<string, string> = {};
  for (const { name, expression } of policy.variables)
    types[name] = checkedType(expression, { ...before, variables: { ...types } });
  const names = { ...before, variables: types };
  for (const { expression, messageExpression } of policy.validations) {
    expectType(policy.name, checkedType(expression, names), "bool");
    if (messageExpression !== undefined)
      expectType(policy.name, checkedType(messageExpression, names), "string");
  }
}

function expectType(policy: string, type: string, wanted: string): void {
  if (type !== wanted && type !== "dyn")
    throw new Error(`An expression of ${policy} is of type ${type}, not ${wanted}.`);
}
