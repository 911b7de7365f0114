/**
 * Text from a source, made fit for the database. A value PostgreSQL refuses (NUL, a lone surrogate, the year 0) would
 * fail its whole batch: one bad record would cost two hundred (law 2).
 */
import { createHash } from "node:crypto";
import type { Instant } from "../record.js";

/** A B-tree row holds at most about 2,700 bytes; identifiers are part of keys. */
const maxIdentifierBytes = 1024;
const loneSurrogate = /\p{Surrogate}/gu;
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** The same text without NUL and lone surrogates, which become U+FFFD. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(loneSurrogate, "\uFFFD");
}

/** The key an identifier is stored under: itself, or its beginning and its SHA-256 when it is too long for an index. */
export function identifierKey(identifier: string): string {
  const text = storableText(identifier);
  if (Buffer.byteLength(text) <= maxIdentifierBytes) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  return `${text.slice(0, 200).replace(loneSurrogate, "")}…sha256:${digest}`;
}

/** JSON that jsonb accepts. The fast way looks once at the result; only suspicious text is walked value by value. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "null";
  if (!unstorableEscape.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? storableText(part) : part,
  );
}

/** The instant, or null when it is absent or no time PostgreSQL knows: then it counts as not given (case C22). */
export function storableInstant(instant: Instant | undefined): string | null {
  if (instant === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(instant)) return null;
  const time = Date.parse(instant);
  if (Number.isNaN(time) || instant.startsWith("0000")) return null;
  return new Date(time).toISOString().startsWith(instant.slice(0, 19)) ? instant : null;
}
