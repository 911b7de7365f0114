/** What a pod's environment and volumes are filled from: ConfigMaps, Secrets, and the pod itself. */
import type { Http } from "./cluster-http.js";
import type { Pod } from "./kubelet-types.js";

/** Data of a ConfigMap or Secret; undefined when it is not there. */
export type KeyedBytes = ReadonlyMap<string, Buffer>;

export async function readKeyed(
  http: Http,
  kind: "configmaps" | "secrets",
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<KeyedBytes | undefined> {
  const { status, json } = await http("GET", `/api/v1/namespaces/${namespace}/${kind}/${name}`);
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`${kind} ${name}: the API server answered ${String(status)}`);
  const { data, binaryData } = json as { data?: Record<string, string>; binaryData?: Record<string, string> };
  const plain = kind === "configmaps" ? "utf8" : "base64";
  return new Map([
    ...Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text, plain)] as const),
    ...Object.entries(binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);
}

/** A field of the pod as the downward API gives it; "" for one it does not have. */
export function fieldOf(pod: Pod, path: string): string {
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed !== null) return pod.metadata[keyed[1] as "labels" | "annotations"]?.[keyed[2] ?? ""] ?? "";
  let value: unknown = { ...pod, status: { podIP, hostIP: "127.0.0.1", ...pod.status } };
  for (const step of path.split("."))
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[step];
  return typeof value === "string" ? value : "";
}

/** All containers are processes of this machine. */
export const podIP = "127.0.0.1";
