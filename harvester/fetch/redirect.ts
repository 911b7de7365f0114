/** Where a redirect may lead (RFC 9110 §15.4; cases C79, C80). Pure: one answer, one decision. */
import { parseAddress } from "../../source/address.js";
import { Fault } from "../fault.js";
import type { HttpRequest } from "../http.js";
import { redactUrl } from "./redact.js";

export interface RedirectQuestion {
  readonly status: number;
  readonly location: string | undefined;
  readonly from: URL;
  readonly method: HttpRequest["method"];
  /** Origin of the manifest's baseUrl. */
  readonly home: string;
  readonly allowedOrigins: readonly string[];
  /** Steps asked so far in this request (`stepKey`), the current one included. */
  readonly visited: ReadonlySet<string>;
}

export type RedirectStep =
  /** No redirect: this is the answer. */
  | { readonly kind: "answer" }
  | {
      readonly kind: "follow";
      readonly url: URL;
      readonly method: HttpRequest["method"];
      readonly permanent: boolean;
    }
  | { readonly kind: "refuse"; readonly fault: Fault };

const MAX_HOPS = 5;
const followed = new Set([301, 302, 303, 307, 308]);

export function decideRedirect(question: RedirectQuestion): RedirectStep {
  if (!followed.has(question.status) || question.location === undefined) return { kind: "answer" };
  const url = target(question.location, question.from);
  if (url === undefined) return refuse(unreadable(question));
  // A form answered by 303 is to be fetched from there; every other code keeps the method (a harvest has no unsafe request).
  const method = question.status === 303 ? "GET" : question.method;
  const fault = objection(question, url, method);
  if (fault !== undefined) return refuse(fault);
  return { kind: "follow", url, method, permanent: question.status === 301 || question.status === 308 };
}

/** What makes two steps the same question. */
export function stepKey(method: string, url: URL): string {
  return `${method} ${url.href}`;
}

/**
 * Resolved against the address that answered, without user name and fragment. A Location without a query gets the query
 * that was sent: in a harvest the query is the question, and servers that move a path forget it.
 */
function target(location: string, from: URL): URL | undefined {
  const url = parseAddress(location, from);
  if (url === undefined) return undefined;
  if (url.search === "") url.search = from.search;
  url.hash = "";
  url.username = "";
  url.password = "";
  return url;
}

function objection(question: RedirectQuestion, url: URL, method: string): Fault | undefined {
  const { from, visited } = question;
  if (from.protocol === "https:" && url.protocol === "http:") return downgrade(from, url);
  if (url.protocol !== "https:" && url.protocol !== "http:") return notAllowed(from, url);
  if (!mayGo(question, url)) return notAllowed(from, url);
  if (visited.has(stepKey(method, url)))
    return endless("RedirectLoop", from, `leads back to ${redactUrl(url)}, which was asked before`);
  if (visited.size > MAX_HOPS)
    return endless("TooManyRedirects", from, `redirects more than ${String(MAX_HOPS)} times`);
  return undefined;
}

function mayGo({ from, home, allowedOrigins }: RedirectQuestion, url: URL): boolean {
  const upgraded = from.protocol === "http:" && url.protocol === "https:" && from.hostname === url.hostname;
  return (
    upgraded ||
    url.origin === from.origin ||
    url.origin === home ||
    allowedOrigins.some((origin) => parseAddress(origin)?.origin === url.origin)
  );
}

function refuse(fault: Fault): RedirectStep {
  return { kind: "refuse", fault };
}

function unreadable({ from }: RedirectQuestion): Fault {
  return new Fault("protocol", {
    code: "RedirectUnreadable",
    sentence: `${redactUrl(from)} redirects to an address that cannot be read.`,
    remedy: "Tell the operator of the repository: the Location header is malformed.",
  });
}

function downgrade(from: URL, url: URL): Fault {
  return new Fault("protocol", {
    code: "RedirectDowngrade",
    sentence: `${redactUrl(from)} redirects from https to unencrypted http (${redactUrl(url)}); that is never followed.`,
    remedy: "Tell the operator of the repository, or ask whether another https address serves it.",
  });
}

function notAllowed(from: URL, url: URL): Fault {
  const web = url.protocol === "https:" || url.protocol === "http:";
  return new Fault("config", {
    code: "RedirectNotAllowed",
    sentence: `${redactUrl(from)} redirects to another origin, ${redactUrl(url)}, which the manifest does not allow.`,
    remedy: web
      ? `If the repository has moved, change spec.baseUrl; if the redirect is to be followed, add ${url.origin} to spec.transport.allowedRedirectOrigins.`
      : "Only http and https are followed. Tell the operator of the repository.",
  });
}

function endless(code: string, from: URL, what: string): Fault {
  return new Fault("protocol", {
    code,
    sentence: `${redactUrl(from)} ${what}.`,
    remedy: "Open the address in a browser to see where it ends, and put that address into spec.baseUrl.",
  });
}
