import { plural } from "./figures.js";
import type { ReviewInput } from "./review-input.js";

/** What this review could not know, a sentence each. */
export function unknownsOf({ base, head, facts }: ReviewInput): readonly string[] {
  const said: string[] = [];
  if (facts.store === undefined)
    said.push(
      "No store was asked: how many records, requests and seconds a change costs is not known; at least 2 requests a run are counted.",
    );
  if (facts.live === undefined)
    said.push("No cluster was asked: hand edits that a merge would overwrite are not known.");
  const broken = base.findings.filter(({ severity }) => severity === "error").length;
  if (broken > 0)
    said.push(
      `The base (${base.label}) has ${plural(broken, "error")}: sources that could not be read there count as new.`,
    );
  if (head.fairUse === undefined)
    said.push("The head has no usable file of ceilings: whether a host allows this is not known.");
  return said;
}
