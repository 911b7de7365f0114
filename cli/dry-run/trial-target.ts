/** What a dry run asks instead of, or as, the real endpoint. */
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { redirectToSandbox } from "../dry-run-target.js";

export type TrialTarget = { readonly kind: "live" } | { readonly kind: "sandbox"; readonly url: string };

/** The manifest as it is tried. */
export function aimed(source: HarvestSource, target: TrialTarget): HarvestSource {
  return target.kind === "live" ? source : redirectToSandbox(source, target.url);
}

/** As a review and a store in a cluster name it. */
export function trialKey({ metadata }: HarvestSource): string {
  const { name, namespace } = metadata;
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}
