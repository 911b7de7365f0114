/** What of a refusal is kept: bounded, because the record that caused it is hostile until proven otherwise. */
import type { Violation } from "../record.js";
import { storableText } from "./storable.js";

const maxViolations = 100;
const maxText = 4000;

/** The violation that decides: the first of severity error, else the first. */
export function firstError(violations: readonly Violation[]): Violation {
  const first = violations.find((one) => one.severity === "error") ?? violations[0];
  return trimmed(
    first ?? { gate: "engine", rule: "unstated", severity: "error", message: "Refused without a reason." },
  );
}

export function keptViolations(violations: readonly Violation[]): readonly Violation[] {
  return violations.slice(0, maxViolations).map(trimmed);
}

function trimmed(violation: Violation): Violation {
  const { xpath } = violation;
  return {
    ...violation,
    message: cut(violation.message),
    ...(xpath === undefined ? {} : { xpath: cut(xpath) }),
  };
}

function cut(text: string): string {
  return storableText(text.length > maxText ? `${text.slice(0, maxText)}…` : text);
}
