/** Stored records and open quarantine entries as gates can judge them again. Reads only, a small page at a time. */
import { groupBy } from "../../source/group-by.js";
import type { Violation } from "../record.js";
import { textArray } from "./binary-array.js";
import type { Db } from "./db.js";
import { unpack } from "./reading.js";
import { pageRecords } from "./sql/page-records.js";
import { pageRefused } from "./sql/page-refused.js";
import { pickRecords, pickRefused } from "./sql/pick-records.js";
import { sampleRecords } from "./sql/sample-records.js";
import { surveyRecords } from "./sql/survey-records.js";

/** Records in memory at once: a record may have 10 MB. */
const PAGE = 50;

export interface JudgeableSource {
  readonly name: string;
  /** metadataPrefix of what is stored. */
  readonly prefix: string;
  /** Alive in the catalogue. */
  readonly records: number;
  /** Open quarantine entries, but for damage to the envelope. */
  readonly quarantined: number;
  /** Digests of the policies its runs judged by; two mean "two or more". */
  readonly policies: readonly string[];
}

/** Bytes as delivered, and what the last judgement said. */
export interface Judgeable {
  readonly identifier: string;
  readonly body: Uint8Array;
  readonly last:
    | {
        readonly kind: "passed";
        /** Warnings and hints of its rule sets. */
        readonly ruleRemarks: number;
      }
    | { readonly kind: "refused"; readonly violation: Violation };
}

/** Sources of these names, as many as the store knows. */
export function surveyJudgeable(db: Db, names: readonly string[]): Promise<readonly JudgeableSource[]> {
  return db.query<JudgeableSource>(surveyRecords, [textArray(names)]);
}

/** Everything of one source: records, then what is in quarantine, each by identifier. */
export async function* iterateJudgeable(db: Db, name: string): AsyncGenerator<Judgeable, void, void> {
  for (const { page, read } of [passed, refused]) {
    let after = "";
    for (;;) {
      const rows = (await db.query<Row>(page, [name, after, PAGE])).map((row) => read(row));
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = last.identifier;
    }
  }
}

/** At most `size` of all of these sources (sql/sample-records.ts says how they are chosen); gives those of one source. */
export async function sampleJudgeable(
  db: Db,
  names: readonly string[],
  { size, seed }: { readonly size: number; readonly seed: string },
): Promise<(name: string) => AsyncGenerator<Judgeable, void, void>> {
  const rows = await db.query<Chosen>(sampleRecords, [textArray(names), seed, size]);
  const chosen = groupBy(rows, ({ name }) => name);
  return (name) => picked(db, name, chosen.get(name) ?? []);
}

interface Chosen {
  readonly name: string;
  readonly kind: "record" | "refused";
  readonly identifier: string;
}

interface Row {
  readonly identifier: string;
  readonly packed: Uint8Array;
  readonly ruleRemarks?: number;
  readonly gate?: Violation["gate"];
  readonly rule?: string;
  readonly message?: string;
  readonly xpath?: string | null;
  readonly line?: number | null;
}

const passed = { kind: "record", page: pageRecords, pick: pickRecords, read: asPassed } as const;
const refused = { kind: "refused", page: pageRefused, pick: pickRefused, read: asRefused } as const;

async function* picked(
  db: Db,
  name: string,
  chosen: readonly Chosen[],
): AsyncGenerator<Judgeable, void, void> {
  for (const { kind, pick, read } of [passed, refused]) {
    const identifiers = chosen.filter((one) => one.kind === kind).map(({ identifier }) => identifier);
    for (let at = 0; at < identifiers.length; at += PAGE) {
      const page = textArray(identifiers.slice(at, at + PAGE));
      for (const row of await db.query<Row>(pick, [name, page])) yield read(row);
    }
  }
}

function asPassed({ identifier, packed, ruleRemarks = 0 }: Row): Judgeable {
  return { identifier, body: unpack(packed), last: { kind: "passed", ruleRemarks } };
}

function asRefused(row: Row): Judgeable {
  const { identifier, packed, gate = "engine", rule = "unknown", message = "", xpath, line } = row;
  const place = {
    ...(typeof xpath === "string" ? { xpath } : {}),
    ...(typeof line === "number" ? { line } : {}),
  };
  const violation: Violation = { gate, rule, severity: "error", message, ...place };
  return { identifier, body: unpack(packed), last: { kind: "refused", violation } };
}
