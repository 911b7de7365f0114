/** libxml2's schema messages as a stable rule and a sentence that names the element as the publisher wrote it. */

export interface Worded {
  readonly rule: string;
  readonly message: string;
}

interface Wording {
  readonly pattern: RegExp;
  readonly rule: string;
  readonly sentence: (element: string, groups: readonly string[]) => string;
}

const WORDINGS: readonly Wording[] = [
  {
    pattern: /This element is not expected\. Expected is (?:one of )?\( (.*) \)/,
    rule: "unexpected-element",
    sentence: (element, [expected = ""]) => `${element} is not allowed here; expected ${oneOf(expected)}.`,
  },
  {
    pattern: /This element is not expected/,
    rule: "unexpected-element",
    sentence: (element) => `${element} is not allowed here; nothing more is expected in this place.`,
  },
  {
    pattern: /Missing child element\(s\)\.(?: Expected is (?:one of )?\( (.*) \))?/,
    rule: "missing-element",
    sentence: (element, [expected = ""]) =>
      `${element} is not complete: ${expected === "" ? "an element" : oneOf(expected)} is missing.`,
  },
  {
    pattern: /No matching global declaration available for the validation root/,
    rule: "unknown-root",
    sentence: (element) => `${element} is not an element a record can begin with under this schema.`,
  },
  {
    pattern: /No matching global element declaration available/,
    rule: "unknown-element",
    sentence: (element) => `${element} is not known to the schema.`,
  },
  {
    pattern: /The attribute '([^']*)' is required but missing/,
    rule: "missing-attribute",
    sentence: (element, [name = ""]) => `${element} has no attribute ${local(name)}.`,
  },
  {
    pattern: /The attribute '([^']*)' is not allowed/,
    rule: "unexpected-attribute",
    sentence: (element, [name = ""]) => `${element} may not have the attribute ${local(name)}.`,
  },
  {
    pattern: /Character content (?:other than whitespace )?is not allowed/,
    rule: "unexpected-text",
    sentence: (element) => `${element} has text of its own, but only elements are allowed in it.`,
  },
  {
    pattern: /Element content is not allowed/,
    rule: "unexpected-element",
    sentence: (element) => `${element} has elements in it, but only text is allowed.`,
  },
  {
    pattern: /is not 'nillable'|'nilled'/,
    rule: "bad-nil",
    sentence: (element) => `xsi:nil on ${element} is not allowed, or it has content besides.`,
  },
  {
    pattern: /^\[facet '\w+'\] The value '([^]*)' is not an element of the set \{([^]*)\}/,
    rule: "bad-value",
    sentence: (element, [value = "", allowed = ""]) =>
      `${element} is "${shown(value)}", but must be one of ${shown(allowed)}.`,
  },
  {
    pattern: /^\[facet '(\w+)'\] (?:The value )?([^]*)/,
    rule: "bad-value",
    sentence: (element, [, text = ""]) => `${element} has a value out of bounds: ${shown(text)}`,
  },
  {
    pattern: /^'([^]*)' is not a valid value of the atomic type 'xs:ID'/,
    rule: "bad-id",
    sentence: (element, [value = ""]) =>
      `${element}: "${shown(value)}" is not a name (letters, digits, _ . -), or is used twice in the record.`,
  },
  {
    pattern: /^'([^]*)' is not a valid value of the (?:local )?(?:atomic|union|list) type(?: '([^']*)')?/,
    rule: "bad-value",
    sentence: (element, [value = "", type = ""]) => badValue(element, value, type),
  },
  {
    pattern: /The element declaration is abstract/,
    rule: "abstract-element",
    sentence: (element) => `${element} is abstract: use one of the elements that stand for it.`,
  },
  {
    pattern: /xsi:type attribute does not resolve/,
    rule: "unknown-type",
    sentence: (element) => `${element} names a type in xsi:type that the schema does not know.`,
  },
];

export function wordXsd(original: string): Worded {
  const head = /^Element '[^']*'(?:, attribute '[^']*')?: /.exec(original)?.[0] ?? "";
  const element = elementOf(head);
  const complaint = original.slice(head.length);
  for (const { pattern, rule, sentence } of WORDINGS) {
    const match = pattern.exec(complaint);
    if (match !== null) return { rule, message: sentence(element, match.slice(1)) };
  }
  return { rule: "invalid", message: shown(original.replace(/\{[^}]*\}/g, "")) };
}

/** `Element '{ns}name', attribute 'x': …` → name or name/@x. */
function elementOf(original: string): string {
  const match = /^Element '([^']*)'(?:, attribute '([^']*)')?/.exec(original);
  if (match === null) return "An element";
  const attribute = match[2] === undefined ? "" : `/@${local(match[2])}`;
  return `${local(match[1] ?? "")}${attribute}`;
}

function local(clark: string): string {
  return clark.replace(/^\{[^}]*\}/, "");
}

/** `{ns}a, {ns}b, ##other{ns}*` → a, b or another element. */
function oneOf(list: string): string {
  const names = list
    .split(", ")
    .map((name) => (name.startsWith("##") ? "an element of another namespace" : local(name)));
  const unique = [...new Set(names)];
  const last = unique.pop() ?? "";
  return unique.length === 0 ? last : `${unique.join(", ")} or ${last}`;
}

const TYPES: Readonly<Record<string, string>> = {
  "xs:decimal": "a decimal number such as 12.5",
  "xs:double": "a number",
  "xs:integer": "a whole number",
  "xs:nonNegativeInteger": "a whole number from 0 on",
  "xs:positiveInteger": "a whole number from 1 on",
  "xs:boolean": "true or false",
  "xs:date": "a date such as 2024-01-31",
  "xs:dateTime": "a date and time such as 2024-01-31T12:00:00Z",
  "xs:anyURI": "a URI",
  "xs:language": "a language tag such as en",
  "{http://www.isotc211.org/2005/gco}Date_Type": "a date such as 2024-01-31, 2024-01 or 2024",
};

function badValue(element: string, value: string, type: string): string {
  const wanted = TYPES[type] ?? (type === "" ? "a value of the allowed kinds" : `a ${local(type)}`);
  return value === ""
    ? `${element} is empty, but must be ${wanted}.`
    : `${element} is "${shown(value)}", but must be ${wanted}.`;
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
