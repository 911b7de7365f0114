/**
 * The hold of one run on its source: a lease with an expiry, renewed while the run lives, and a token that grows with
 * every holder. Every write states the token (fencing): whoever was frozen and overtaken can write nothing (case C130).
 */
import { Fault } from "../fault.js";
import type { Db, Queryable } from "./db.js";
import { hasEnded, parseHolder } from "./process-identity.js";
import { readLease } from "./sql/read-lease.js";
import { releaseLease } from "./sql/release-lease.js";
import { renewLease } from "./sql/renew-lease.js";
import { takeLease } from "./sql/take-lease.js";

/** A killed run frees its source after this, in seconds; at once when its process is known to have ended. */
const ttlSeconds = 60;
const heartbeatMs = 15_000;

export interface Hold {
  readonly sourceId: number;
  readonly source: string;
  readonly runId: string;
  readonly token: number;
  readonly policyDigest: string;
  /** Sets the manifest asks for; absent: not told, every membership counts. */
  readonly sets?: readonly string[];
}

interface LeaseRow {
  readonly holder: string;
  readonly run_id: string;
  readonly token: number;
  readonly expires_at: string;
}

export interface LeaseWish {
  readonly sourceId: number;
  readonly source: string;
  readonly runId: string;
  readonly holder: string;
}

/** Takes the source and returns the token. Throws Fault `busy` naming the holder when another run has it. */
export async function takeSource(tx: Queryable, wish: LeaseWish): Promise<number> {
  const free = await attempt(tx, wish, null);
  if (free !== undefined) return free;
  const [held] = await tx.query<LeaseRow>(readLease, [wish.sourceId]);
  const holder = held === undefined ? undefined : parseHolder(held.holder);
  if (held !== undefined && holder !== undefined && hasEnded(holder)) {
    const taken = await attempt(tx, wish, held.token);
    if (taken !== undefined) return taken;
  }
  throw sourceHeld(wish.source, held);
}

async function attempt(
  tx: Queryable,
  wish: LeaseWish,
  deadToken: number | null,
): Promise<number | undefined> {
  const params = [wish.sourceId, wish.holder, wish.runId, ttlSeconds, deadToken];
  const [row] = await tx.query<{ token: number }>(takeLease, params);
  return row?.token;
}

/** Renews inside the caller's transaction, or throws Fault `busy` `LeaseLost`. */
export async function demandLease(tx: Queryable, hold: Hold): Promise<void> {
  const rows = await tx.query(renewLease, [hold.sourceId, hold.token, ttlSeconds]);
  if (rows.length === 0) throw leaseLost(hold);
}

export async function releaseSource(tx: Queryable, hold: Hold): Promise<void> {
  const rows = await tx.query(releaseLease, [hold.sourceId, hold.token]);
  if (rows.length === 0) throw leaseLost(hold);
}

export interface Heartbeat {
  /** Aborted, with the Fault as its reason, when the hold turned out to be lost. */
  readonly lost: AbortSignal;
  stop(): void;
}

/** Renews the hold in the background; keeps no process alive by itself. */
export function startHeartbeat(db: Db, hold: Hold): Heartbeat {
  const lost = new AbortController();
  const timer = setInterval(() => void beat(), heartbeatMs);
  timer.unref();
  async function beat(): Promise<void> {
    try {
      await demandLease(db, hold);
    } catch (error) {
      // A database that is away for a moment shows at the next commit; only a lost lease ends the run from here.
      if (!(error instanceof Fault) || error.code !== "LeaseLost") return;
      clearInterval(timer);
      lost.abort(error);
    }
  }
  return {
    lost: lost.signal,
    stop: () => {
      clearInterval(timer);
    },
  };
}

function leaseLost(hold: Hold): Fault {
  return new Fault("busy", {
    code: "LeaseLost",
    sentence: `Run ${hold.runId} no longer holds the source ${hold.source}: another run took it over after this one was silent too long. Nothing was written.`,
    remedy: "The other run goes on from the last commit; look whether this machine was frozen or overloaded.",
  });
}

/** Also for the memory store, which knows only that somebody holds it. */
export function sourceHeld(
  source: string,
  held?: { readonly holder: string; readonly run_id: string; readonly expires_at?: string },
): Fault {
  const who = held === undefined ? "another run" : `run ${held.run_id} (${held.holder})`;
  const until = held?.expires_at === undefined ? "" : ` Its hold ends at ${held.expires_at} unless renewed.`;
  return new Fault("busy", {
    code: "SourceHeld",
    sentence: `The source ${source} is being harvested by ${who}.${until}`,
    remedy: "Wait until that run has ended; a run that was killed is replaced after a minute at most.",
  });
}
