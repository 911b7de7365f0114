/** The service account a pod was given. */
import { existsSync, readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import type { Target } from "./target.js";

export const serviceAccountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Undefined outside a pod, or in one without a token. `folder`: where the token is mounted. */
export function inClusterTarget(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string = serviceAccountFolder,
): Target | undefined {
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const tokenFile = join(folder, "token");
  if (host === "" || !existsSync(tokenFile)) return undefined;
  const port = environment["KUBERNETES_SERVICE_PORT"] ?? "443";
  const namespace = namespaceIn(folder);
  return {
    contextName: "in-cluster",
    ...(namespace === "" ? {} : { namespace }),
    cluster: {
      server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
      caFile: join(folder, "ca.crt"),
      insecure: false,
    },
    user: { name: "service account", tokenFile, impersonation: {} },
  };
}

function namespaceIn(folder: string): string {
  try {
    return readFileSync(join(folder, "namespace"), "utf8").trim();
  } catch {
    return "";
  }
}
