import { parseAddress } from "../../source/address.js";

/** What may be shown of an address or a body: no password, no key, nothing a terminal or a status field would choke on (case C92). */

const HIDDEN = "***";
const MAX_URL = 300;
const MAX_EXCERPT_BYTES = 2048;

/** A parameter name that holds a secret, in full. `resumptionToken` is none: it opens nothing and explains much. */
const secretName =
  /^(?:key|token|auth|authorization|pass|passwd|password|pwd|secret|sig|signature|sid|session|jsessionid|phpsessid|code|jwt|bearer|id_token|ticket)$/i;
/** A piece of a name that makes the whole name a secret's. */
const secretPiece =
  /api[-_]?key|access[-_]?(?:key|token)|auth[-_]?(?:key|token)|refresh[-_]?token|security[-_]?token|session[-_]?(?:id|token)|secret|passw|credential|signature|subscription[-_]?key/i;

function namesSecret(name: string): boolean {
  return secretName.test(name) || secretPiece.test(name);
}

/** An address for people: without user name, password and fragment, secret query values replaced, at most 300 characters. */
export function redactUrl(url: string | URL): string {
  const text = stripUrl(url);
  return text.length <= MAX_URL ? text : `${text.slice(0, MAX_URL - 1)}…`;
}

/** The same in full length, for what must be compared. */
export function stripUrl(url: string | URL): string {
  const parsed = parseAddress(url);
  if (parsed === undefined) return "(an address that cannot be read)";
  const path = parsed.pathname.replace(/;([^=;/]+)=[^;/]*/g, (whole, name: string) =>
    namesSecret(name) ? `;${name}=${HIDDEN}` : whole,
  );
  return `${parsed.protocol}//${parsed.host}${path}${redactQuery(parsed.search)}`;
}

/** Values of an address that stand for secrets, decoded and as sent. */
export function secretsOf(url: string | URL): readonly string[] {
  const address = parseAddress(url);
  if (address === undefined) return [];
  const { search, pathname, username, password } = address;
  const pairs = [...`${search}${pathname}`.matchAll(/[?&;]([^=&;/]*)=([^&;/?]*)/g)];
  const values = pairs.filter(([, name = ""]) => namesSecret(decoded(name))).map(([, , value = ""]) => value);
  return [username, password, ...values].flatMap((value) => [value, decoded(value)]);
}

/** Works on the raw text, so that what is not secret stays as it was sent. */
function redactQuery(search: string): string {
  return search.replace(/([?&;])([^=&;]*)=([^&;]*)/g, (whole, mark: string, name: string) =>
    namesSecret(decoded(name)) ? `${mark}${name}=${HIDDEN}` : whole,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The beginning of a body for a message: at most 2 KiB, read as UTF-8 whatever it is, without control characters
 * (terminal escapes, NUL, text direction marks), and without `name=value` secrets it may echo.
 */
export function cleanExcerpt(bytes: Uint8Array): string {
  const cut = bytes.length > MAX_EXCERPT_BYTES;
  const text = new TextDecoder("utf-8").decode(bytes.subarray(0, MAX_EXCERPT_BYTES));
  const clean = redactText(text)
    .replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\uFFFD/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const full = cut ? `${clean} …` : clean;
  return shorten(full);
}

/** Replacement and the mark of a cut may have made it longer than what was cut. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= MAX_EXCERPT_BYTES) return text;
  return `${Buffer.from(text)
    .subarray(0, MAX_EXCERPT_BYTES - 8)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")} …`;
}

/** Free text (an error of a library, a page that echoes its request) without `user:password@` and `secret=value`. */
export function redactText(text: string): string {
  return text
    .replace(/\/\/[^/\s"'<>@]*@/g, "//")
    .replace(/\b(bearer|basic|negotiate)\s+[\w+/=.~-]{6,}/gi, `$1 ${HIDDEN}`)
    .replace(
      /([\w-]{1,60})("?\s{0,3}(?:=|:|%3D)\s{0,3}"?)([^\s&;"'<>,]+)/gi,
      (whole, name: string, mark: string) => (namesSecret(name) ? `${name}${mark}${HIDDEN}` : whole),
    );
}
