/** What a database says when it fails, as a Fault with a sentence and a remedy. One table by SQLSTATE and by errno. */
import { Fault } from "../fault.js";

interface Meaning {
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

const fixConnection =
  "Check that the server runs and that DATABASE_URL names it; then run again: nothing committed is lost.";

/** Longest prefix of the SQLSTATE wins (PostgreSQL manual, appendix A). */
const bySqlState: Readonly<Record<string, Meaning>> = {
  "08": { code: "ConnectionLost", says: "the connection to the database was lost", remedy: fixConnection },
  "57P": {
    code: "DatabaseDown",
    says: "the database is starting up or shutting down",
    remedy: "Run again when it is up: nothing committed is lost.",
  },
  "57014": {
    code: "StatementTimeout",
    says: "a statement took longer than the statement timeout",
    remedy: "Look for load or locks on the database, then run again.",
  },
  "53": {
    code: "DatabaseExhausted",
    says: "the database is out of a resource",
    remedy: "Look at the server's log, then run again.",
  },
  "53100": {
    code: "DiskFull",
    says: "the disk of the database is full",
    remedy: "Free space, then run again: nothing committed is lost.",
  },
  "53300": {
    code: "TooManyConnections",
    says: "the database takes no more connections",
    remedy: "Raise max_connections, or run fewer harvests at once.",
  },
  "55000": {
    code: "DatabaseClosed",
    says: "the database takes no connections at present",
    remedy: "Ask its administrator, then run again: nothing committed is lost.",
  },
  "55P03": {
    code: "LockTimeout",
    says: "another session held a lock too long",
    remedy: "Look in pg_locks for who holds it, then run again.",
  },
  "40001": {
    code: "SerializationFailure",
    says: "another transaction changed the same rows",
    remedy: "Run again.",
  },
  "40P01": { code: "Deadlock", says: "two transactions waited for each other", remedy: "Run again." },
  "28": {
    code: "LoginRefused",
    says: "the database refused the log-in",
    remedy: "Check user, password and pg_hba.conf; the password belongs in DATABASE_URL or PGPASSWORD.",
  },
  "3D000": {
    code: "NoSuchDatabase",
    says: "the database does not exist",
    remedy: "Create it (createdb), or correct the name in DATABASE_URL.",
  },
  "42501": {
    code: "NotAllowed",
    says: "this database role may not do that",
    remedy: "Grant it harvest_writer, or migrate as a member of harvest_owner (docs/store.md).",
  },
  "42P01": {
    code: "NotMigrated",
    says: "the tables of the store are not there",
    remedy: "Migrate the database first (docs/store.md).",
  },
  "25006": {
    code: "ReadOnly",
    says: "the database is read-only, perhaps a standby",
    remedy: "Point DATABASE_URL at the primary.",
  },
  "58": {
    code: "DatabaseDisk",
    says: "the database cannot read or write its files",
    remedy: "Look at the disk and at the server's log.",
  },
  XX001: {
    code: "StoreDamaged",
    says: "the database found damaged data",
    remedy: "Restore a backup; an embedded store may be moved away and harvested anew.",
  },
  XX002: {
    code: "StoreDamaged",
    says: "the database found a damaged index",
    remedy: "REINDEX, or restore a backup.",
  },
};

const byErrno: Readonly<Record<string, Meaning>> = {
  ECONNREFUSED: { code: "DatabaseDown", says: "nothing listens there", remedy: fixConnection },
  ENOTFOUND: {
    code: "DatabaseUnknown",
    says: "the host name is unknown",
    remedy: "Correct the host in DATABASE_URL.",
  },
  EAI_AGAIN: { code: "DatabaseUnknown", says: "the host name could not be looked up", remedy: fixConnection },
  ENOENT: { code: "DatabaseDown", says: "the socket does not exist", remedy: fixConnection },
  EACCES: {
    code: "NotAllowed",
    says: "the file system refuses access",
    remedy: "Check owner and rights of the socket or directory.",
  },
  ENOSPC: {
    code: "DiskFull",
    says: "the disk is full",
    remedy: "Free space, then run again: nothing committed is lost.",
  },
  ETIMEDOUT: { code: "ConnectionLost", says: "the database did not answer in time", remedy: fixConnection },
  ECONNRESET: {
    code: "ConnectionLost",
    says: "the connection to the database was lost",
    remedy: fixConnection,
  },
  EPIPE: { code: "ConnectionLost", says: "the connection to the database was lost", remedy: fixConnection },
  EHOSTUNREACH: { code: "DatabaseDown", says: "the host cannot be reached", remedy: fixConnection },
};

const tlsCode = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL)/;
const lostMessage =
  /connection terminated|connection ended|connection timeout|timeout exceeded|client was closed|not queryable/i;
const tlsMessage = /does not support SSL/i;

/**
 * @param where what was being done and on which store, without secrets: "While committing to db.example/harvest".
 * @returns the Fault itself when it is one; Fault `store` for what the database can suffer; Fault `bug` for SQL of ours
 *   the database refused.
 */
export function storeFault(thrown: unknown, where: string): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = innermost(thrown);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const meaning = meaningOf(code, error.message);
  // The driver's error may carry the statement's parameters, that is whole records: only code and message go on.
  const cause = new Error(code === "" ? error.message : `${code}: ${error.message}`);
  if (meaning === undefined) return ourBug({ where, code, cause });
  return new Fault("store", {
    code: meaning.code,
    sentence: `${where}: ${meaning.says} (${firstLine(error.message)}).`,
    remedy: meaning.remedy,
    cause,
  });
}

function ourBug(of: { readonly where: string; readonly code: string; readonly cause: Error }): Fault {
  return new Fault("bug", {
    code: of.code === "" ? "StoreBug" : `Sql${of.code}`,
    sentence: `${of.where}: the database refused a statement of ours (${firstLine(of.cause.message)}).`,
    remedy: "This is a fault of the harvester: please report it with the output of --log-level debug.",
    cause: of.cause,
  });
}

function meaningOf(code: string, message: string): Meaning | undefined {
  const errno = byErrno[code];
  if (errno !== undefined) return errno;
  for (let length = code.length === 5 ? 5 : 0; length >= 2; length -= 1) {
    const meaning = bySqlState[code.slice(0, length)];
    if (meaning !== undefined) return meaning;
  }
  if (tlsCode.test(code) || tlsMessage.test(message)) return tlsTrouble;
  if (/no space left/i.test(message)) return byErrno["ENOSPC"];
  return lostMessage.test(message) ? bySqlState["08"] : undefined;
}

const tlsTrouble: Meaning = {
  code: "DatabaseTls",
  says: "the secure connection to the database could not be made",
  remedy: "Check sslmode and sslrootcert in DATABASE_URL against the server's certificate.",
};

/** Node hides the first refusal of several addresses in an AggregateError without a message of its own. */
function innermost(thrown: unknown): Error {
  if (thrown instanceof AggregateError && thrown.errors[0] instanceof Error) return thrown.errors[0];
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
