import { usableSources, type UsableSources } from "../source/usable-sources.js";
import { keyOf, type LiveSource } from "./object.js";
import { oncePerVersion } from "./once-per-version.js";

/** Reading a manifest costs milliseconds, and most changes of an object are changes of its status. */
const once = oncePerVersion<UsableSources>();

/** What lint would read from this manifest; its places are named after the object, for there is no file. */
export function located(live: LiveSource): UsableSources {
  const { apiVersion, kind, metadata, spec } = live;
  const { name, namespace, uid } = metadata;
  const text = JSON.stringify({ apiVersion, kind, metadata: { name, namespace }, spec });
  return once({ uid, of: [text] }, () => usableSources(text, { file: keyOf(live), named: true }));
}
