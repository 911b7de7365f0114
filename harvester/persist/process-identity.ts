/** Who a process is, so that another one can tell whether it still lives: a pid alone is reused. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start in clock ticks since boot and the pid namespace, on Linux; "" elsewhere. */
  readonly start: string;
}

export function thisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, start: startOf("self") };
}

/** The holder of a lease: `host/pid/start`. */
export function processHolder(): string {
  const { host, pid, start } = thisProcess();
  return `${host}/${String(pid)}/${start}`;
}

/** A holder written by processHolder (or `host/pid/anything`), or undefined when it is somebody else's form (a pod uid). */
export function parseHolder(holder: string): ProcessIdentity | undefined {
  const match = /^([^/]+)\/(\d{1,10})\/([^/]*)$/.exec(holder);
  if (match === null) return undefined;
  return { host: match[1] ?? "", pid: Number(match[2]), start: match[3] ?? "" };
}

/**
 * True only when the process is known to have ended: same host, same pid namespace, and no such pid or a pid that
 * started at another time. When in doubt it lives.
 */
export function hasEnded(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname() || identity.pid <= 0) return false;
  const [ticks, namespace] = identity.start.split("@");
  const [, ourNamespace] = startOf("self").split("@");
  if (namespace !== undefined && namespace !== ourNamespace) return false;
  if (!pidExists(identity.pid)) return true;
  if (namespace === undefined || ticks === undefined) return false;
  const now = startOf(String(identity.pid));
  return now !== "" && now.split("@")[0] !== ticks;
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Field 22 of /proc/<pid>/stat (proc(5)), counted behind the command, which may contain spaces and brackets. */
function startOf(pid: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
    const namespace = /\d+/.exec(readlinkSync(`/proc/self/ns/pid`))?.[0] ?? "";
    return `${ticks}@${namespace}`;
  } catch {
    return "";
  }
}
