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

/** The same in every text of a value. */
export function redactedValue<T>(value: T, depth = 0): T {
  if (typeof value === "string") return redacted(value) as T;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactedValue(item, depth + 1)) as T;
  const fields = Object.entries(value).map(
    ([key, child]) => [key, redactedField(key, child, depth)] as const,
  );
  return Object.fromEntries(fields) as T;
}

/** The value of a field: hidden as a whole where its name says that it is a secret. */
export function redactedField(field: string, value: unknown, depth = 0): unknown {
  const name = field.slice(field.lastIndexOf(".") + 1);
  return typeof value === "string" && isSecret(name) ? "***" : redactedValue(value, depth + 1);
}

/** secretName and its like name a Secret of the cluster; that is what a reviewer must see. */
function isSecret(name: string): boolean {
  return !/secretname$/i.test(name) && /^[\w-]{1,60}$/.test(name) && redactText(`${name}=x`).endsWith("***");
}

function redactLine(line: string): string {
  const addresses = line.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi, redactAddress);
  return /secretname["']?\s*:/i.test(addresses) ? addresses : redactText(addresses);
}

/** As it is written, unless there is something to hide. */
function redactAddress(address: string): string {
  const withoutUser = address.replace(/^([a-z0-9+.-]+:\/\/)[^/?#]*@/i, "$1***@");
  const shown = redactUrl(address);
  const hides = shown.includes("***") && !address.includes("***");
  return hides ? shown : withoutUser;
}
