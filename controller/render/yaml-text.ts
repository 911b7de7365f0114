import { sortedKeys } from "./sorted-keys.js";

/** What is a word to every YAML, 1.1 and 1.2; anything else is quoted. */
const PLAIN_KEY = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[a-z][A-Za-z]*$/;

/**
 * JSON values as YAML for people to read in `kubectl get configmap -o yaml`: keys sorted, every text in quotes, ASCII only.
 * One value has one spelling.
 */
export function yamlText(value: Readonly<Record<string, unknown>>): string {
  return isFilledObject(value) ? `${fieldLines(sortedKeys(value)).join("\n")}\n` : "{}\n";
}

function fieldLines(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = PLAIN_KEY.test(key) ? key : scalar(key);
    if (Array.isArray(inner) && inner.length > 0)
      return [`${name}:`, ...inner.map((item: unknown) => `  - ${scalar(item)}`)];
    if (isFilledObject(inner)) return [`${name}:`, ...fieldLines(inner).map((line) => `  ${line}`)];
    return [`${name}: ${scalar(inner)}`];
  });
}

function isFilledObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** JSON is YAML; beyond ASCII, YAML's and JSON's ideas of a line differ. */
function scalar(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
