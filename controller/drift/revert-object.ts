import { gitManager } from "../names.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { JsonObject, KubeObject, LiveSource } from "../object.js";
import { childSet } from "./field-set.js";
import { applyEntry } from "./managed-fields.js";
import { withoutAbsent } from "./without-absent.js";

/**
 * What a forced server-side apply as `manager` puts back: the delivered spec, and the labels and annotations that manager
 * applied before (left out, the server would remove them). It carries uid and resourceVersion: the server refuses it (409)
 * when the object is another one by now, or was delivered or edited again.
 */
export function revertObject(
  live: LiveSource,
  spec: HarvestSource["spec"],
  manager: string = gitManager,
): KubeObject {
  const { name, namespace, uid, resourceVersion, labels, annotations } = live.metadata;
  const metadata = childSet(applyEntry(live, manager)?.fieldsV1 ?? {}, "f:metadata") ?? {};
  return {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: withoutAbsent({
      name,
      namespace,
      uid,
      resourceVersion,
      labels: owned(labels, childSet(metadata, "f:labels")),
      annotations: owned(annotations, childSet(metadata, "f:annotations")),
    }),
    spec,
  };
}

function owned(
  values: Readonly<Record<string, string>> | undefined,
  set: JsonObject | undefined,
): Readonly<Record<string, string>> | undefined {
  if (values === undefined || set === undefined) return undefined;
  const kept = Object.entries(values).filter(([key]) => childSet(set, `f:${key}`) !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
