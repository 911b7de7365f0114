/** Is a line what its kind says? A recording is a file from anywhere: nothing in it is believed unseen. */
import { faultTable } from "../fault.js";
import type { TapeCursor, TapeExchange, TapeHead, TapeKnown, TapeSource } from "./exchange-tape.js";
import { isAddress } from "../../source/address.js";

type Line = Readonly<Record<string, unknown>>;

export function isHead(line: Line): boolean {
  const head = line as Partial<TapeHead>;
  return (
    isCount(head.seed) &&
    isText(head.by) &&
    isInstant(head.recordedAt) &&
    maybe(head.limit, isCount) &&
    maybe(head.maxRequests, isCount)
  );
}

export function isSource(line: Line): boolean {
  const source = line as Partial<TapeSource>;
  return (
    isText(source.source) &&
    isText(source.endpoint) &&
    isAddress(source.endpoint) &&
    (source.target === "sandbox" || source.target === "live") &&
    isInstant(source.startedAt)
  );
}

export function isExchange(line: Line): boolean {
  const { at, request, response, fault } = line as Partial<TapeExchange>;
  return (
    isCount(at) &&
    isRequest(request) &&
    (response !== undefined || fault !== undefined) &&
    maybe(response, isResponse) &&
    maybe(fault, isFault)
  );
}

export function isKnown(line: Line): boolean {
  const { states } = line as Partial<TapeKnown>;
  return isObject(states) && Object.values(states).every(isState);
}

export function isCursor(line: Line): boolean {
  const { key, cursor } = line as Partial<TapeCursor>;
  return (
    isObject(key) &&
    isText(key.set) &&
    isText(key.prefix) &&
    isObject(cursor) &&
    maybe(cursor.watermark, isInstant) &&
    maybe(cursor.sweptAt, isInstant)
  );
}

function isRequest(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { method, url, headers, body } = value;
  return (method === "GET" || method === "POST") && isText(url) && isTexts(headers) && maybe(body, isText);
}

function isResponse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { status, url, headers, warnings, body, pieces } = value;
  return (
    isCount(status) &&
    isText(url) &&
    isTexts(headers) &&
    isList(warnings, (one) => isObject(one) && isText(one["code"]) && isText(one["sentence"])) &&
    isText(body) &&
    isList(pieces, isCount)
  );
}

function isFault(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { fault, code, sentence, remedy, status, retryAfterMs } = value;
  return (
    isText(fault) &&
    Object.hasOwn(faultTable, fault) &&
    isText(code) &&
    isText(sentence) &&
    maybe(remedy, isText) &&
    maybe(status, isCount) &&
    maybe(retryAfterMs, isCount)
  );
}

function isState(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { checksum, rawChecksum, datestamp, sequence, deleted, sets, quarantined } = value;
  return (
    maybe(checksum, isHex) &&
    maybe(rawChecksum, isHex) &&
    maybe(datestamp, isInstant) &&
    maybe(sequence, isCount) &&
    typeof deleted === "boolean" &&
    isList(sets, isText) &&
    maybe(quarantined, (one) => isObject(one) && isHex(one["rawChecksum"]) && isText(one["policyDigest"]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isHex(value: unknown): boolean {
  return isText(value) && /^[0-9a-f]*$/.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isInstant(value: unknown): boolean {
  return isText(value) && !Number.isNaN(Date.parse(value));
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText);
}

function isList(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function maybe(value: unknown, is: (one: unknown) => boolean): boolean {
  return value === undefined || is(value);
}
