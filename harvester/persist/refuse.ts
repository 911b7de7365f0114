import type { Violation } from "../record.js";
import { latestOfEach, slices } from "./batch.js";
import { byteaArray, textArray } from "./binary-array.js";
import type { Queryable } from "./db.js";
import type { Hold } from "./lease.js";
import { quarantineRecords } from "./sql/quarantine-records.js";
import { storableJson, storableText } from "./storable.js";
import type { Batch, Refusal } from "./store.js";
import { firstError, keptViolations } from "./violations.js";

/** Puts the batch's refusals into quarantine, inside the caller's transaction; returns how many. */
export async function refuse(tx: Queryable, hold: Hold, batch: Batch): Promise<number> {
  const refusals = latestOfEach(batch.refusals);
  const cursor = storableJson({ ...batch.key, ...batch.cursor });
  for (const slice of slices(refusals)) {
    await tx.query(quarantineRecords, [
      hold.sourceId,
      hold.runId,
      hold.policyDigest,
      cursor,
      ...columns(slice),
    ]);
  }
  return refusals.length;
}

function columns(slice: readonly Refusal[]): readonly Uint8Array[] {
  const first = slice.map((refusal) => firstError(refusal.violations));
  return [
    textArray(slice.map((refusal) => refusal.identifier)),
    textArray(slice.map((refusal) => refusal.set)),
    textArray(first.map((violation) => violation.gate)),
    textArray(first.map((violation) => storableText(violation.rule))),
    textArray(first.map((violation) => violation.message)),
    textArray(first.map((violation) => violation.xpath)),
    textArray(first.map(lineOf)),
    textArray(slice.map((refusal) => storableJson(keptViolations(refusal.violations)))),
    byteaArray(slice.map((refusal) => refusal.packed)),
    byteaArray(slice.map((refusal) => refusal.rawChecksum)),
    textArray(slice.map((refusal) => (refusal.header === undefined ? null : storableJson(refusal.header)))),
  ];
}

/** As an `int`: a line beyond two thousand million is a bug of an engine, not worth a batch. */
function lineOf({ line }: Violation): string | null {
  return line !== undefined && Number.isInteger(line) && Math.abs(line) < 2 ** 31 ? String(line) : null;
}
