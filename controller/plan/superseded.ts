import { labels } from "../names.js";
import { keyOf } from "../object.js";
import type { Observed } from "../observed.js";
import { resources } from "../resources.js";
import type { Step } from "./step.js";

/** ConfigMaps of earlier specs that nothing needs any more: no run is on its way, and no drift is compared with them. */
export function planSuperseded(
  { configMaps }: Observed,
  kept: { readonly names: readonly (string | undefined)[]; readonly activeRuns: number },
): readonly Step[] {
  if (kept.activeRuns > 0) return [];
  return configMaps
    .filter(({ metadata }) => metadata.labels?.[labels.role] === "spec")
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && !kept.names.includes(metadata.name))
    .flatMap((object): readonly Step[] => {
      const { uid } = object.metadata;
      if (uid === undefined) return [];
      return [
        { kind: "delete", resource: resources.configMap, key: keyOf(object), uid, why: "superseded spec" },
      ];
    });
}
