/** Environment and command of a container as a kubelet resolves them, with its paths moved to where its volumes are here. */
import type { Http } from "./cluster-http.js";
import {
  CannotCreate,
  type Container,
  type EnvFrom,
  type EnvVar,
  type KeyRef,
  type Pod,
} from "./kubelet-types.js";
import { fieldOf, readKeyed, type KeyedBytes } from "./kubelet-values.js";

/** Moves the paths of the container in a text to this machine. */
export type Rewrite = (text: string) => string;

/**
 * `root`: folder that stands for the container's "/". Moved is every path that is a mount, lies in one, or holds one
 * (`/etc/harvest/secrets` when `/etc/harvest/secrets/portal` is mounted), and `/app`, which is the repository.
 */
export function rewriter(
  mounts: readonly string[],
  { root, app }: { readonly root: string; readonly app: string },
): Rewrite {
  const inMount = (path: string): boolean =>
    mounts.some((mount) => `${path}/`.startsWith(`${mount}/`) || mount.startsWith(`${path}/`));
  return (text) =>
    text.replace(/(?<![\w/.@%-])\/(?!\/)[\w./@%+-]*/g, (path) => {
      const bare = path.length > 1 ? path.replace(/\/+$/, "") : path;
      if (bare !== "/" && inMount(bare)) return root + path;
      return `${path}/`.startsWith("/app/") ? app + path.slice("/app".length) : path;
    });
}

export interface Resolved {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Surroundings {
  readonly http: Http;
  readonly pod: Pod;
  readonly rewrite: Rewrite;
  /** Of the image: run when the container names no command, and set before the container's own variables. */
  readonly image: { readonly entrypoint: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

/** Throws CannotCreate, with a real kubelet's message, when a ConfigMap, a Secret or a key of one is missing. */
export async function resolveContainer(container: Container, around: Surroundings): Promise<Resolved> {
  const { image, rewrite } = around;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(image.env)) env[name] = rewrite(value);
  Object.assign(env, await envFrom(container, around));
  for (const variable of container.env ?? []) {
    const value = await valueOf(variable, around);
    if (value === undefined) continue;
    env[variable.name] = variable.value === undefined ? value : rewrite(expand(value, env));
  }
  const entrypoint = container.command ?? image.entrypoint;
  const command = [...entrypoint, ...(container.args ?? [])].map((word) => rewrite(expand(word, env)));
  return { command, env };
}

/** `$(NAME)` of a variable that is set; `$$(NAME)` is `$(NAME)` itself. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([A-Za-z_.-][\w.-]*)\)/g, (whole, name?: string) =>
    name === undefined ? "$" : (env[name] ?? whole),
  );
}

async function envFrom(container: Container, around: Surroundings): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const source of container.envFrom ?? [])
    for (const [key, bytes] of await allKeys(source, around))
      env[`${source.prefix ?? ""}${key}`] = bytes.toString("utf8");
  return env;
}

async function allKeys(source: EnvFrom, { http, pod }: Surroundings): Promise<KeyedBytes> {
  const kind = source.configMapRef === undefined ? "secrets" : "configmaps";
  const { name, optional } = source.configMapRef ?? source.secretRef ?? { name: "" };
  const found = await readKeyed(http, kind, { namespace: pod.metadata.namespace, name });
  if (found === undefined && optional !== true) throw missing(kind, name);
  return found ?? new Map<string, Buffer>();
}

async function valueOf(variable: EnvVar, around: Surroundings): Promise<string | undefined> {
  if (variable.value !== undefined) return variable.value;
  const { configMapKeyRef, secretKeyRef, fieldRef } = variable.valueFrom ?? {};
  if (configMapKeyRef !== undefined) return keyOf(around, "configmaps", configMapKeyRef);
  if (secretKeyRef !== undefined) return keyOf(around, "secrets", secretKeyRef);
  return fieldRef === undefined ? "" : fieldOf(around.pod, fieldRef.fieldPath);
}

async function keyOf(
  { http, pod }: Surroundings,
  kind: "configmaps" | "secrets",
  ref: KeyRef,
): Promise<string | undefined> {
  const { namespace } = pod.metadata;
  const found = await readKeyed(http, kind, { namespace, name: ref.name });
  const bytes = found?.get(ref.key);
  if (bytes !== undefined) return bytes.toString("utf8");
  if (ref.optional === true) return undefined;
  if (found === undefined) throw missing(kind, ref.name);
  const noun = kind === "secrets" ? "Secret" : "ConfigMap";
  throw new CannotCreate(
    "CreateContainerConfigError",
    `couldn't find key ${ref.key} in ${noun} ${namespace}/${ref.name}`,
  );
}

function missing(kind: "configmaps" | "secrets", name: string): CannotCreate {
  const noun = kind === "secrets" ? "secret" : "configmap";
  return new CannotCreate("CreateContainerConfigError", `${noun} "${name}" not found`);
}
