/**
 * The one door to a database, with two engines behind it: PostgreSQL over the network (postgres.ts) and PGlite in
 * process (embedded.ts). Both take the same SQL text and give the same JavaScript values:
 * bigint → number, timestamptz → Instant (UTC, whole seconds), bytea → Uint8Array, jsonb → parsed.
 */

/** Arrays go in through binary-array.ts, JSON as text with a cast in the SQL. */
export type Param = string | number | boolean | null | Uint8Array;

export interface Queryable {
  /** One statement. Row is the caller's claim about the columns it selected. */
  query<Row extends object>(sql: string, params?: readonly Param[]): Promise<readonly Row[]>;
  /** Several statements without parameters, as a migration file holds them. */
  script(sql: string): Promise<void>;
}

/** What a commit wrote, so that an engine without background workers can look after itself. */
export interface Written {
  readonly rows: number;
  readonly bytes: number;
}

export interface Db extends Queryable {
  readonly engine: "postgres" | "embedded";
  /**
   * All or nothing. `work` may be called again when the database chose it as the victim of a deadlock, so it must do
   * nothing but query. Throws Fault `store` when the database is down, full or lost.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Called after a commit; the embedded engine checkpoints and analyses here, PostgreSQL does so by itself. */
  settle(written: Written): Promise<void>;
  close(): Promise<void>;
}
