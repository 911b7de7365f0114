/** The HTTP probe of a container, asked where its process really listens: at the same port of this machine. */
import type { Container } from "./kubelet-types.js";
import { podIP } from "./kubelet-values.js";

const TIMEOUT_MS = 1_000;

/** Whether the readiness probe is answered with 2xx or 3xx; other kinds of probes always are. */
export async function answersProbe({ ports = [], readinessProbe }: Container): Promise<boolean> {
  const { httpGet } = readinessProbe ?? {};
  if (httpGet === undefined) return true;
  const named = ports.find(({ name }) => name === httpGet.port)?.containerPort;
  try {
    const url = `http://${podIP}:${String(named ?? httpGet.port)}${httpGet.path ?? "/"}`;
    const { status } = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return status >= 200 && status < 400;
  } catch {
    return false;
  }
}
