/** What lint calls the validations of the shipped admission policies, and the field each of them is about. */
export interface AdmissionId {
  readonly rule: string;
  readonly path: readonly string[];
}

/** By policy, in the order of spec.validations; a test finds the validation that has none. A message holds its own remedy. */
export const admissionIds: Readonly<Record<string, readonly AdmissionId[]>> = {
  "harvest-fair-use": [
    { rule: "fair-use/unreadable", path: ["spec", "baseUrl"] },
    { rule: "fair-use/over-ceiling", path: ["spec", "concurrency", "maxRequests"] },
  ],
};
