/** A PGlite directory can be read only by the same PostgreSQL major: the stamp beside it says who made it. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Fault } from "../fault.js";

interface Stamp {
  readonly format: 1;
  readonly pglite: string;
  readonly postgresMajor: number;
}

/** Writes `store.json` for the data directory just made in `home`. */
export function writeStamp(home: string): void {
  const stamp: Stamp = { format: 1, pglite: pgliteVersion(), postgresMajor: majorOf(home) };
  writeFileSync(join(home, "store.json"), `${JSON.stringify(stamp, null, 2)}\n`);
}

/** Throws Fault `store` when the store was made by another version of the engine. */
export function demandStamp(home: string): void {
  const stamp = readStamp(home);
  const ours = pgliteVersion();
  if (stamp?.format === 1 && stamp.pglite === ours && stamp.postgresMajor === majorOf(home)) return;
  const made =
    stamp === undefined
      ? "has no readable store.json"
      : `was made by PGlite ${stamp.pglite} (PostgreSQL ${String(stamp.postgresMajor)})`;
  throw new Fault("store", {
    code: "StoreVersion",
    sentence: `The embedded store ${home} ${made}; this harvestctl has PGlite ${ours} and cannot read it safely.`,
    remedy: `Use the harvestctl that made it, or move ${dirname(home)} away: the next run harvests everything anew.`,
  });
}

function readStamp(home: string): Stamp | undefined {
  try {
    const stamp: unknown = JSON.parse(readFileSync(join(home, "store.json"), "utf8"));
    return isStamp(stamp) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

function isStamp(stamp: unknown): stamp is Stamp {
  if (typeof stamp !== "object" || stamp === null) return false;
  return (
    "pglite" in stamp &&
    typeof stamp.pglite === "string" &&
    "postgresMajor" in stamp &&
    typeof stamp.postgresMajor === "number"
  );
}

/** initdb writes PG_VERSION last: NaN when it never came so far. */
function majorOf(home: string): number {
  try {
    return Number.parseInt(readFileSync(join(home, "pgdata", "PG_VERSION"), "utf8"), 10);
  } catch {
    return Number.NaN;
  }
}

/** PGlite does not export its version or its package.json: the file lies above its entry point. */
function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const text = readFileSync(join(dirname(entry), "..", "package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
