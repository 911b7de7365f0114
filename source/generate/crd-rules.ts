/** x-kubernetes-validations of the CRD as data, each of them checked for its types. */
import { celTypeOf, checkedType, type TypedNode } from "../cel/check-types.js";
import type { CrdRule } from "../cel/rule-types.js";
import type { Crd, CrdNode, CrdValidation } from "./crd-node.js";

/** Every rule of the stored version, from the root down. Throws for what source/cel cannot judge. */
export function crdRulesOf(crd: Crd): readonly CrdRule[] {
  const version = crd.spec.versions.find((each) => each.storage);
  if (version === undefined) throw new Error("The CRD has no stored version.");
  return rulesBelow(version.schema.openAPIV3Schema, []);
}

function rulesBelow(node: CrdNode, scope: readonly string[]): readonly CrdRule[] {
  const own = (node["x-kubernetes-validations"] ?? []).map((rule) => ruleOf(rule, node, scope));
  const fields = Object.entries(node.properties ?? {});
  const below = fields.flatMap(([name, child]) => rulesBelow(child, [...scope, name]));
  return [...own, ...below, ...(node.items === undefined ? [] : rulesBelow(node.items, [...scope, "[]"]))];
}

function ruleOf(written: CrdValidation, node: CrdNode, scope: readonly string[]): CrdRule {
  const { rule, message, messageExpression, fieldPath = "" } = written;
  const where = `The rule ${rule} at ${scope.join(".") || "the root"}`;
  if (message === undefined) throw new Error(`${where} has no message.`);
  const transition = /\boldSelf\b/.test(rule);
  const refusal = whatIsNotJudged(written, transition && scope.includes("[]"));
  if (refusal !== undefined) throw new Error(`${where} ${refusal}.`);
  const self = celTypeOf(node as TypedNode);
  expectType(checkedType(rule, { self, oldSelf: self }), "bool", where);
  if (messageExpression !== undefined)
    expectType(checkedType(messageExpression, { self, oldSelf: self }), "string", where);
  return {
    scope,
    rule,
    message,
    ...(messageExpression !== undefined && { messageExpression }),
    at: [...scope, ...fieldPath.split(".").slice(1)],
    ...(transition && { transition }),
  };
}

function whatIsNotJudged(
  { optionalOldSelf, fieldPath = "" }: CrdValidation,
  comparesItems: boolean,
): string | undefined {
  if (optionalOldSelf === true) return "has optionalOldSelf: teach source/cel";
  if (comparesItems) return "compares items of a list: teach source/cel which item was which";
  if (!/^(\.[A-Za-z_][A-Za-z0-9_]*)*$/.test(fieldPath))
    return "has a fieldPath that is no list of names: teach source/generate";
  return undefined;
}

function expectType(type: string, wanted: string, where: string): void {
  if (type !== wanted && type !== "dyn") throw new Error(`${where} is of type ${type}, not ${wanted}.`);
}
