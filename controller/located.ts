import { usableSources, type UsableSources } from "../source/usable-sources.js";
import { keyOf, type LiveSource } from "./object.js";

/** Reading a manifest costs a millisecond; an object of the cache never changes, so it is read once. */
const known = new WeakMap<LiveSource, UsableSources>();

/** What lint would read from this manifest; its places are named after the object, for there is no file. */
export function located(live: LiveSource): UsableSources {
  const before = known.get(live);
  if (before !== undefined) return before;
  const { apiVersion, kind, metadata, spec } = live;
  const { name, namespace } = metadata;
  const text = JSON.stringify({ apiVersion, kind, metadata: { name, namespace }, spec });
  const read = usableSources(text, { file: keyOf(live), named: true });
  known.set(live, read);
  return read;
}
