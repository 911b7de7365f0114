/**
 * Embedded stores for tests without the seven seconds of a first start each: one is made once, kept under
 * node_modules/.cache, and copied. Tests of the first start itself open an empty directory instead.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openEmbedded } from "../../harvester/persist/embedded.js";

/** A directory with a fresh, empty store, as openEmbedded leaves it; remove() deletes it. */
export async function freshEmbeddedStore(): Promise<{ readonly dir: string; remove(): void }> {
  const dir = mkdtempSync(join(tmpdir(), "embedded-"));
  cpSync(await template(), dir, { recursive: true });
  return {
    dir,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function template(): Promise<string> {
  const cache = join(import.meta.dirname, "../../node_modules/.cache/harvest-tests");
  const ready = join(cache, `embedded-${engineVersion()}`);
  if (existsSync(ready)) return ready;
  const making = join(cache, `making-${String(process.pid)}`);
  mkdirSync(making, { recursive: true });
  const db = await openEmbedded(making);
  await db.close();
  try {
    renameSync(making, ready);
  } catch {
    // Another test process was faster; its copy is as good.
    rmSync(making, { recursive: true, force: true });
  }
  return ready;
}

function engineVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const { version } = createRequire(import.meta.url)(join(dirname(entry), "../package.json")) as {
    version: string;
  };
  return version;
}
