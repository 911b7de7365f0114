import { isAddress } from "../address.js";

/**
 * Addresses as the API server reads them: CEL's isURL() and url() are Go's url.ParseRequestURI and url.Parse, which take
 * much that the WHATWG URL of JavaScript refuses, and the other way round (net/url of Go 1.26).
 */
export interface GoUrl {
  /** In lower case; empty where there is none. */
  readonly scheme: string;
  /** With port, IPv6 in brackets. */
  readonly host: string;
  readonly rawQuery: string;
}

/** CEL's url(); undefined = an error there. */
export function parseGoUrl(text: string): GoUrl | undefined {
  const asRequest = parse(text, true);
  if (asRequest === undefined) return undefined;
  const fragment = text.indexOf("#");
  if (fragment < 0) return asRequest.scheme === "" ? parse(text, false) : asRequest;
  const whole = parse(text.slice(0, fragment), false);
  return hasBrokenEscape(text.slice(fragment + 1)) ? undefined : whole;
}

/** CEL's isURL(): an absolute address, or an absolute path. */
export function isGoUrl(text: string): boolean {
  return parse(text, true) !== undefined;
}

/** Without port and brackets. */
export function hostnameOf({ host }: GoUrl): string {
  const name = host.slice(0, host.length - portText(host).length);
  return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
}

/** Empty where there is none. */
export function portOf({ host }: GoUrl): string {
  return portText(host).slice(1);
}

/** Names and values without their escapes; what cannot be read is left out. */
export function queryOf({ rawQuery }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const part of rawQuery.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const equals = part.indexOf("=");
    const name = unescaped(equals < 0 ? part : part.slice(0, equals));
    const value = unescaped(equals < 0 ? "" : part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    query.set(name, [...(query.get(name) ?? []), value]);
  }
  return query;
}

interface Parts {
  /** It must be what the first line of a request may carry. */
  readonly asRequest: boolean;
  readonly scheme: string;
  readonly rawQuery: string;
  /** Between scheme and query. */
  readonly rest: string;
}

function parse(text: string, asRequest: boolean): GoUrl | undefined {
  if (isNone(text, asRequest)) return undefined;
  if (text === "*") return { scheme: "", host: "", rawQuery: "" };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? "";
  const afterScheme = scheme === "" ? text : text.slice(scheme.length + 1);
  const mark = `${afterScheme}?`.indexOf("?");
  const parts: Parts = {
    asRequest,
    scheme: scheme.toLowerCase(),
    rest: afterScheme.slice(0, mark),
    rawQuery: afterScheme.slice(mark + 1),
  };
  if (!parts.rest.startsWith("/")) return rootless(parts);
  return hasAuthority(parts) ? withAuthority(parts) : withoutHost(parts, parts.rest);
}

function isNone(text: string, asRequest: boolean): boolean {
  return hasControlCharacter(text) || text.startsWith(":") || (text === "" && asRequest);
}

function hasAuthority({ asRequest, scheme, rest }: Parts): boolean {
  return rest.startsWith("//") && (scheme !== "" || (!asRequest && !rest.startsWith("///")));
}

function withAuthority({ scheme, rest, rawQuery }: Parts): GoUrl | undefined {
  const slash = `${rest}/`.indexOf("/", 2);
  const host = parseAuthority(rest.slice(2, slash));
  return host === undefined || hasBrokenEscape(rest.slice(slash)) ? undefined : { scheme, host, rawQuery };
}

/** `mailto:x` is an address without host; `a/b` is none that a request can have. */
function rootless(parts: Parts): GoUrl | undefined {
  if (parts.scheme !== "") return withoutHost(parts, "");
  const [segment = ""] = parts.rest.split("/", 1);
  return parts.asRequest || segment.includes(":") ? undefined : withoutHost(parts, parts.rest);
}

function withoutHost({ scheme, rawQuery }: Parts, path: string): GoUrl | undefined {
  return hasBrokenEscape(path) ? undefined : { scheme, host: "", rawQuery };
}

/** Host with port; undefined = refused. */
function parseAuthority(authority: string): string | undefined {
  const at = authority.lastIndexOf("@");
  if (at < 0) return parseHost(authority);
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || hasBrokenEscape(user)) return undefined;
  return parseHost(authority.slice(at + 1));
}

/** Percent signs stand in a host only for bytes that are not ASCII, or for a percent sign. */
const HOST = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%25|%[89A-Fa-f][0-9A-Fa-f])*$/;

function parseHost(host: string): string | undefined {
  if (!HOST.test(host)) return undefined;
  if (host.includes("[")) return parseBracketed(host);
  const colon = host.indexOf(":");
  if (colon >= 0 && !isOptionalPort(host.slice(colon))) return undefined;
  return host.includes("%") ? (unescaped(host.replaceAll("+", "%2B")) ?? host) : host;
}

function parseBracketed(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (!host.startsWith("[") || close < 0 || !isOptionalPort(host.slice(close + 1))) return undefined;
  const [address = "", zone] = host.slice(1, close).split("%25", 2);
  return zone !== "" && isAddress(`http://[${address}]/`) ? host.replace("%25", "%") : undefined;
}

function isOptionalPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

/** With its colon. */
function portText(host: string): string {
  const colon = host.lastIndexOf(":");
  return colon >= 0 && isOptionalPort(host.slice(colon)) ? host.slice(colon) : "";
}

function hasBrokenEscape(text: string): boolean {
  return /%(?![0-9A-Fa-f]{2})/.test(text);
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
