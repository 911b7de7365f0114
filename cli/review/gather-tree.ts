import { posix } from "node:path";
import { prefixes } from "../../harvester/transform/index.js";
import { fairUsePath, parseFairUse, type FairUse } from "../../source/fair-use.js";
import { compareFindings, type Finding } from "../../source/finding.js";
import { lint } from "../../source/lint/index.js";
import { policyReferences } from "../../source/lint/policy-files.js";
import { applySuppressions } from "../../source/lint/suppression.js";
import type { LocatedSource } from "../../source/located-source.js";
import type { PolicyTree } from "../../source/review/policy-tree.js";
import { noCeilings } from "../lint-context.js";
import { checkPolicy } from "./check-policy.js";
import { codeownersPlaces, maxCodeownersBytes, parseCodeowners } from "./codeowners.js";
import type { PolicyPaths } from "./pick-files.js";
import { readManifests } from "./read-manifests.js";
import { layOut, readPolicy, type PolicyFiles } from "./policy-files.js";
import type { Reuse } from "./reuse.js";
import type { Side } from "./side.js";

export interface GatherWish {
  readonly side: Side;
  readonly paths: PolicyPaths;
  readonly now: Date;
  /** The same for both sides. */
  readonly reuse: Reuse;
  /** Made, in a folder of nobody else (cli/review/private-folder.ts), to hold the policy files as a run would find them. */
  readonly folder: string;
}

/** Everything a review asks of one side. Throws Fault `config` when the side cannot be read. */
export async function gatherTree(wish: GatherWish): Promise<PolicyTree> {
  const { side, paths, now, reuse } = wish;
  const { sources, findings, texts } = await readManifests(side, paths, reuse);
  const references = sources.flatMap((located) => policyReferences(located));
  const entries = references.map(({ file }) => file);
  const files = await readPolicy({ side, root: paths.root, entries, reuse });
  await layOut(files, wish.folder);
  const checkPolicyFile = await checkPolicy({ files, references, reuse, folder: wish.folder });
  const ceilings = fairUseOf(files, paths.root);
  const context = { ...ofFairUse(ceilings.fairUse), prefixes, checkPolicyFile, now };
  const all = [...findings, ...ceilings.findings, ...lint(sources, context)];
  const judged = applySuppressions({ sources, findings: all, texts, now });
  return {
    label: side.label,
    sources,
    findings: [...judged.findings].sort(compareFindings),
    ...ofFairUse(ceilings.fairUse),
    policyFiles: files.digests,
    closures: files.closures,
    texts: quotable(texts, { sources, findings }),
    ownersOf: await ownersOf(side),
  };
}

function ofFairUse(fairUse: FairUse | undefined): { readonly fairUse?: FairUse } {
  return fairUse === undefined ? {} : { fairUse };
}

function fairUseOf(
  { contents }: PolicyFiles,
  root: string,
): { readonly fairUse?: FairUse; readonly findings: readonly Finding[] } {
  const file = posix.join(root, fairUsePath);
  const bytes = contents.get(fairUsePath);
  return bytes === undefined ? { findings: [noCeilings(file)] } : parseFairUse(bytes, file);
}

/** Other files are nobody's business. */
function quotable(
  texts: ReadonlyMap<string, string>,
  {
    sources,
    findings,
  }: { readonly sources: readonly LocatedSource[]; readonly findings: readonly Finding[] },
): ReadonlyMap<string, string> {
  const files = new Set([...sources.map(({ file }) => file), ...findings.map(({ place }) => place.file)]);
  return new Map([...texts].filter(([file]) => files.has(file)));
}

async function ownersOf(side: Side): Promise<PolicyTree["ownersOf"]> {
  const place = codeownersPlaces.find((path) => side.files.has(path));
  if (place === undefined) return () => [];
  const bytes = (await side.read([place], maxCodeownersBytes)).get(place);
  if (bytes === undefined || bytes.length > maxCodeownersBytes) return () => [];
  return parseCodeowners(new TextDecoder().decode(bytes));
}
