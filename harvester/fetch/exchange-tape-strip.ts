/** What of an exchange may be written down. Names are allowed, not forbidden: what nobody thought of stays out. */
import { redactText, secretsOf, stripUrl } from "./redact.js";
import type { HttpRequest } from "../http.js";
import type { TapeRequest } from "./exchange-tape.js";

const requestNames = new Set(["accept", "accept-encoding", "content-type", "user-agent"]);
/** Those the harvester reads, and those that explain an answer. */
const responseNames = new Set([
  "age",
  "cache-control",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "etag",
  "last-modified",
  "retry-after",
  "server",
  "vary",
  "via",
]);
/** A shorter value could be any word of a record. */
const SHORTEST_SECRET = 6;

export function strippedRequest({ method, url, headers, body }: HttpRequest): TapeRequest {
  return {
    method,
    url: stripUrl(url),
    headers: allowed(headers, requestNames),
    ...(body === undefined ? {} : { body: redactText(body) }),
  };
}

export function strippedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return allowed(headers, responseNames);
}

/** Texts that must stand nowhere in an answer: from the address, and from the secret headers that went with it. */
export function secretTexts(url: string, secretHeaders: Readonly<Record<string, string>>): readonly string[] {
  const headers = Object.values(secretHeaders).flatMap((value) => [value, ...value.split(/\s+/)]);
  const found = [...secretsOf(url), ...headers].filter((text) => text.length >= SHORTEST_SECRET);
  const escaped = found.map((text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  );
  return [...new Set([...found, ...escaped])].sort((a, b) => b.length - a.length);
}

/** A server may echo its request: each secret becomes as many asterisks as it has bytes, so that lengths stay. */
export function masked(body: Uint8Array, secrets: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  for (const secret of secrets) {
    const wanted = Buffer.from(secret, "utf8");
    for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length))
      bytes.fill("*", at, at + wanted.length);
  }
  return bytes;
}

function allowed(
  headers: Readonly<Record<string, string>>,
  names: ReadonlySet<string>,
): Record<string, string> {
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), redactText(value)] as const)
    .filter(([name]) => names.has(name));
  return Object.fromEntries(kept);
}
