/** The identifier sweep: the source's whole list is staged in the store, then compared there with what is alive. */
import { textArray } from "./binary-array.js";
import type { Db } from "./db.js";
import { demandLease, type Hold } from "./lease.js";
import { compareSweep } from "./sql/compare-sweep.js";
import { dropSweep } from "./sql/drop-sweep.js";
import { stageSweep } from "./sql/stage-sweep.js";
import { identifierKey } from "./storable.js";
import type { RunStore } from "./store.js";

const chunk = 2000;

interface SweepRow {
  readonly known: number;
  readonly missing_count: number;
  readonly staged: number;
  readonly missing: readonly string[];
  readonly missing_quarantined: readonly string[];
}

export function sweepOf(db: Db, hold: Hold): Pick<RunStore, "stageSweep" | "sweep" | "dropSweep"> {
  return {
    async stageSweep(identifiers) {
      // Sorted and distinct, so that the index grows in order.
      const keys = [...new Set(identifiers.map(identifierKey))].sort();
      for (let at = 0; at < keys.length; at += chunk) {
        await db.query(stageSweep, [hold.sourceId, hold.runId, textArray(keys.slice(at, at + chunk))]);
      }
    },
    async sweep(set, atMost) {
      await demandLease(db, hold);
      const [row] = await db.query<SweepRow>(compareSweep, [hold.sourceId, hold.runId, set, atMost]);
      if (row === undefined) return { known: 0, missing: [], missingCount: 0 };
      const { known, staged, missing } = row;
      return {
        known,
        staged,
        missing,
        missingCount: row.missing_count,
        missingQuarantined: row.missing_quarantined,
      };
    },
    async dropSweep() {
      await db.query(dropSweep, [hold.sourceId]);
    },
  };
}
