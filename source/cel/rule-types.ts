/** The rules of the server as data: written by `npm run generate` from the CRD and the admission policies. */

/** One entry of x-kubernetes-validations. */
export interface CrdRule {
  /** What `self` is: the way to it from the root of the manifest; `[]` stands for every item of a list. */
  readonly scope: readonly string[];
  readonly rule: string;
  /** Word for word what the server says. */
  readonly message: string;
  readonly messageExpression?: string;
  /** The field the complaint is placed at: scope and fieldPath. */
  readonly at: readonly string[];
  /** It compares with the object before, so it is asked of a change alone. */
  readonly transition?: true;
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** One of spec.validations of a ValidatingAdmissionPolicy. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
}

/** A ValidatingAdmissionPolicy about HarvestSources, and what its binding adds. */
export interface AdmissionPolicy {
  readonly name: string;
  /** Fail = an expression that cannot be evaluated refuses; Ignore = it lets pass. */
  readonly failurePolicy: "Fail" | "Ignore";
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly Validation[];
  /** The ConfigMap it reads; without one, what becomes of the request. */
  readonly parameters?: { readonly name: string; readonly whenMissing: "Allow" | "Deny" };
  /** It asks who the writer is, which nobody knows before the merge: lint leaves it to the server. */
  readonly asksWriter: boolean;
}
