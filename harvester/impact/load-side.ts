/** The policy of a source on one side, with a digest of each part, so that what is the same need not be judged twice. */
import { createHash } from "node:crypto";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { loadPolicy, policyRequestOf, type LoadedPolicy, type PolicyRequest } from "../policy.js";
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
    const request = policyRequestOf(root, spec);
    const key = JSON.stringify(request);
    const found = loaded.get(key) ?? load(request);
    loaded.set(key, found);
    return found;
  };
}

async function load(request: PolicyRequest): Promise<LoadedSide> {
  const { root, xsd, schematron } = request;
  const policy = await loadPolicy(request);
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
