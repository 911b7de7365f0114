/** The policy of a source: schemas and rule sets with all they need, as one closed bundle with a digest. */
import { createHash } from "node:crypto";
import type { HarvestSourceSpec } from "../source/harvest-source.generated.js";
import { asFault } from "./fault.js";
import type { GatePolicy, PolicyFile } from "./gate/gate.js";
import { RuleSetRefused } from "./gate/schematron/refused.js";
import { loadRuleSet } from "./gate/schematron/load-rule-set.js";
import { compileXsdGate, SchemaRefused } from "./gate/xsd.js";
import { policyPath, readPolicyFiles } from "./policy-files.js";

export interface PolicyRequest {
  /** Folder that the paths are relative to; nothing outside it is read. */
  readonly root: string;
  readonly prefix: string;
  readonly xsd: readonly string[];
  readonly schematron: readonly string[];
  readonly phase?: string | undefined;
  readonly limits?: Partial<GatePolicy["limits"]> | undefined;
}

export interface LoadedPolicy {
  readonly policy: GatePolicy;
  /** SHA-256 in hex: equal digests judge equal bytes alike. */
  readonly digest: string;
}

/** Raise it when the gates judge differently without any policy file having changed. */
const GATE_VERSION = 1;

const LIMITS: GatePolicy["limits"] = {
  maxRecordBytes: 10 * 1024 * 1024,
  deadlineMs: 5000,
  maxViolations: 50,
};

/** What a manifest asks for, below this policy root; equal but for the root = the same policy. */
export function policyRequestOf(
  root: string,
  { metadataPrefix, validation, limits }: HarvestSourceSpec,
): PolicyRequest {
  return {
    root,
    prefix: metadataPrefix,
    xsd: listOf(validation.xsd),
    schematron: listOf(validation.schematron),
    phase: validation.phase,
    limits: { maxRecordBytes: limits.maxRecordBytes },
  };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? []);
}

/** Throws Fault `config`. Reads; compiling is the threads' work. */
export async function loadPolicy(request: PolicyRequest): Promise<LoadedPolicy> {
  const xsd = request.xsd.map(policyPath);
  const schematron = request.schematron.map(policyPath);
  const files = await readPolicyFiles(request.root, [...xsd, ...schematron]);
  const policy: GatePolicy = {
    prefix: request.prefix,
    xsd,
    schematron,
    ...(request.phase !== undefined && { phase: request.phase }),
    files,
    limits: { ...LIMITS, ...request.limits },
  };
  return { policy, digest: digestOf(policy) };
}

export type PolicyCheck =
  | { readonly kind: "usable" }
  /** `sentence` names file and line; `file` and `line` where it is known. */
  | { readonly kind: "unusable"; readonly sentence: string; readonly file?: string; readonly line?: number };

/** Compiles one entry for real, as a run would. For lint. */
export async function checkPolicyFile(
  root: string,
  path: string,
  kind: "xsd" | "schematron",
): Promise<PolicyCheck> {
  try {
    const entry = policyPath(path);
    const files = new Map((await readPolicyFiles(root, [entry])).map((file) => [file.path, file.bytes]));
    if (kind === "xsd") compileXsdGate([entry], files).dispose();
    else loadRuleSet({ entry, files }).dispose();
    return { kind: "usable" };
  } catch (thrown) {
    if (thrown instanceof RuleSetRefused || thrown instanceof SchemaRefused) {
      return { kind: "unusable", sentence: thrown.message, file: thrown.file, line: thrown.line };
    }
    return { kind: "unusable", sentence: asFault(thrown).detail.sentence };
  }
}

/** Over what decides a verdict: files by path, which of them are entries, in which phase and within which limits. */
function digestOf(policy: GatePolicy): string {
  const { prefix, xsd, schematron, phase, limits, files } = policy;
  const digest = createHash("sha256");
  digest.update(
    JSON.stringify({
      GATE_VERSION,
      prefix,
      xsd,
      schematron,
      phase: phase ?? null,
      limits: Object.entries(limits).sort(),
    }),
  );
  for (const file of files) digest.update(`\n${JSON.stringify(file.path)} ${contentDigest(file)}`);
  return digest.digest("hex");
}

function contentDigest(file: PolicyFile): string {
  return createHash("sha256").update(file.bytes).digest("hex");
}
