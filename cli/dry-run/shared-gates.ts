/**
 * Gates for several sources at once, with no more threads than there are cores: sources with the same policy share
 * theirs, and those with another one wait until threads are free.
 */
import { startGates } from "../../harvester/gate/pool.js";
import type { Gates } from "../../harvester/gate/gate.js";
import type { LoadedPolicy } from "../../harvester/policy.js";

export interface GateHallOptions {
  /** In all. */
  readonly threads: number;
  /** Different policies there will be at once, at most. */
  readonly policies: number;
}

interface Pool {
  readonly gates: Promise<Gates>;
  users: number;
}

export class GateHall {
  readonly #each: number;
  readonly #most: number;
  readonly #pools = new Map<string, Pool>();
  #waiting: (() => void)[] = [];

  constructor({ threads, policies }: GateHallOptions) {
    this.#each = Math.max(1, Math.floor(threads / Math.max(1, policies)));
    this.#most = Math.max(1, Math.floor(threads / this.#each));
  }

  /** Gates of this policy; closing them gives them back. Rejects with Fault `config` when it cannot be compiled. */
  async open({ digest, policy }: LoadedPolicy): Promise<Gates> {
    await this.#room(digest);
    const pool = this.#pools.get(digest) ?? {
      gates: startGates(policy, { threads: this.#each }),
      users: 0,
    };
    this.#pools.set(digest, pool);
    pool.users += 1;
    const gates = await pool.gates.catch((error: unknown) => {
      if (this.#pools.get(digest) === pool) this.#pools.delete(digest);
      this.#wake();
      throw error;
    });
    let given = false;
    return {
      check: (job) => gates.check(job),
      close: () => {
        if (!given) pool.users -= 1;
        given = true;
        this.#wake();
        return Promise.resolve();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(closed));
    this.#pools.clear();
  }

  /** Ends gates nobody uses; waits where all are in use. */
  async #room(digest: string): Promise<void> {
    while (!this.#pools.has(digest) && this.#pools.size >= this.#most) {
      const idle = [...this.#pools].find(([, pool]) => pool.users === 0);
      if (idle === undefined) await new Promise<void>((go) => this.#waiting.push(go));
      else {
        this.#pools.delete(idle[0]);
        await closed(idle[1]);
      }
    }
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

async function closed({ gates }: Pool): Promise<void> {
  // What could not start has nothing to close.
  await (await gates.catch(() => undefined))?.close();
}
