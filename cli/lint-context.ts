import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { Fault } from "../harvester/fault.js";
import { fairUsePath, parseFairUse, type FairUse } from "../source/fair-use.js";
import type { Finding } from "../source/finding.js";
import type { LintContext, PolicyCheck, PolicyFileKind } from "../source/lint/lint-rule.js";
import { policyReferences } from "../source/lint/policy-files.js";
import type { LocatedSource } from "../source/located-source.js";
import { prefixes } from "../source/prefixes.js";

export interface Gathered {
  readonly context: LintContext;
  /** What is wrong with the policy itself. */
  readonly findings: readonly Finding[];
  /** Files that findings may point to, by the name used in them. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface GatherOptions {
  readonly now: Date;
  /** True: policy files are only looked for. Compiling them takes longer than all the rest. Default false. */
  readonly quick?: boolean;
}

/** Everything the rules need to know of the world: each policy file named by a source is loaded once, as a run would. */
export async function gatherLintContext(
  root: string,
  sources: readonly LocatedSource[],
  { now, quick = false }: GatherOptions,
): Promise<Gathered> {
  const ceilings = await readFairUse(root);
  const checks = await checkPolicyFiles(root, sources, quick ? foundIsEnough : checkOne);
  const context: LintContext = {
    ...(ceilings.fairUse === undefined ? {} : { fairUse: ceilings.fairUse }),
    prefixes,
    checkPolicyFile: (path, kind) => checks.get(keyOf(path, kind)) ?? { ok: true },
    now,
  };
  return { context, findings: ceilings.findings, texts: ceilings.texts };
}

interface ReadCeilings {
  readonly fairUse?: FairUse;
  readonly findings: readonly Finding[];
  readonly texts: ReadonlyMap<string, string>;
}

/** The ceilings of the policy root. A root without the file is a policy without ceilings: told as a warning. */
export async function readFairUse(root: string): Promise<ReadCeilings> {
  // Named as somebody would open it: without the root when that is where they stand.
  const shown = posix.join(root, fairUsePath);
  const bytes = await readFile(join(root, fairUsePath)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Fault("config", {
      code: "PathUnreadable",
      sentence: `${shown} could not be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`,
      remedy: "Check --root and the rights on the file.",
      cause: error,
    });
  });
  if (bytes === undefined) return { findings: [noCeilings(shown)], texts: new Map() };
  return { ...parseFairUse(bytes, shown), texts: new Map([[shown, bytes.toString("utf8")]]) };
}

/** A policy root without the file of ceilings; `file` = where it was looked for. */
export function noCeilings(file: string): Finding {
  return {
    rule: "fair-use/no-file",
    severity: "warning",
    place: { file, line: 1, column: 1, length: 1 },
    sentence: "There is no file of ceilings, so nothing says how much an agency allows.",
    remedy: `Write ${fairUsePath} (docs/lint-rules.md shows one), or name the policy root with --root.`,
  };
}

type Check = (root: string, file: string, kind: PolicyFileKind) => Promise<PolicyCheck>;

async function checkPolicyFiles(
  root: string,
  sources: readonly LocatedSource[],
  check: Check,
): Promise<ReadonlyMap<string, PolicyCheck>> {
  const checks = new Map<string, PolicyCheck>();
  for (const located of sources)
    for (const { file, kind } of policyReferences(located)) {
      const key = keyOf(file, kind);
      if (!checks.has(key)) checks.set(key, await check(root, file, kind));
    }
  return checks;
}

async function foundIsEnough(root: string, file: string, kind: PolicyFileKind): Promise<PolicyCheck> {
  const exists = await readFile(join(root, file)).then(
    () => true,
    (error: unknown) => (error as NodeJS.ErrnoException).code !== "ENOENT",
  );
  return exists ? { ok: true } : missingPolicyFile(file, kind, root === "." ? "the current directory" : root);
}

async function checkOne(root: string, file: string, kind: PolicyFileKind): Promise<PolicyCheck> {
  const found = await foundIsEnough(root, file, kind);
  return found.ok ? compilePolicyFile(root, file, kind) : found;
}

/** Loads one entry for real, as a run would. */
export async function compilePolicyFile(
  root: string,
  file: string,
  kind: PolicyFileKind,
): Promise<PolicyCheck> {
  // Loaded only where it is needed: the XML engine takes longer to start than an editor will wait.
  const { checkPolicyFile } = await import("../harvester/policy.js");
  const check = await checkPolicyFile(root, file, kind);
  if (check.kind === "usable") return { ok: true };
  const what = kind === "xsd" ? "XML schema" : "Schematron rule set";
  return {
    ok: false,
    problem: "broken",
    sentence: `${file} cannot be used as ${what}: ${check.sentence}`,
    remedy: "Correct that file, or name another one.",
  };
}

/** `where` as it stands in a sentence: "the policy root". */
export function missingPolicyFile(file: string, kind: PolicyFileKind, where: string): PolicyCheck {
  return {
    ok: false,
    problem: "missing",
    sentence: `There is no ${kind === "xsd" ? "schema" : "rule set"} ${file} in ${where}.`,
    remedy: "Paths are relative to the policy root: correct the path, or name the root with --root.",
  };
}

function keyOf(path: string, kind: PolicyFileKind): string {
  return `${kind} ${path}`;
}
