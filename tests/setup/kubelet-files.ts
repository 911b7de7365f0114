/** Volumes of a pod as folders: files by way of `..data`, as a real kubelet's atomic writer leaves them. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Http } from "./cluster-http.js";
import {
  CannotCreate,
  type ConfigMapSource,
  type Item,
  type Pod,
  type Projection,
  type Volume,
} from "./kubelet-types.js";
import { fieldOf, readKeyed } from "./kubelet-values.js";

interface File {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

/** Lays `volume` out in `folder`; throws CannotCreate when what it names is missing. */
export async function layOutVolume(
  http: Http,
  pod: Pod,
  { volume, folder }: { readonly volume: Volume; readonly folder: string },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (volume.emptyDir !== undefined) return;
  writeAtomically(folder, await filesOf(http, pod, volume));
}

async function filesOf(http: Http, pod: Pod, volume: Volume): Promise<readonly File[]> {
  const { configMap, secret, projected } = volume;
  if (configMap !== undefined)
    return keyedFiles(http, pod, {
      volume,
      kind: "configmaps",
      source: configMap,
      mode: configMap.defaultMode,
    });
  if (secret !== undefined) {
    const source = { ...secret, name: secret.secretName };
    return keyedFiles(http, pod, { volume, kind: "secrets", source, mode: secret.defaultMode });
  }
  if (projected === undefined) throw failedMount(volume, "the test kubelet has no volumes of this kind");
  const files: File[] = [];
  for (const source of projected.sources ?? [])
    files.push(...(await projectedFiles(http, pod, { volume, source, mode: projected.defaultMode })));
  return files;
}

interface Keyed {
  readonly volume: Volume;
  readonly kind: "configmaps" | "secrets";
  readonly source: ConfigMapSource;
  readonly mode: number | undefined;
}

async function keyedFiles(http: Http, pod: Pod, { volume, kind, source, mode = 0o644 }: Keyed) {
  const { namespace } = pod.metadata;
  const found = await readKeyed(http, kind, { namespace, name: source.name });
  const noun = kind === "secrets" ? "secret" : "configmap";
  if (found === undefined && source.optional !== true)
    throw failedMount(volume, `${noun} "${source.name}" not found`);
  const items: readonly Item[] =
    source.items ?? [...(found?.keys() ?? [])].map((key) => ({ key, path: key }));
  return items.flatMap(({ key, path, mode: own }) => {
    const bytes = found?.get(key);
    if (bytes !== undefined) return [{ path, bytes, mode: own ?? mode }];
    if (source.optional === true) return [];
    const what = kind === "secrets" ? "secret" : "config";
    throw failedMount(volume, `references non-existent ${what} key: ${key}`);
  });
}

async function projectedFiles(
  http: Http,
  pod: Pod,
  { volume, source, mode = 0o644 }: { volume: Volume; source: Projection; mode: number | undefined },
): Promise<readonly File[]> {
  const { configMap, secret, serviceAccountToken, downwardAPI } = source;
  if (configMap !== undefined)
    return keyedFiles(http, pod, { volume, kind: "configmaps", source: configMap, mode });
  if (secret !== undefined) return keyedFiles(http, pod, { volume, kind: "secrets", source: secret, mode });
  if (serviceAccountToken !== undefined)
    return [
      { path: serviceAccountToken.path, mode: 0o600, bytes: await tokenFor(http, pod, serviceAccountToken) },
    ];
  return (downwardAPI?.items ?? []).map(({ path, fieldRef }) => ({
    path,
    mode,
    bytes: Buffer.from(fieldRef === undefined ? "" : fieldOf(pod, fieldRef.fieldPath)),
  }));
}

async function tokenFor(
  http: Http,
  pod: Pod,
  wish: NonNullable<Projection["serviceAccountToken"]>,
): Promise<Buffer> {
  const { namespace, name, uid } = pod.metadata;
  const account = pod.spec.serviceAccountName ?? "default";
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const { json, status } = await http("POST", path, {
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {
        ...(wish.audience === undefined ? {} : { audiences: [wish.audience] }),
        expirationSeconds: wish.expirationSeconds ?? 3600,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid },
      },
    },
  });
  if (status !== 201) throw new Error(`token of ${account}: the API server answered ${String(status)}`);
  return Buffer.from((json as { status: { token: string } }).status.token);
}

function failedMount(volume: Volume, why: string): CannotCreate {
  return new CannotCreate(
    "ContainerCreating",
    `MountVolume.SetUp failed for volume "${volume.name}" : ${why}`,
  );
}

/** `name` → `..data/name`, `..data` → a folder with a date for a name: programs meet links, never plain files. */
function writeAtomically(folder: string, files: readonly File[]): void {
  const dated = `..${new Date().toISOString().slice(0, 19).replace("T", "_").replace(/[-:]/g, "_")}.1`;
  for (const { path, bytes, mode } of files) {
    const file = join(folder, dated, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, mode);
  }
  mkdirSync(join(folder, dated), { recursive: true });
  symlinkSync(dated, join(folder, "..data"));
  for (const top of new Set(files.map(({ path }) => path.split("/")[0] ?? "")))
    symlinkSync(join("..data", top), join(folder, top));
}
