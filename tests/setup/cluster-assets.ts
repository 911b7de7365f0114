/**
 * Where the programs of a control plane are: a folder with etcd, kube-apiserver, kube-controller-manager, kube-scheduler
 * and kubectl, laid out like envtest's.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The programs, by the name they are called by. `kubectl` is no server. */
export const programs = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
] as const;
export type Program = (typeof programs)[number];

const howToGet =
  "set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl, " +
  "or run tests/control-plane/build (Go 1.26, about 6 minutes), or name a cluster with HARVEST_TEST_KUBECONFIG";

/** Where tests/control-plane/build leaves what it made, and where test programs written in Go are kept. */
export function testCache(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "harvest-tests");
}

/** The folder; undefined when this machine has none. `parts`: the programs that must be in it. */
export function findAssets(parts: readonly Program[]): string | undefined {
  return [given, besideTheRepository, builtBefore]
    .map((find) => find())
    .find((folder) => folder !== undefined && parts.every((part) => existsSync(join(folder, part))));
}

/** Says the sentence once and answers undefined; throws it when REQUIRE names `cluster`. */
export function noCluster(why: string): undefined {
  const sentence = `Cluster tests need a control plane: ${why}; ${howToGet}.`;
  if (clusterRequired()) throw new Error(sentence);
  process.stderr.write(`Skipped: ${sentence}\n`);
  return undefined;
}

/** Whether a missing control plane is a failure instead of a skip. */
export function clusterRequired(): boolean {
  return (process.env["REQUIRE"] ?? "").split(",").includes("cluster");
}

function given(): string | undefined {
  const folder = process.env["KUBEBUILDER_ASSETS"];
  return folder === "" ? undefined : folder;
}

function besideTheRepository(): string | undefined {
  const program = join(import.meta.dirname, "../../../shared/control-plane/assets");
  if (!existsSync(program)) return undefined;
  try {
    return execFileSync(program, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

function builtBefore(): string | undefined {
  const folder = join(testCache(), "control-plane");
  if (!existsSync(join(folder, "control-plane"))) return undefined;
  for (const program of programs) link(folder, program);
  return folder;
}

/** One binary is all of them, by the name it is called by. */
function link(folder: string, program: Program): void {
  if (existsSync(join(folder, program))) return;
  try {
    symlinkSync("control-plane", join(folder, program));
  } catch {
    // Another test process made it meanwhile.
  }
}

/** Removes all but the logs, so that a failure leaves something to read and no gigabyte. */
export function keepLogsOnly(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (!name.endsWith(".log")) rmSync(join(folder, name), { recursive: true, force: true });
}
