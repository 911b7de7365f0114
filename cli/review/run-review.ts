import { join } from "node:path";
import { Fault } from "../../harvester/fault.js";
import type { PolicyTree } from "../../source/review/policy-tree.js";
import type { ReviewFacts } from "../../source/review/facts.js";
import type { Review } from "../../source/review/review.js";
import { reviewChange } from "../../source/review/review-change.js";
import { chooseSides, type Sides, type SidesWish } from "./choose-sides.js";
import { folderSide } from "./folder-side.js";
import { gatherTree } from "./gather-tree.js";
import { passedOverIn, refuseNowhere } from "./pick-files.js";
import { withPrivateFolder } from "./private-folder.js";
import { emptyReuse } from "./reuse.js";

/** Both sides as a review looks at them. */
export interface Trees {
  readonly base: PolicyTree;
  readonly head: PolicyTree;
}

/** A review, with what formats show beside it. */
export interface Reviewed extends Trees {
  readonly review: Review;
  /** How the base was chosen, where a reader must know it. */
  readonly note?: string;
}

export interface KnownFacts {
  readonly facts: ReviewFacts;
  /** What was asked and could not be known, a sentence each. */
  readonly unknowns: readonly string[];
}

/** Asks stores and clusters; both trees are at hand. */
export type FactsOf = (trees: Trees, roots: PolicyRoots) => Promise<KnownFacts>;

/** Folders with the policy files of each side, as long as facts are gathered. */
export interface PolicyRoots {
  readonly base: string;
  readonly head: string;
}

export interface ReviewWish extends SidesWish {
  /** The present: for a head that is no commit. */
  readonly now: Date;
  readonly factsOf: FactsOf;
}

/** Reviews what `head` changes in `base`. A commit is looked at from the moment it was made. Throws Fault. */
export async function runReview(wish: ReviewWish): Promise<Reviewed> {
  const sides = await chooseSides(wish);
  return reviewSides(sides, { now: sides.headTime ?? wish.now, factsOf: wish.factsOf });
}

export interface FolderReview {
  readonly base: string;
  readonly head: string;
  readonly now: Date;
  readonly facts?: ReviewFacts;
  /** Names of the sides; else "base" and "head". */
  readonly labels?: { readonly base: string; readonly head: string };
}

/** One review from two folders, each a policy root with its manifests anywhere below. Throws Fault. */
export async function reviewFolders({ base, head, now, facts, labels }: FolderReview): Promise<Reviewed> {
  const sides: Sides = {
    base: await folderSide(base, { label: labels?.base ?? "base", prefix: "" }),
    head: await folderSide(head, { label: labels?.head ?? "head", prefix: "" }),
    paths: { manifests: [""], byDefault: true, root: "" },
  };
  const known = { facts: facts ?? {}, unknowns: [] };
  return reviewSides(sides, { now, factsOf: () => Promise.resolve(known) });
}

async function reviewSides(
  sides: Sides,
  { now, factsOf }: { readonly now: Date; readonly factsOf: FactsOf },
): Promise<Reviewed> {
  const { note, paths } = sides;
  refuseNowhere(paths, [sides.base, sides.head]);
  const { trees, known } = await withPrivateFolder(async (folder) => {
    const roots = { base: join(folder, "base"), head: join(folder, "head") };
    const found = await gatherBoth(sides, { now, roots });
    refuseNothing(found);
    return { trees: found, known: await factsOf(found, roots) };
  });
  const review = reviewChange(trees.base, trees.head, { now, facts: known.facts });
  const unknowns = [...review.unknowns, ...known.unknowns, ...notRead(sides)];
  return { ...trees, review: { ...review, unknowns }, ...(note === undefined ? {} : { note }) };
}

/** Throws Fault `config`: a review of nothing would look like a clean one. */
function refuseNothing({ base, head }: Trees): void {
  if (base.texts.size + head.texts.size > 0) return;
  throw new Fault("config", {
    code: "NoSource",
    sentence: "There is no HarvestSource on either side.",
    remedy: "Name the folder that holds the manifests, or the policy root with --root.",
  });
}

async function gatherBoth(
  { base, head, paths }: Sides,
  { now, roots }: { readonly now: Date; readonly roots: PolicyRoots },
): Promise<Trees> {
  const reuse = emptyReuse();
  return {
    base: await gatherTree({ side: base, paths, now, reuse, folder: roots.base }),
    head: await gatherTree({ side: head, paths, now, reuse, folder: roots.head }),
  };
}

/** More than these are counted. */
const NAMED = 3;

function notRead({ head, paths }: Sides): readonly string[] {
  const found = passedOverIn(head, paths);
  if (found.length === 0) return [];
  const more = found.length > NAMED ? ` and ${String(found.length - NAMED)} more` : "";
  const names = found.slice(0, NAMED).map((path) => JSON.stringify(path));
  return [`Links and submodules are not read: ${names.join(", ")}${more}.`];
}
