import type { PolicyCheck, PolicyFileKind } from "../../source/lint/lint-rule.js";
import type { PolicyReference } from "../../source/lint/policy-files.js";
import { compilePolicyFile, missingPolicyFile } from "../lint-context.js";
import type { PolicyFiles } from "./policy-files.js";
import { digestOf, type Reuse } from "./reuse.js";

export interface CheckWish {
  readonly files: PolicyFiles;
  readonly references: readonly PolicyReference[];
  readonly reuse: Reuse;
  /** Where the files lie (layOut). */
  readonly folder: string;
}

type Checks = (path: string, kind: PolicyFileKind) => PolicyCheck;

/** Compiles what manifests name as a run would, but nothing twice whose files are the same as on the other side. */
export async function checkPolicy({ files, references, reuse, folder }: CheckWish): Promise<Checks> {
  const checks = new Map<string, PolicyCheck>();
  for (const { file, kind } of references) {
    const key = `${kind} ${file}`;
    if (checks.has(key)) continue;
    const content = contentKey(key, files.closures.get(file) ?? [], files);
    let check = reuse.checks.get(content);
    if (check === undefined) {
      check = await compile(folder, { file, kind, there: (files.closures.get(file) ?? []).length > 0 });
      reuse.checks.set(content, check);
    }
    checks.set(key, check);
  }
  return (path, kind) => checks.get(`${kind} ${path}`) ?? { ok: true };
}

function contentKey(key: string, closure: readonly string[], { digests }: PolicyFiles): string {
  return digestOf(JSON.stringify([key, closure.map((path) => [path, digests.get(path)])]));
}

interface Entry {
  readonly file: string;
  readonly kind: PolicyFileKind;
  readonly there: boolean;
}

async function compile(folder: string, { file, kind, there }: Entry): Promise<PolicyCheck> {
  if (!there && !leavesTheRoot(file)) return missingPolicyFile(file, kind, "the policy root");
  return compilePolicyFile(folder, file, kind);
}

/** Such a path is told by the loader, with its reason. */
function leavesTheRoot(file: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^[/\\]|(^|[/\\])\.\.([/\\]|$)/i.test(file);
}
