/** The policy of a source on one side, with a digest of each part, so that what is the same need not be judged twice. */
import { createHash } from "node:crypto";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { loadPolicy, type LoadedPolicy } from "../policy.js";
import { policyPath, readPolicyFiles } from "../policy-files.js";

export interface LoadedSide extends LoadedPolicy {
  /** Over the schemas, their order and everything they import. */
  readonly xsdDigest: string;
  /** Rule set → digest over it and everything it includes. */
  readonly ruleDigests: ReadonlyMap<string, string>;
}

/** Reads each policy once, however many sources share it. Its functions throw Fault `config`. */
export function sideLoader(root: string): (source: HarvestSource) => Promise<LoadedSide> {
  const loaded = new Map<string, Promise<LoadedSide>>();
  return ({ spec }) => {
    const { xsd, schematron, phase } = spec.validation;
    const { maxRecordBytes } = spec.limits;
    const key = JSON.stringify([spec.metadataPrefix, xsd, schematron, phase, maxRecordBytes]);
    const found = loaded.get(key) ?? load(root, spec);
    loaded.set(key, found);
    return found;
  };
}

async function load(root: string, spec: HarvestSource["spec"]): Promise<LoadedSide> {
  const xsd = listOf(spec.validation.xsd);
  const schematron = listOf(spec.validation.schematron);
  const policy = await loadPolicy({
    root,
    prefix: spec.metadataPrefix,
    xsd,
    schematron,
    phase: spec.validation.phase,
    limits: { maxRecordBytes: spec.limits.maxRecordBytes },
  });
  const ruleDigests = new Map<string, string>();
  for (const entry of schematron) ruleDigests.set(policyPath(entry), await digestOf(root, [entry]));
  return { ...policy, xsdDigest: await digestOf(root, xsd), ruleDigests };
}

async function digestOf(root: string, entries: readonly string[]): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(entries.map(policyPath)));
  for (const { path, bytes } of await readPolicyFiles(root, entries))
    digest.update(`\n${JSON.stringify(path)} ${createHash("sha256").update(bytes).digest("hex")}`);
  return digest.digest("hex");
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === "string" ? [value] : (value ?? []);
}
