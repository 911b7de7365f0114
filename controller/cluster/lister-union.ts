import type { Lister } from "../api.js";
import { splitKey } from "../object.js";

/** One lister over several, each of its own namespace: for a controller that may look only into some. */
export function uniteListers(byNamespace: ReadonlyMap<string, Lister>): Lister {
  // Sorted by what a key begins with, so that the lists one after another are sorted by key: "a-b/" comes before "a/".
  const inOrder = [...byNamespace]
    .sort(([a], [b]) => (`${a}/` < `${b}/` ? -1 : 1))
    .map(([, lister]) => lister);
  return {
    get: (key) => byNamespace.get(splitKey(key).namespace ?? "")?.get(key),
    list: (namespace) =>
      namespace === undefined
        ? inOrder.flatMap((lister) => lister.list())
        : (byNamespace.get(namespace)?.list() ?? []),
    ownedBy: (uid) => inOrder.flatMap((lister) => lister.ownedBy(uid)),
  };
}
