import type { Scalar } from "yaml";
import type { Saying } from "./saying.js";

interface WrongType {
  readonly name: string;
  /** The type the schema wants. */
  readonly expected: string;
  readonly value: unknown;
  /** The value as it was written, where it is a scalar. */
  readonly scalar: Scalar | undefined;
}

const wanted: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a map of fields",
  array: "a list",
};

/** Says what was written, what is wanted, and what to write instead. */
export function typeSaying(wrong: WrongType): Saying {
  const sentence = `${wrong.name} is ${kindOf(wrong)}; it must be ${wanted[wrong.expected] ?? wrong.expected}.`;
  const remedy = remedyFor(wrong);
  return remedy === undefined ? { sentence } : { sentence, remedy };
}

function kindOf({ value, scalar }: WrongType): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "empty";
  if (typeof value === "object") return "a map";
  const written = JSON.stringify(String(scalar?.source ?? value).slice(0, 80)).slice(1, -1);
  if (typeof value === "string") return `the text "${written}"`;
  return typeof value === "number" ? `the number ${written}` : written;
}

function remedyFor(wrong: WrongType): string | undefined {
  switch (wrong.expected) {
    case "string":
      return stringRemedy(wrong);
    case "boolean":
      return booleanRemedy(wrong.value);
    case "integer":
    case "number":
      return numberRemedy(wrong.value);
    case "array":
      return typeof wrong.value === "string"
        ? "Write it as a list: a line of its own that begins with '- '."
        : undefined;
    default:
      return wrong.expected === "object" ? "Put its fields on the lines below it, indented." : undefined;
  }
}

function stringRemedy({ value, scalar }: WrongType): string {
  if (typeof value === "object") return "Write one text after the colon.";
  return `Put it in quotes: "${String(scalar?.source ?? value).slice(0, 80)}".`;
}

/** YAML 1.1, which Kubernetes reads, knows more words for true and false than YAML 1.2. */
function booleanRemedy(value: unknown): string | undefined {
  const word = String(value).toLowerCase();
  if (["y", "yes", "on", "true", "1"].includes(word)) return "Write true, without quotes.";
  if (["n", "no", "off", "false", "0"].includes(word)) return "Write false, without quotes.";
  return undefined;
}

function numberRemedy(value: unknown): string | undefined {
  const text = String(value);
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(text)) return "Remove the quotes.";
  if (/^\d+(_\d+)+$/.test(text)) return `Write ${text.replaceAll("_", "")}.`;
  if (/^\d+(\.\d+)?\s*[A-Za-z%]+$/.test(text))
    return "Write the bare number: the unit stands in the name of the field.";
  return undefined;
}
