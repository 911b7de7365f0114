import { isScalar, visit, type Scalar } from "yaml";
import type { Finding } from "../finding.js";
import type { YamlDocument } from "../yaml/documents.js";

/** Words that are a text in YAML 1.2 and true or false in YAML 1.1, which kubectl and the Go world read. */
const YAML_1_1_BOOLEAN = /^(y|n|yes|no|on|off)$/i;
/** 0644 is 644 in YAML 1.2 and octal in YAML 1.1; 1_000 is a text in YAML 1.2 and a number in YAML 1.1. */
const YAML_1_1_NUMBER = /^[-+]?(0[0-9]+|0b[01_]+|[0-9]+(_[0-9]+)+)$/;

/**
 * Values and keys without quotes that mean one thing here and another in kubectl: what CI checked would not be what
 * runs. Returned as errors.
 */
export function ambiguousScalars({ document, map }: YamlDocument): readonly Finding[] {
  const findings: Finding[] = [];
  visit(document, {
    Scalar(_, node) {
      const finding = ambiguous(node);
      if (finding === undefined || !node.range) return;
      findings.push({ ...finding, severity: "error", place: map.place(node.range[0], node.range[1]) });
    },
  });
  return findings.slice(0, 25);
}

function ambiguous(node: Scalar): Pick<Finding, "rule" | "sentence" | "remedy"> | undefined {
  const written = node.source;
  if (!isScalar(node) || node.type !== "PLAIN" || written === undefined) return undefined;
  if (YAML_1_1_BOOLEAN.test(written))
    return {
      rule: "yaml/boolean-word",
      sentence: `${written} without quotes is a text here, but true or false for kubectl (YAML 1.1).`,
      remedy: `Write "${written}" for the text, or true or false.`,
    };
  if (YAML_1_1_NUMBER.test(written))
    return {
      rule: "yaml/ambiguous-number",
      sentence: `${written} without quotes is read differently by kubectl (YAML 1.1).`,
      remedy: "Write a plain decimal number without leading zeros or _, or put it in quotes.",
    };
  return undefined;
}
