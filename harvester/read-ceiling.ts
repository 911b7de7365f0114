import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ceilingFor, fairUsePath, parseFairUse } from "../source/fair-use.js";
import type { HarvestSource } from "../source/harvest-source.generated.js";
import { hostOf } from "../source/host.js";
import { Fault } from "./fault.js";

/**
 * Requests in flight a source may have: its manifest's maxRequests, within the ceiling of its host. The same file that
 * lint checks, read again at run time, so that a manifest nobody linted cannot exceed it (law 6).
 */
export async function readCeiling(root: string, source: HarvestSource): Promise<number> {
  const { maxRequests } = source.spec.concurrency;
  const file = join(root, fairUsePath);
  const bytes = await readFile(file).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined) return maxRequests;
  const { fairUse, findings } = parseFairUse(bytes, file);
  const [broken] = findings.filter((f) => f.severity === "error");
  if (broken !== undefined) {
    const { place, sentence, remedy } = broken;
    throw new Fault("config", {
      code: "BadFairUse",
      sentence: `${place.file}:${place.line.toString()}: ${sentence}`,
      remedy,
    });
  }
  return Math.min(maxRequests, ceilingFor(fairUse, hostOf(source) ?? "")?.maxRequests ?? maxRequests);
}
