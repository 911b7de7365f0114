import { hostOf } from "../source/host.js";
import { keyOf, type Key, type LiveSource } from "./object.js";

/** Which sources ask which host: a change of one may be what its neighbours' ceiling turns on. */
export interface HostIndex {
  /** Keys whose verdict may change with this change, the changed source not among them. */
  note(before: LiveSource | undefined, after: LiveSource | undefined): readonly Key[];
  neighbours(source: LiveSource): readonly Key[];
}

export function hostIndex(): HostIndex {
  const byHost = new Map<string, Set<Key>>();

  function remove(host: string, key: Key): void {
    const keys = byHost.get(host);
    keys?.delete(key);
    if (keys?.size === 0) byHost.delete(host);
  }

  function othersAt(host: string | undefined, key: Key): readonly Key[] {
    return host === undefined ? [] : [...(byHost.get(host) ?? [])].filter((other) => other !== key);
  }

  return {
    note(before, after) {
      const [old, now] = [hostIfThere(before), hostIfThere(after)];
      const key = keyOf(after ?? before ?? { metadata: { name: "" } });
      if (old !== undefined && old !== now) remove(old, key);
      if (now !== undefined) byHost.set(now, (byHost.get(now) ?? new Set()).add(key));
      if (before !== undefined && after !== undefined && sameSpec(before, after)) return [];
      return [...new Set([...othersAt(old, key), ...othersAt(now, key)])];
    },
    neighbours(source) {
      const host = hostOf(source);
      return host === undefined ? [keyOf(source)] : [...(byHost.get(host) ?? [keyOf(source)])];
    },
  };
}

/** The generation counts changes of spec; a source made anew under its name starts at 1 again. */
function sameSpec(a: LiveSource, b: LiveSource): boolean {
  return a.metadata.uid === b.metadata.uid && a.metadata.generation === b.metadata.generation;
}

function hostIfThere(source: LiveSource | undefined): string | undefined {
  return source === undefined ? undefined : hostOf(source);
}
