import { compareFindings, type Finding } from "../../source/finding.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { crossFieldFindings } from "../../source/lint/cross-field.js";
import { parseManifests } from "../../source/parse.js";
import { gitInRepository, type Checkout } from "./checkout.js";
import { GitFault } from "./git-fault.js";
import { judgeTree, MAX_TOTAL_BYTES, type JudgedTree } from "./judge-tree.js";
import { parseBlobs, parseTree } from "./tree.js";

/** A manifest of the revision, and where it stands. */
export interface GitManifest {
  readonly source: HarvestSource;
  /** From the root of the repository. */
  readonly file: string;
  readonly line: number;
}

export type ReadRevision =
  | { readonly kind: "read"; readonly manifests: readonly GitManifest[] }
  /** One bad file refuses the revision: half of it is not what was reviewed. */
  | { readonly kind: "refused"; readonly findings: readonly Finding[] };

const MAX_TREE_BYTES = 16 * 1024 * 1024;
const MAX_FINDINGS = 25;

/** All manifests below `path` of a revision. Throws GitFault when git itself fails. */
export async function readRevision(
  checkout: Checkout,
  path: string,
  signal: AbortSignal,
): Promise<ReadRevision> {
  const judged = await readTree(checkout, path, signal);
  if (judged.findings.length > 0) return { kind: "refused", findings: judged.findings };
  const blobs = await readBlobs(checkout, judged, signal);
  const read = judged.files.map(({ path: file }, i) => readFile(file, blobs[i] ?? new Uint8Array()));
  const findings = read.flatMap((one) => one.findings).sort(compareFindings);
  if (findings.length > 0) return { kind: "refused", findings: findings.slice(0, MAX_FINDINGS) };
  return { kind: "read", manifests: read.flatMap(({ manifests }) => manifests) };
}

async function readTree(checkout: Checkout, path: string, signal: AbortSignal): Promise<JudgedTree> {
  const folder = path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  const args = ["ls-tree", "-r", "-z", "--long", "--full-tree", checkout.commit];
  const end = await gitInRepository(
    { repository: checkout.repository, signal },
    folder === "" ? args : [...args, "--", `${folder}/`],
    { maxOutputBytes: MAX_TREE_BYTES },
  );
  if (end.code !== 0)
    throw new GitFault("failed", `The files of commit ${checkout.commit} could not be listed.`);
  return judgeTree(parseTree(end.stdout));
}

async function readBlobs(
  checkout: Checkout,
  { files }: JudgedTree,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  if (files.length === 0) return [];
  const end = await gitInRepository({ repository: checkout.repository, signal }, ["cat-file", "--batch"], {
    input: files.map(({ object }) => `${object}\n`).join(""),
    maxOutputBytes: MAX_TOTAL_BYTES + files.length * 256,
  });
  const blobs = end.code === 0 ? parseBlobs(end.stdout, files.length) : undefined;
  if (blobs === undefined)
    throw new GitFault("failed", `The files of commit ${checkout.commit} could not be read.`);
  return blobs;
}

/** Errors, and documents of other kinds: what lies here is applied, so nothing here may be something else. */
function readFile(
  file: string,
  bytes: Uint8Array,
): { readonly manifests: readonly GitManifest[]; readonly findings: readonly Finding[] } {
  const { sources, findings } = parseManifests(bytes, { file, named: true });
  const refused = [...findings, ...sources.flatMap(crossFieldFindings)].filter(
    ({ severity, rule }) => severity === "error" || rule === "manifest/other-kind",
  );
  const manifests = sources.map((located) => ({
    source: located.source,
    file,
    line: located.place(["metadata", "name"]).line,
  }));
  return { manifests, findings: refused.map((finding) => ({ ...finding, severity: "error" as const })) };
}
