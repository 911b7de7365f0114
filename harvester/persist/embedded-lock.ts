/**
 * One process at a time in an embedded store. PGlite itself has no lock: two processes on one directory both seem to
 * succeed, and the committed rows of one are gone afterwards (measured; docs/store.md).
 */
import { linkSync, openSync, closeSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Fault } from "../fault.js";
import { hasEnded, thisProcess, type ProcessIdentity } from "./process-identity.js";

export interface StoreLock {
  /** Throws Fault `busy` when another process took the lock over. */
  check(): void;
  release(): void;
}

interface LockNote extends ProcessIdentity {
  readonly since: string;
  readonly nonce: string;
}

/** Creates `file` exclusively, or takes it over from a process that has ended. Throws Fault `busy` naming the holder. */
export async function lockStore(file: string): Promise<StoreLock> {
  const note: LockNote = { ...thisProcess(), since: new Date().toISOString(), nonce: randomUUID() };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (create(file, note)) return lockOf(file, note);
    const held = await readSettled(file);
    if (held === "gone") continue;
    if (held !== "unreadable" && !hasEnded(held)) throw busy(file, held);
    moveAside(file, held);
  }
  throw busy(file, undefined);
}

/** Fault `busy` naming who has the store open; undefined when nobody has. Takes nothing and changes nothing. */
export function lockHolder(file: string): Fault | undefined {
  const held = read(file);
  if (held === "gone") return undefined;
  if (held === "unreadable") return busy(file, undefined);
  return hasEnded(held) ? undefined : busy(file, held);
}

function create(file: string, note: LockNote): boolean {
  try {
    const handle = openSync(file, "wx", 0o600);
    writeSync(handle, JSON.stringify(note));
    closeSync(handle);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Between creating and writing the file is empty for an instant: only a lasting empty one is a leftover. */
async function readSettled(file: string): Promise<LockNote | "gone" | "unreadable"> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const held = read(file);
    if (held !== "unreadable") return held;
    await wait(100);
  }
  return "unreadable";
}

function read(file: string): LockNote | "gone" | "unreadable" {
  try {
    const note: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isNote(note) ? note : "unreadable";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "gone" : "unreadable";
  }
}

function isNote(note: unknown): note is LockNote {
  return (
    typeof note === "object" &&
    note !== null &&
    "pid" in note &&
    "host" in note &&
    "start" in note &&
    "nonce" in note
  );
}

/** Renaming lets one of several rivals win; whoever moved a fresh lock by mistake puts it back. */
function moveAside(file: string, stale: LockNote | "unreadable"): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  const nonce = typeof moved === "object" ? moved.nonce : undefined;
  const expected = typeof stale === "object" ? stale.nonce : undefined;
  try {
    if (nonce !== expected) linkSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

function lockOf(file: string, note: LockNote): StoreLock {
  function ours(): boolean {
    const held = read(file);
    return typeof held === "object" && held.nonce === note.nonce;
  }
  return {
    check() {
      if (!ours()) throw busy(file, undefined);
    },
    release() {
      if (ours()) rmSync(file, { force: true });
    },
  };
}

function busy(file: string, held: LockNote | undefined): Fault {
  const here = held?.host === thisProcess().host;
  const who =
    held === undefined
      ? "another process"
      : `process ${String(held.pid)} on ${held.host} (since ${held.since})`;
  return new Fault("busy", {
    code: "StoreLocked",
    sentence: `The embedded store is in use by ${who}; only one process at a time can open it (${file}).`,
    remedy:
      here || held === undefined
        ? "Wait until it has ended, or set DATABASE_URL to a PostgreSQL, which many processes can share."
        : `If ${held.host} no longer runs it, delete ${file}; else wait, or use a PostgreSQL (DATABASE_URL).`,
  });
}
