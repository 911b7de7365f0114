/** rules/fair-use.yaml as the parameter of an admission policy: one flat map, because CEL reads `params.data[host]`. */
import type { FairUse } from "../fair-use.js";
import { bundleManager, bundleNames } from "./bundle-config-map.js";

export const fairUseName = "harvest-fair-use";
/** The ceiling of every host not named. No host begins with an underscore. */
export const fairUseDefaultKey = "_default";

export interface FairUseConfigMap {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  /** fairUseKey(host) → maxRequests as text; `_default` where the file has a default. Sorted by key. */
  readonly data: Readonly<Record<string, string>>;
}

/**
 * The key of a host. Names and IPv4 addresses are their own key. A key of a ConfigMap may have no brackets and colons, so
 * an IPv6 address in brackets, as the file and a URL write it, is `_ipv6_` and the address with `-` for `:`.
 */
export function fairUseKey(host: string): string {
  return host.startsWith("[") ? `_ipv6_${host.replace(/[[\]]/g, "").replaceAll(":", "-")}` : host;
}

export function fairUseConfigMap(fairUse: FairUse, namespace?: string): FairUseConfigMap {
  const ceilings = [...fairUse.hosts].map(
    ([host, { maxRequests }]) => [fairUseKey(host), String(maxRequests)] as const,
  );
  const all =
    fairUse.default === undefined
      ? ceilings
      : [...ceilings, [fairUseDefaultKey, String(fairUse.default.maxRequests)] as const];
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: fairUseName,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { "app.kubernetes.io/name": fairUseName, [bundleNames.managedBy]: bundleManager },
    },
    data: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
