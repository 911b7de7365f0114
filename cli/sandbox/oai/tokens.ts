/**
 * Resumption tokens. The state of a list is packed into text with a check sum, in base64 with its `+ / =`, which a
 * client must percent-encode (case C09). Stateless tokens are that text; expiring ones are a number behind which the
 * server keeps it, and forget it when their time is over.
 */
import { createHash } from "node:crypto";
import type { Format } from "../content/format.js";
import type { ListQuery, Position } from "../repository/repository.js";
import { OaiError, type Verb } from "./question.js";

export interface ListState {
  readonly verb: Verb;
  readonly query: ListQuery;
  readonly position: Position;
  /** Records delivered before this page. */
  readonly cursor: number;
  /** Completed when the list began, as real servers do. */
  readonly listSize: number;
}

export type TokenKind =
  { readonly kind: "stateless" } | { readonly kind: "expiring"; readonly lifetimeSeconds: number };

/** Tokens kept for lists nobody finishes; the oldest goes first. */
const MAX_KEPT = 10_000;

export interface IssuedToken {
  readonly token: string;
  /** Seconds of the epoch. */
  readonly expires?: number;
}

export class Tokens {
  readonly #kind: TokenKind;
  readonly #kept = new Map<string, { readonly packed: string; readonly expires: number }>();
  #issued = 0;

  constructor(kind: TokenKind) {
    this.#kind = kind;
  }

  issue(state: ListState, nowSeconds: number): IssuedToken {
    const packed = pack(state);
    if (this.#kind.kind === "stateless") return { token: packed };
    const token = `list-${String(++this.#issued)}`;
    const expires = nowSeconds + this.#kind.lifetimeSeconds;
    this.#keep(token, { packed, expires });
    return { token, expires };
  }

  /** Another text for a token: "0", which a careless client takes for none (C03), or one full of odd characters (C09). */
  alias(token: string, as: "zero" | "awkward"): string {
    const text = as === "zero" ? "0" : `a+b/c== d&e#f|${String(++this.#issued)}`;
    this.#keep(text, this.#kept.get(token) ?? { packed: token, expires: Number.MAX_SAFE_INTEGER });
    return text;
  }

  /** Throws badResumptionToken for a token that is forged, expired, or of another verb. */
  read(token: string, verb: Verb, nowSeconds: number): ListState {
    const kept = this.#kept.get(token);
    if (kept !== undefined && kept.expires < nowSeconds)
      throw new OaiError("badResumptionToken", "The resumption token has expired.");
    const state = unpack(kept?.packed ?? token);
    if (state === undefined)
      throw new OaiError("badResumptionToken", "This repository issued no such resumption token.");
    if (state.verb !== verb)
      throw new OaiError("badResumptionToken", `The token was issued for ${state.verb}.`);
    return state;
  }

  /** The page of the list a token leads to, the first is 1; 0 when it is none of ours. */
  pageOf(token: string, pageSize: number): number {
    const state = unpack(this.#kept.get(token)?.packed ?? token);
    return state === undefined ? 0 : 1 + Math.round(state.cursor / pageSize);
  }

  /** Forgets every kept token, as a restart of the server does. */
  forget(): void {
    this.#kept.clear();
  }

  #keep(token: string, kept: { readonly packed: string; readonly expires: number }): void {
    this.#kept.delete(token);
    this.#kept.set(token, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** What a token holds, in order. */
type Packed = [
  Verb,
  Format,
  string,
  number | null,
  number | null,
  [number] | [number, number],
  number,
  number,
];

function pack(state: ListState): string {
  const { verb, query, position, cursor, listSize } = state;
  const place = position.in === "content" ? [position.index] : [position.stamp, position.sequence];
  const text = JSON.stringify([
    verb,
    query.format,
    query.set,
    query.from ?? null,
    query.until ?? null,
    place,
    cursor,
    listSize,
  ]);
  return Buffer.from(`${checkSum(text)}${text}`).toString("base64");
}

function unpack(token: string): ListState | undefined {
  const text = Buffer.from(token, "base64").toString();
  if (text.slice(0, 8) !== checkSum(text.slice(8))) return undefined;
  const [verb, format, set, from, until, place, cursor, listSize] = JSON.parse(text.slice(8)) as Packed;
  const position: Position =
    place.length === 1
      ? { in: "content", index: place[0] }
      : { in: "changes", stamp: place[0], sequence: place[1] };
  const query: ListQuery = {
    format,
    set,
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
  };
  return { verb, query, position, cursor, listSize };
}

/** Keeps honest clients from reading meaning into a token and forged ones from working; it is no secret. */
function checkSum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
