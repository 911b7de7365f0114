/**
 * The program the kill tests kill. It checks what the one before it left, says so (`state <json>`), then commits
 * numbered batches for ever and says `ack <n>` after each. With a commit point it kills itself there, in its third batch.
 *
 *   node --import tsx tests/store/killed-writer.ts '{"engine":"embedded","target":".harvest","source":"s","killAt":"committed"}'
 */
import type { Db, Queryable } from "../../harvester/persist/db.js";
import { openEmbedded } from "../../harvester/persist/embedded.js";
import { migrate } from "../../harvester/persist/migrate.js";
import { openStore } from "../../harvester/persist/open-store.js";
import { openPostgres } from "../../harvester/persist/postgres.js";
import { processHolder } from "../../harvester/persist/process-identity.js";
import { advanceCursor } from "../../harvester/persist/sql/advance-cursor.js";
import { healRecords } from "../../harvester/persist/sql/heal-records.js";
import { quarantineRecords } from "../../harvester/persist/sql/quarantine-records.js";
import { renewLease } from "../../harvester/persist/sql/renew-lease.js";
import { upsertRecords } from "../../harvester/persist/sql/upsert-records.js";
import type { RunStore } from "../../harvester/persist/store.js";
import type { CommitPoint, Left, WriterTask } from "./kill-protocol.js";
import { batch, change, key, refusal, runStart } from "./samples.js";

const perBatch = 10;
const epoch = Date.parse("2026-01-01T00:00:00Z");

/** The statement a commit point lies before. */
const statementAt = new Map<string, CommitPoint>([
  [renewLease, "before-lease"],
  [upsertRecords, "before-records"],
  [healRecords, "before-heal"],
  [quarantineRecords, "before-quarantine"],
  [advanceCursor, "before-cursor"],
]);

const task = JSON.parse(process.argv[2] ?? "{}") as WriterTask;
const db = task.engine === "embedded" ? await openEmbedded(task.target) : await openPostgres(task.target);
await migrate(db);
let armed: CommitPoint | undefined;
const store = openStore(killing(db));
const run = await store.begin(
  runStart({
    runId: `${task.source}-${String(Date.now())}-${String(process.pid)}`,
    source: task.source,
    holder: processHolder(),
  }),
);
const left = await look(db, run);
say(`state ${JSON.stringify(left)}`);
if (task.verifyOnly === true) {
  await store.close();
} else {
  for (let n = left.watermark + 1; ; n += 1) {
    if (n === left.watermark + 3) armed = task.killAt;
    await commitNumbered(run, n);
    say(`ack ${String(n)}`);
  }
}

function commitNumbered(to: RunStore, n: number): Promise<unknown> {
  const changes = Array.from({ length: perBatch }, (_, i) =>
    change(`b${String(n)}-${String(i)}`, `${String(n)} ${"x".repeat(2000)}`),
  );
  changes.push(change("shared", String(n), { sequence: n }));
  return to.commit(
    batch({
      changes,
      refusals: [refusal(`bad-${String(n)}`)],
      healed: [`bad-${String(n - 1)}`],
      cursor: { watermark: instantOf(n) },
    }),
  );
}

/** What stands in the store: nothing but whole batches 1 … watermark may be there, each once. */
async function look(on: Queryable, held: RunStore): Promise<Left> {
  const { watermark } = await held.loadCursor(key);
  const n = watermark === undefined ? 0 : (Date.parse(watermark) - epoch) / 1000;
  const [row] = await on.query<{
    records: number;
    highest: number;
    shared: string | null;
    open: number;
    refused: number;
  }>(
    `SELECT (SELECT count(*) FROM record r WHERE source_id = s.id AND identifier <> 'shared')::int AS records,
       (SELECT coalesce(max(split_part(canonical ->> 'title', ' ', 1)::int), 0) FROM record WHERE source_id = s.id AND identifier <> 'shared') AS highest,
       (SELECT canonical ->> 'title' FROM record WHERE source_id = s.id AND identifier = 'shared') AS shared,
       (SELECT count(*) FROM quarantine WHERE source_id = s.id AND resolved_at IS NULL)::int AS open,
       (SELECT count(*) FROM quarantine WHERE source_id = s.id)::int AS refused
     FROM source s WHERE name = $1`,
    [task.source],
  );
  const expected = {
    records: n * perBatch,
    highest: n,
    shared: n === 0 ? null : String(n),
    open: Math.min(n, 1),
    refused: n,
  };
  const problem =
    JSON.stringify(row) === JSON.stringify(expected)
      ? undefined
      : `${JSON.stringify(row)} instead of ${JSON.stringify(expected)}`;
  return { watermark: n, ...(problem === undefined ? {} : { problem }) };
}

function instantOf(n: number): string {
  return new Date(epoch + n * 1000).toISOString().replace(".000Z", "Z");
}

/** The same database, but this process ends by SIGKILL at the armed point. */
function killing(inner: Db): Db {
  return {
    engine: inner.engine,
    query: (sql, params) => inner.query(sql, params),
    script: (sql) => inner.script(sql),
    settle: (written) => inner.settle(written),
    close: () => inner.close(),
    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      const result = await inner.transaction(async (tx) => {
        const done = await work({
          script: (sql) => tx.script(sql),
          query: (sql, params) => {
            pass(statementAt.get(sql));
            return tx.query(sql, params);
          },
        });
        pass("before-commit");
        return done;
      });
      pass("committed");
      return result;
    },
  };
}

function pass(point: CommitPoint | undefined): void {
  if (point !== undefined && point === armed) process.kill(process.pid, "SIGKILL");
}

/** Pipes are written synchronously on POSIX: what was said before a kill arrives. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
