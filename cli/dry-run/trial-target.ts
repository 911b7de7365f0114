/** What a dry run asks instead of, or as, the real endpoint. */
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import { redirectToSandbox } from "../dry-run-target.js";

export type TrialTarget = { readonly kind: "live" } | { readonly kind: "sandbox"; readonly url: string };

/** The manifest as it is tried. */
export function aimed(source: HarvestSource, target: TrialTarget): HarvestSource {
  return target.kind === "live" ? source : redirectToSandbox(source, target.url);
}
