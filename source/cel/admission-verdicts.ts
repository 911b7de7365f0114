/** ValidatingAdmissionPolicies, judged here as the API server judges them (admissionregistration.k8s.io/v1). */
import { manifestValue, objectValue } from "./cel-value.js";
import { compile, type Activation, type Outcome, type Program } from "./environment.js";
import type { AdmissionPolicy, Validation } from "./rule-types.js";

/** One request to the API server, as an admission policy sees it. */
export interface AdmissionRequest {
  /** With its defaults. */
  readonly object: object;
  /** Absent = it is created. */
  readonly oldObject?: object;
  /** The ConfigMap the policy reads; absent = there is none. */
  readonly params?: object;
  /** Who writes. Absent = unknown: a policy that asks cannot be evaluated then. */
  readonly userInfo?: { readonly username: string; readonly groups?: readonly string[] };
}

/** A validation the server would refuse this request for. */
export interface AdmissionVerdict {
  readonly policy: string;
  /** Position in spec.validations; absent when the policy refuses before it asks them. */
  readonly validation?: number;
  /** As the server says it, without what it writes before. */
  readonly message: string;
  /** Why an expression could not be evaluated, where that is the reason. */
  readonly error?: string;
}

export type AdmissionJudge = (request: AdmissionRequest) => readonly AdmissionVerdict[];

/** Compiles a policy once. Throws when one of its expressions is no CEL. */
export function admissionJudge(policy: AdmissionPolicy): AdmissionJudge {
  const conditions = policy.matchConditions.map(({ expression }) => compile(expression));
  const variables = policy.variables.map(({ name, expression }) => [name, compile(expression)] as const);
  const validations = policy.validations.map((each) => compileValidation(each));
  return (request) => {
    if (policy.parameters !== undefined && request.params === undefined) return withoutParameters(policy);
    const activation = activationOf(request, variables);
    const matched = matches(conditions, activation);
    if (matched.kind === "no") return [];
    if (matched.kind === "error") return ifFails(policy, { message: matched.error, error: matched.error });
    return validations.flatMap((each, validation) =>
      judge(policy, each, activation).map((verdict) => ({ ...verdict, validation })),
    );
  };
}

interface CompiledValidation {
  readonly expression: string;
  readonly holds: Program;
  readonly message: string | undefined;
  readonly messageOf: Program | undefined;
}

function compileValidation({ expression, message, messageExpression }: Validation): CompiledValidation {
  const messageOf = messageExpression === undefined ? undefined : compile(messageExpression);
  return { expression, holds: compile(expression), message, messageOf };
}

function withoutParameters(policy: AdmissionPolicy): readonly AdmissionVerdict[] {
  if (policy.parameters?.whenMissing !== "Deny") return [];
  return ifFails(policy, { message: `no ConfigMap ${policy.parameters.name} found` });
}

function ifFails(
  policy: AdmissionPolicy,
  told: { readonly message: string; readonly error?: string },
): readonly AdmissionVerdict[] {
  return policy.failurePolicy === "Fail" ? [{ policy: policy.name, ...told }] : [];
}

type Matched =
  { readonly kind: "yes" } | { readonly kind: "no" } | { readonly kind: "error"; readonly error: string };

/** One condition that is false is enough not to ask, whatever becomes of the others. */
function matches(conditions: readonly Program[], activation: Activation): Matched {
  const outcomes = conditions.map((condition) => condition(activation));
  if (outcomes.some((outcome) => outcome.ok && outcome.value !== true)) return { kind: "no" };
  const failed = outcomes.find((outcome) => !outcome.ok);
  return failed === undefined ? { kind: "yes" } : { kind: "error", error: errorOf(failed) };
}

function judge(
  policy: AdmissionPolicy,
  { expression, holds, message, messageOf }: CompiledValidation,
  activation: Activation,
): readonly AdmissionVerdict[] {
  const outcome = holds(activation);
  if (outcome.ok && outcome.value === true) return [];
  if (!outcome.ok) {
    const error = `expression '${expression}' resulted in error: ${outcome.error}`;
    return ifFails(policy, { message: error, error: outcome.error });
  }
  const written = sentenceOf(messageOf, activation);
  return [{ policy: policy.name, message: written ?? message ?? `failed expression: ${expression}` }];
}

/** The server falls back to the fixed message when an expression gives nothing, or more than a line. */
function sentenceOf(messageOf: Program | undefined, activation: Activation): string | undefined {
  const outcome = messageOf?.(activation);
  if (outcome?.ok !== true || typeof outcome.value !== "string") return undefined;
  const sentence = outcome.value.trim();
  return sentence === "" || sentence.includes("\n") ? undefined : sentence;
}

/** Variables are evaluated when they are asked for, at most once a request, and may ask those before them. */
function activationOf(
  request: AdmissionRequest,
  variables: readonly (readonly [string, Program])[],
): Activation {
  const { object, oldObject, params, userInfo } = request;
  const lazy: Record<string, unknown> = {};
  const activation: Activation = {
    object: manifestValue(object),
    oldObject: oldObject === undefined ? null : manifestValue(oldObject),
    params: params === undefined ? null : objectValue(params),
    request: { operation: oldObject === undefined ? "CREATE" : "UPDATE", ...(userInfo && { userInfo }) },
    variables: lazy,
  };
  for (const [name, program] of variables)
    Object.defineProperty(lazy, name, { enumerable: true, get: once(() => program(activation)) });
  return activation;
}

function once(evaluate: () => Outcome): () => unknown {
  let known: Outcome | undefined;
  return () => {
    known ??= evaluate();
    if (known.ok) return known.value;
    throw new Error(known.error);
  };
}

function errorOf(outcome: Outcome): string {
  return outcome.ok ? "" : outcome.error;
}
