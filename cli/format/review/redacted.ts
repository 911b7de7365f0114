import { redactText, redactUrl } from "../../../harvester/fetch/redact.js";

/** Deeper than any value of a manifest. */
const MAX_DEPTH = 40;

/** Text without user info in addresses, without query values that are secrets by their names, and without `password: x`. */
export function redacted(text: string): string {
  return text
    .split("\n")
    .map((line) => redactLine(line))
    .join("\n");
}

/** The same in every text of a value; names of its fields are ours, and hide nothing. */
export function redactedValue<T>(value: T): T {
  return mapTexts(value, { field: "", byName: false }) as T;
}

/** The value of a field of a manifest: a text is hidden as a whole where the name of its field says that it is a secret. */
export function redactedField(field: string, value: unknown): unknown {
  return mapTexts(value, { field: field.slice(field.lastIndexOf(".") + 1), byName: true });
}

interface Where {
  readonly field: string;
  readonly byName: boolean;
  readonly depth?: number;
}

function mapTexts(value: unknown, { field, byName, depth = 0 }: Where): unknown {
  if (typeof value === "string") return byName && isSecret(field) ? "***" : redacted(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, { field, byName, depth: depth + 1 }));
  const fields = Object.entries(value).map(
    ([name, child]) => [name, mapTexts(child, { field: name, byName, depth: depth + 1 })] as const,
  );
  return Object.fromEntries(fields);
}

/** Also of a field that is not in the list of redact.ts: whoever writes one into a manifest means a secret by it. */
const MORE_SECRETS = /(?:token|secret|password|passwd|api[-_]?key|credentials?)$/i;

/** secretName and its like name a Secret of the cluster; that is what a reviewer must see. */
function isSecret(name: string): boolean {
  if (/secretname$/i.test(name) || !/^[\w./-]{1,200}$/.test(name)) return false;
  return MORE_SECRETS.test(name) || redactText(`${name}=x`).endsWith("***");
}

/** A line of YAML: indentation, key, colon, value. */
const FIELD = /^(\s*(?:-\s+)?["']?)([\w./-]{1,200})(["']?\s*:\s+)(\S.*)$/;

function redactLine(line: string): string {
  const addresses = line.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi, redactAddress);
  const [, indent = "", name = "", colon = "", value = ""] = FIELD.exec(addresses) ?? [];
  if (name === "") return redactText(addresses);
  if (/secretname$/i.test(name)) return addresses;
  // A map, a list or a block under such a name is no secret itself.
  if (/^[{[|>#&*]/.test(value)) return indent + name + colon + redactFlow(value);
  return isSecret(name) ? `${indent}${name}${colon}***` : indent + name + colon + redactText(value);
}

/** `{ secretName: x, password: y }` */
function redactFlow(value: string): string {
  return value
    .split(",")
    .map((part) => (/secretname["']?\s*:/i.test(part) ? part : redactText(part)))
    .join(",");
}

/** As it is written, unless there is something to hide. */
function redactAddress(address: string): string {
  const withoutUser = address.replace(/^([a-z0-9+.-]+:\/\/)[^/?#]*@/i, "$1***@");
  const shown = redactUrl(address);
  const hides = shown.includes("***") && !address.includes("***");
  return hides ? shown : withoutUser;
}
