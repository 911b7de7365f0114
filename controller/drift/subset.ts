import type { JsonObject } from "../object.js";
import { canonicalJson } from "../../source/difference/canonical-json.js";
import { difference, type FieldDifference } from "./field-difference.js";
import { childSet, isLeaf, isObject, type FieldSet } from "./field-set.js";
import { sameQuantity } from "./quantity.js";
import { withoutAbsent } from "./without-absent.js";

/** The lists of pods the API server merges by a key (x-kubernetes-list-map-keys); any other list is one value. */
const LIST_KEYS: Readonly<Record<string, string>> = {
  containers: "name",
  initContainers: "name",
  env: "name",
  volumes: "name",
  imagePullSecrets: "name",
  volumeMounts: "mountPath",
  volumeDevices: "devicePath",
  hostAliases: "ip",
  ownerReferences: "uid",
};

/** Fields and parents of fields that are quantities. */
const QUANTITY = /\.(requests|limits)\.[^.]+$|\.(sizeLimit|divisor|storage)$/;

/** Deeper than any object the API server takes. */
const MAX_DEPTH = 64;

/** What our apply owns below a place: "all" inside a list that is one value. */
type Owned = FieldSet | "all" | undefined;

/** One place in what we want, in what there is, and in what we own. */
interface Place {
  readonly path: string;
  readonly field: string;
  readonly desired: unknown;
  readonly live: unknown;
  readonly owned: Owned;
}

/**
 * What `desired` says and `live` does not, after the API server's rewriting: filled-in defaults are no difference,
 * quantities are compared by value, and an empty value that the server leaves out counts as kept while our apply owns it.
 */
export function unmet(place: Place, depth = 0): readonly FieldDifference[] {
  const { path, desired, live } = place;
  if (depth > MAX_DEPTH) return [];
  if (live === undefined) return isLeftOut(place) ? [] : [difference(path, { delivered: desired })];
  if (isObject(desired) && isObject(live)) return unmetFields({ ...place, desired, live }, depth);
  if (Array.isArray(desired) && Array.isArray(live)) return unmetList({ ...place, desired, live }, depth);
  return sameValue(place) ? [] : [difference(path, { delivered: desired, live })];
}

function sameValue({ path, desired, live }: Place): boolean {
  if (canonicalJson(desired) === canonicalJson(live)) return true;
  return QUANTITY.test(path) && sameQuantity(desired, live);
}

type ObjectPlace = Place & { readonly desired: JsonObject; readonly live: JsonObject };

function unmetFields({ path, desired, live, owned }: ObjectPlace, depth: number): readonly FieldDifference[] {
  return Object.entries(withoutAbsent(desired)).flatMap(([name, value]) =>
    unmet(
      {
        path: `${path}.${name}`,
        field: name,
        desired: value,
        live: Object.hasOwn(live, name) ? live[name] : undefined,
        owned: ownedBelow(owned, `f:${name}`),
      },
      depth + 1,
    ),
  );
}

type ListPlace = Place & { readonly desired: readonly unknown[]; readonly live: readonly unknown[] };

function unmetList(place: ListPlace, depth: number): readonly FieldDifference[] {
  const key = LIST_KEYS[place.field];
  if (key !== undefined) return unmetItems(place, key, depth);
  const { path, desired, live } = place;
  if (desired.length !== live.length) return [difference(path, { delivered: desired, live })];
  return desired.flatMap((item, i) =>
    unmet(
      { path: `${path}[${String(i)}]`, field: "", desired: item, live: live[i], owned: "all" },
      depth + 1,
    ),
  );
}

/** Items more than ours are not looked at here: who added them is in managedFields. */
function unmetItems(place: ListPlace, key: string, depth: number): readonly FieldDifference[] {
  return place.desired.flatMap((item) => {
    const name = isObject(item) ? item[key] : undefined;
    return unmet(
      {
        path: `${place.path}[${key}=${String(name)}]`,
        field: "",
        desired: item,
        live: place.live.find((other) => isObject(other) && other[key] === name),
        owned: ownedBelow(place.owned, `k:${JSON.stringify({ [key]: name })}`),
      },
      depth + 1,
    );
  });
}

function ownedBelow(owned: Owned, key: string): Owned {
  if (owned === undefined || owned === "all") return owned;
  const child = childSet(owned, key);
  return child !== undefined && isLeaf(child) ? "all" : child;
}

/** Empty lists and objects are never kept apart from absent ones; false, 0 and "" only where we still own them. */
function isLeftOut({ desired, owned }: Place): boolean {
  if (desired === null) return true;
  if (Array.isArray(desired)) return desired.length === 0;
  if (isObject(desired)) return Object.keys(desired).length === 0;
  return (desired === false || desired === 0 || desired === "") && owned !== undefined;
}
