import type { FairUse } from "../fair-use.js";
import type { Finding } from "../finding.js";
import type { LocatedSource } from "../located-source.js";

/** One side of a review: everything that decides what is harvested and how, as it stands in a commit or a folder. */
export interface PolicyTree {
  /** As people name it: "3f2a91c", "working tree", "folder policy". */
  readonly label: string;
  /** Manifests without a finding of severity error in their text, in the order of file and place. */
  readonly sources: readonly LocatedSource[];
  /** Everything lint says of this side. */
  readonly findings: readonly Finding[];
  /** Absent = there is no file of ceilings, or it cannot be used. */
  readonly fairUse?: FairUse;
  /** Every file of rules/ and schemas/, and what sources name beyond them: path from the policy root → SHA-256 in hex. */
  readonly policyFiles: ReadonlyMap<string, string>;
  /** Entry (as a source names it) → itself and every file it reads: imports, includes. Missing files are left out. */
  readonly closures: ReadonlyMap<string, readonly string[]>;
  /** Text of each file that holds manifests, by the path findings use. */
  readonly texts: ReadonlyMap<string, string>;
  /** Who must approve a change of this file (CODEOWNERS); empty = nobody is named. */
  ownersOf(file: string): readonly string[];
}
