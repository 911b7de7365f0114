/** The function library of XPath 1.0 §4, and why others are refused. */

/** Least and greatest number of arguments. */
const CORE: Readonly<Record<string, readonly [number, number]>> = {
  last: [0, 0],
  position: [0, 0],
  count: [1, 1],
  id: [1, 1],
  "local-name": [0, 1],
  "namespace-uri": [0, 1],
  name: [0, 1],
  string: [0, 1],
  concat: [2, Infinity],
  "starts-with": [2, 2],
  contains: [2, 2],
  "substring-before": [2, 2],
  "substring-after": [2, 2],
  substring: [2, 3],
  "string-length": [0, 1],
  "normalize-space": [0, 1],
  translate: [3, 3],
  boolean: [1, 1],
  not: [1, 1],
  true: [0, 0],
  false: [0, 0],
  lang: [1, 1],
  number: [0, 1],
  sum: [1, 1],
  floor: [1, 1],
  ceiling: [1, 1],
  round: [1, 1],
};

/** Functions XSLT 1.0 adds (§12). */
const XSLT = new Set([
  "current",
  "document",
  "element-available",
  "format-number",
  "function-available",
  "generate-id",
  "key",
  "system-property",
  "unparsed-entity-uri",
]);

/** Why a call cannot be made; undefined when it can. Continues the sentence "The expression … cannot be used: ". */
export function refuseCall(name: string, given: number): string | undefined {
  const bounds = Object.hasOwn(CORE, name) ? CORE[name] : undefined;
  if (bounds === undefined) {
    const origin = XSLT.has(name) ? "a function of XSLT" : "not a function of XPath 1.0";
    return `${name}() is ${origin}, and this engine runs XPath 1.0 alone`;
  }
  const [least, greatest] = bounds;
  return given < least || given > greatest ? `${name}() does not take ${String(given)} arguments` : undefined;
}
