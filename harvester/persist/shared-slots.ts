/**
 * Slots of hosts, leased in PostgreSQL. A slot given back stays with this process for a moment, so that a harvest asking
 * request after request costs no statement for each; all held slots are renewed together.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Db } from "./db.js";
import { processHolder } from "./process-identity.js";
import { freeSlot } from "./sql/free-slot.js";
import { makeSlots } from "./sql/make-slots.js";
import { renewSlot } from "./sql/renew-slot.js";
import { takeSlot } from "./sql/take-slot.js";

/** A killed or frozen process frees its slots after this many seconds. */
const ttlSeconds = 20;
const renewMs = 5_000;
const idleMs = 1_000;

export interface Slot {
  readonly host: string;
  readonly slot: number;
  readonly token: number;
  busy: boolean;
  renewedAt: number;
  idleSince: number;
}

export class SharedSlots {
  readonly #db: Db;
  readonly #holder = processHolder();
  readonly #held = new Set<Slot>();
  readonly #made = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Waits, asking again at random moments, until a slot is free; rejects when `signal` is aborted. */
  async acquire(host: string, ceiling: number, signal: AbortSignal): Promise<Slot> {
    for (;;) {
      signal.throwIfAborted();
      const slot = this.#idleSlot(host, ceiling) ?? (await this.#take(host, ceiling));
      if (slot !== undefined) return slot;
      // Full jitter: pods that poll in step would starve one another.
      // Its own rejection would not say why the run was stopped; the signal does.
      await wait(20 + Math.random() * 500, undefined, { signal }).catch(() => undefined);
    }
  }

  release(slot: Slot): Promise<void> {
    slot.busy = false;
    slot.idleSince = performance.now();
    return Promise.resolve();
  }

  /** Gives every slot back at once. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const slot of this.#held) await this.#free(slot);
  }

  #idleSlot(host: string, ceiling: number): Slot | undefined {
    for (const slot of this.#held) {
      const fresh = performance.now() - slot.renewedAt < (ttlSeconds - 5) * 1000;
      if (slot.host !== host || slot.busy || slot.slot > ceiling || !fresh) continue;
      slot.busy = true;
      return slot;
    }
    return undefined;
  }

  async #take(host: string, ceiling: number): Promise<Slot | undefined> {
    if ((this.#made.get(host) ?? 0) < ceiling) {
      await this.#db.query(makeSlots, [host, ceiling]);
      this.#made.set(host, ceiling);
    }
    // Counted from before the question: the lease began no later than the server's answer.
    const renewedAt = performance.now();
    const [row] = await this.#db.query<{ slot: number; token: number }>(takeSlot, [
      host,
      ceiling,
      this.#holder,
      ttlSeconds,
    ]);
    if (row === undefined) return undefined;
    const slot: Slot = { host, slot: row.slot, token: row.token, busy: true, renewedAt, idleSince: 0 };
    this.#held.add(slot);
    this.#tend();
    return slot;
  }

  /** While anything is held: renew what works, give back what rests. */
  #tend(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.#round(), idleMs);
    this.#timer.unref();
  }

  async #round(): Promise<void> {
    const now = performance.now();
    for (const slot of [...this.#held]) {
      if (!slot.busy && now - slot.idleSince >= idleMs) await this.#free(slot);
      else if (now - slot.renewedAt >= renewMs) await this.#renew(slot);
    }
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #renew(slot: Slot): Promise<void> {
    const renewedAt = performance.now();
    try {
      const rows = await this.#db.query(renewSlot, [slot.host, slot.slot, slot.token, ttlSeconds]);
      if (rows.length > 0) slot.renewedAt = renewedAt;
      else this.#held.delete(slot);
    } catch {
      // The database is away: the lease runs out by itself, and the next commit says what is wrong.
    }
  }

  async #free(slot: Slot): Promise<void> {
    this.#held.delete(slot);
    try {
      await this.#db.query(freeSlot, [slot.host, slot.slot, slot.token]);
    } catch {
      // As above: it runs out by itself.
    }
  }
}
