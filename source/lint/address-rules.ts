import type { CrossFieldRule } from "./cross-field-rule.js";

const path = ["spec", "baseUrl"];

/** What an address in a manifest may not be. */
export const baseUrlRules: readonly CrossFieldRule[] = [
  {
    rule: "endpoint/address",
    path,
    message: "baseUrl must be an absolute http or https address, e.g. https://metadata.example.gov/oai",
    remedy: "Copy the address from the repository's own description, with http:// or https:// before it.",
    holds: ({ baseUrl }) => isHttpAddress(baseUrl),
  },
  {
    rule: "endpoint/user-info",
    path,
    message:
      "baseUrl must not carry a user name or password; put credentials into a secret and name it in transport.headersSecretName",
    remedy:
      "Remove what stands before the @, and change that password: it is in the history of this repository.",
    holds: ({ baseUrl }) => !/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*@/.test(baseUrl),
  },
  {
    rule: "endpoint/fragment",
    path,
    message: "baseUrl must not carry a fragment (#...): it is never sent to a server",
    remedy: "Remove it.",
    holds: ({ baseUrl }) => !baseUrl.includes("#"),
  },
  {
    rule: "endpoint/oai-arguments",
    path,
    message:
      "baseUrl must not carry OAI-PMH arguments (verb, metadataPrefix, set, ...): the harvester adds them itself",
    remedy: "Remove them; the prefix stands in spec.metadataPrefix, sets in spec.sets.",
    holds: ({ baseUrl }) =>
      !/[?&](verb|metadataPrefix|set|from|until|identifier|resumptionToken)=/.test(baseUrl),
  },
];

/** Scheme, host, perhaps a port, perhaps a closing slash. */
export function isProxyUrl(text: string): boolean {
  return /^https?:\/\/[^/?#@\s]+\/?$/.test(text) && URL.canParse(text);
}

/** As the API server judges it (CEL isURL), and as the harvester will parse it (WHATWG URL). */
function isHttpAddress(text: string): boolean {
  const printable = [...text].every((letter) => letter > " " && letter !== "\u007f") && !/\s/.test(text);
  if (!printable || !/^https?:\/\/[^/?#]/.test(text) || !URL.canParse(text)) return false;
  const afterHost = text.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*$/s, "");
  return !/%(?![0-9A-Fa-f]{2})/.test(afterHost);
}
