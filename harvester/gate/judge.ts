/**
 * All gates over one payload, in order: before XML, well-formed, canonical and checksum, XSD, Schematron, transform.
 * The first gate with an error ends it. Runs where the engine is: in a gate thread, or in the process for a few files.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { CanonicalRecord } from "../canonical.js";
import { type Verdict, type Violation } from "../record.js";
import { canonicalize } from "../xml/canonicalize.js";
import { parseXml, type ParsedDocument } from "../xml/parse.js";
import { preGate } from "../xml/pre-gate.js";
import { type GateJob, type GatePolicy } from "./gate.js";
import { loadRuleSet } from "./schematron/load-rule-set.js";
import { type RuleSet } from "./schematron/rule-set.js";
import { notWellFormed } from "./well-formed.js";
import { compileXsdGate, type XsdGate } from "./xsd.js";

/** The transform stage, handed in: stages do not import one another. `canonicalXml`: exclusive C14N, no blanks between elements. */
export type Transform = (
  prefix: string,
  canonicalXml: Uint8Array,
) =>
  | { readonly kind: "mapped"; readonly canonical: CanonicalRecord; readonly remarks: readonly Violation[] }
  | { readonly kind: "unmappable"; readonly violation: Violation };

export interface Judge {
  /** Throws EnginePoisoned when the engine died: the thread must be replaced. */
  judge(job: GateJob): Verdict;
  dispose(): void;
}

interface Gatehouse {
  readonly policy: GatePolicy;
  readonly xsd: XsdGate;
  readonly ruleSets: readonly RuleSet[];
  readonly transform: Transform;
}

/** Compiles everything once. Throws SchemaRefused or RuleSetRefused. */
export function createJudge(policy: GatePolicy, transform: Transform): Judge {
  const files = new Map(policy.files.map((file) => [file.path, file.bytes]));
  const xsd = compileXsdGate(policy.xsd, files);
  const ruleSets = policy.schematron.map((entry) =>
    loadRuleSet({ entry, files, ...(policy.phase !== undefined && { phase: policy.phase }) }),
  );
  const house: Gatehouse = { policy, xsd, ruleSets, transform };
  return {
    judge: (job) => judge(job, house),
    dispose: () => {
      xsd.dispose();
      for (const ruleSet of ruleSets) ruleSet.dispose();
    },
  };
}

function judge(job: GateJob, house: Gatehouse): Verdict {
  const ready = preGate(job.body, house.policy.limits.maxRecordBytes);
  if (ready.kind === "refused") return refused([ready.violation]);
  const parsed = parseXml(ready.utf8);
  if (parsed.kind === "broken") return refused(notWellFormed(parsed.problems, ready.linesBefore));
  try {
    return judgeDocument(parsed.document, { ...ready, job, house });
  } finally {
    parsed.document.dispose();
  }
}

interface Delivery {
  readonly utf8: Uint8Array;
  readonly linesBefore: number;
  readonly job: GateJob;
  readonly house: Gatehouse;
}

function judgeDocument(document: ParsedDocument, delivery: Delivery): Verdict {
  const { job, house } = delivery;
  const content = contentOf(document, delivery.utf8);
  if (job.knownChecksum !== undefined && content.checksum.equals(job.knownChecksum)) {
    return { kind: "unchanged", checksum: content.checksum };
  }
  const violations = gateViolations(document, house).map((violation) =>
    shifted(violation, delivery.linesBefore),
  );
  if (violations.some(isError)) return refused(violations);
  const transformed = house.transform(house.policy.prefix, content.bytes);
  if (transformed.kind === "unmappable") return refused([transformed.violation, ...violations]);
  return {
    kind: "pass",
    checksum: content.checksum,
    canonical: transformed.canonical,
    packed: gzipSync(job.body, { level: 1 }),
    remarks: [...content.remarks, ...violations, ...transformed.remarks],
  };
}

/** Stops at the first gate with an error: what comes after it would be guesswork on a broken record. */
function gateViolations(document: ParsedDocument, house: Gatehouse): readonly Violation[] {
  const limit = house.policy.limits.maxViolations;
  const found = [...house.xsd.check(document, limit)];
  for (const ruleSet of found.some(isError) ? [] : house.ruleSets) {
    if (found.length < limit) found.push(...ruleSet.check(document, limit - found.length));
  }
  return found;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly checksum: Buffer;
  readonly remarks: readonly Violation[];
}

/** Where C14N is not defined the payload itself is hashed, behind a marker, so that the two kinds can never be equal. */
function contentOf(document: ParsedDocument, utf8: Uint8Array): Content {
  const canonical = canonicalize(document, utf8);
  if (canonical !== undefined) {
    return { bytes: canonical, checksum: createHash("sha256").update(canonical).digest(), remarks: [] };
  }
  return {
    bytes: utf8,
    checksum: createHash("sha256").update("raw\0").update(utf8).digest(),
    remarks: [NOT_CANONICAL],
  };
}

const NOT_CANONICAL: Violation = {
  gate: "well-formed",
  rule: "relative-namespace",
  severity: "info",
  message:
    "The record has a namespace name that is not an absolute URI, so its bytes are compared instead of its content.",
};

function shifted(violation: Violation, lines: number): Violation {
  return violation.line === undefined || lines === 0
    ? violation
    : { ...violation, line: violation.line + lines };
}

function isError(violation: Violation): boolean {
  return violation.severity === "error";
}

/** The deciding violation first. */
function refused(violations: readonly Violation[]): Verdict {
  return {
    kind: "refused",
    violations: [...violations].sort((a, b) => Number(isError(b)) - Number(isError(a))),
  };
}
