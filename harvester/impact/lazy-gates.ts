import { startGates } from "../gate/pool.js";
import type { GatePolicy, Gates } from "../gate/gate.js";

/** Gates whose threads start with the first record: of the three sides of a replay most need one. */
export function lazyGates(policy: GatePolicy, threads: number): Gates {
  let started: Promise<Gates> | undefined;
  return {
    async check(job) {
      started ??= startGates(policy, { threads });
      return (await started).check({ body: job.body });
    },
    async close() {
      // Gates that could not start have nothing to close.
      const gates = await started?.catch(() => undefined);
      await gates?.close();
    },
  };
}
