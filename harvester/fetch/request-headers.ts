/** Headers of a request and of an answer. Secrets go to the manifest's own origin only (case C80). */
import type { HttpRequest } from "../http.js";

export interface HeaderQuestion {
  readonly request: HttpRequest;
  readonly url: URL;
  readonly home: string;
  readonly userAgent: string;
  /** From the secret named in the manifest. */
  readonly secret: Readonly<Record<string, string>>;
}

export function requestHeaders(question: HeaderQuestion): {
  headers: Record<string, string>;
  withheld: boolean;
} {
  const { request, secret } = question;
  const atHome = question.url.origin === question.home;
  const headers = {
    "accept-encoding": "gzip, br",
    "user-agent": question.userAgent,
    ...inLowerCase(request.headers),
    ...(atHome ? inLowerCase(secret) : {}),
  };
  return { headers, withheld: !atHome && Object.keys(secret).length > 0 };
}

function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Several values of one name joined by ", " (RFC 9110 §5.3). */
export function joinHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}

/** `contact`: a mail or web address of who runs this harvester, for agencies that want to talk (design, law 6). */
export function userAgentOf(product: {
  readonly name: string;
  readonly version: string;
  readonly contact?: string | undefined;
}): string {
  const contact = (product.contact ?? "").replace(/[^\x21-\x7e]|[()\\]/g, "");
  return `${product.name}/${product.version}${contact === "" ? "" : ` (+${contact})`}`;
}
