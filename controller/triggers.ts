import type { HostIndex } from "./host-index.js";
import { labels } from "./names.js";
import { keyOf, type Key, type KubeObject, type LiveSource } from "./object.js";

/** One change the caches saw: of a source, of a policy bundle, or of anything that belongs to a source. */
export interface Change {
  readonly kind: "source" | "bundle" | "child";
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

export interface TriggerContext {
  readonly hosts: HostIndex;
  /** Keys of all sources in a namespace. */
  sourcesIn(namespace: string | undefined): readonly Key[];
}

/** Which sources must be looked at again because of a change. Keys, not events: what is decided comes from the whole state. */
export function triggered(change: Change, { hosts, sourcesIn }: TriggerContext): readonly Key[] {
  const object = change.after ?? change.before;
  if (object === undefined) return [];
  if (change.kind === "bundle") return sourcesIn(object.metadata.namespace);
  if (change.kind === "source")
    return [keyOf(object), ...hosts.note(asSource(change.before), asSource(change.after))];
  // Both: the label that says whose it is may be what somebody changed.
  const names = [change.before, change.after].map((child) => child?.metadata.labels?.[labels.source]);
  return [...new Set(names)]
    .filter((name) => name !== undefined)
    .map((name) => `${object.metadata.namespace ?? ""}/${name}`);
}

function asSource(object: KubeObject | undefined): LiveSource | undefined {
  return object as LiveSource | undefined;
}
