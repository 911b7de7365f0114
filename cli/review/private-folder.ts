import { rmSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A folder that only this user can open, for as long as the work takes; gone afterwards, also when it is interrupted. */
export async function withPrivateFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "harvestctl-"));
  function interrupted(signal: NodeJS.Signals): void {
    rmSync(folder, { recursive: true, force: true });
    for (const each of SIGNALS) process.off(each, interrupted);
    // As it would have ended without us.
    process.kill(process.pid, signal);
  }
  for (const each of SIGNALS) process.on(each, interrupted);
  try {
    return await work(folder);
  } finally {
    for (const each of SIGNALS) process.off(each, interrupted);
    await rm(folder, { recursive: true, force: true });
  }
}
