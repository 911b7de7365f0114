import { isMap, type Scalar } from "yaml";
import { spellingOf } from "../cron/time-zone.js";
import { fieldsAt } from "../schema/field-path.js";
import { schemaAt } from "../schema/schema-at.js";
import type { Edit } from "./edit.js";
import type { Broken, Fixer } from "./fixer.js";

/** Fixers that write one value or name anew. */
export const scalarFixers: Readonly<Record<string, Fixer>> = {
  "yaml/boolean-word": booleanWord,
  "yaml/ambiguous-number": ambiguousNumber,
  "manifest/kind": (broken) => wrongCase(broken, ["HarvestSource"]),
  "schema/unknown-field": unknownField,
  "schema/type": wrongType,
  "schema/enum": (broken) => wrongCase(broken, texts(schemaAt(broken.at.path)?.enum)),
  "schedule/time-zone": timeZone,
};

/** For a field that is true or false kubectl reads the word so; anything else was meant as a text. */
function booleanWord(broken: Broken): Edit | undefined {
  const { part, path } = broken.at;
  if (part === "value" && schemaAt(path)?.type === "boolean") return trueOrFalse(broken);
  return part === "value" && schemaAt(path)?.type !== "string" ? undefined : inQuotes(broken);
}

function ambiguousNumber(broken: Broken): Edit | undefined {
  const type = schemaAt(broken.at.path)?.type;
  if (broken.at.part === "key" || type === "string") return inQuotes(broken);
  return type === "integer" ? withoutUnderscores(broken) : undefined;
}

function wrongType(broken: Broken): Edit | undefined {
  return typeFixers[schemaAt(broken.at.path)?.type ?? ""]?.(broken);
}

/** By the type the schema wants. */
const typeFixers: Readonly<Record<string, Fixer>> = {
  string: inQuotes,
  boolean: trueOrFalse,
  integer: (broken) => withoutQuotes(broken) ?? withoutUnderscores(broken),
  number: withoutQuotes,
  array: asList,
};

/** The text as it was written, so that 1.30 stays 1.30. */
function inQuotes(broken: Broken): Edit | undefined {
  const source = plain(broken);
  return source === undefined ? undefined : replace(broken, JSON.stringify(source));
}

const WORDS: Readonly<Record<string, string>> = {
  y: "true",
  yes: "true",
  on: "true",
  true: "true",
  n: "false",
  no: "false",
  off: "false",
  false: "false",
};

function trueOrFalse(broken: Broken): Edit | undefined {
  const written = broken.at.scalar.value;
  const word = typeof written === "string" ? written.toLowerCase() : "";
  return Object.hasOwn(WORDS, word) ? replace(broken, WORDS[word] ?? "") : undefined;
}

function withoutQuotes(broken: Broken): Edit | undefined {
  const { scalar } = broken.at;
  const quoted = scalar.type === "QUOTE_DOUBLE" || scalar.type === "QUOTE_SINGLE";
  const value = String(scalar.value);
  return quoted && /^-?(0|[1-9]\d{0,14})$/.test(value) ? replace(broken, value) : undefined;
}

/** kubectl reads 1_000 as a thousand. */
function withoutUnderscores(broken: Broken): Edit | undefined {
  const source = plain(broken) ?? "";
  return /^[1-9]\d*(_\d+)+$/.test(source) ? replace(broken, source.replaceAll("_", "")) : undefined;
}

function asList(broken: Broken): Edit | undefined {
  const source = plain(broken) ?? "";
  const isText = typeof broken.at.scalar.value === "string";
  return isText && /^[\w.:-]+$/.test(source) ? replace(broken, `[${source}]`) : undefined;
}

/** One of these words in other capitals. */
function wrongCase(broken: Broken, words: readonly string[]): Edit | undefined {
  const written = broken.at.scalar.value;
  if (typeof written !== "string" || broken.at.part === "key") return undefined;
  const meant = words.filter((word) => word.toLowerCase() === written.toLowerCase());
  return meant.length === 1 ? replace(broken, asWritten(broken.at.scalar, String(meant[0]))) : undefined;
}

function timeZone(broken: Broken): Edit | undefined {
  const written = broken.at.scalar.value;
  const meant = typeof written === "string" ? spellingOf(written) : undefined;
  return meant === undefined ? undefined : replace(broken, asWritten(broken.at.scalar, meant));
}

/** A name that differs from that of a field in capitals, - and _ alone, and only where that field is not there too. */
function unknownField(broken: Broken): Edit | undefined {
  const { part, path, parent } = broken.at;
  if (part !== "key" || !isMap(parent)) return undefined;
  const written = letters(String(path.at(-1)));
  const meant = fieldsAt(path.slice(0, -1)).filter((field) => letters(field) === written);
  const [field] = meant;
  if (field === undefined || meant.length > 1 || parent.has(field)) return undefined;
  return replace(broken, field);
}

function letters(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

function plain({ at: { scalar } }: Broken): string | undefined {
  return scalar.type === "PLAIN" && scalar.source !== "" ? scalar.source : undefined;
}

function asWritten(scalar: Scalar, text: string): string {
  return scalar.type === "PLAIN" ? text : JSON.stringify(text);
}

/** Nothing where an anchor or a tag stands before the value, or it has several lines. */
function replace({ at: { scalar }, text }: Broken, written: string): Edit | undefined {
  if (!scalar.range || scalar.anchor !== undefined || scalar.tag !== undefined) return undefined;
  const [start, end] = scalar.range;
  return text.slice(start, end).includes("\n") ? undefined : { start, end, text: written };
}

function texts(values: readonly unknown[] | undefined): readonly string[] {
  return (values ?? []).filter((value) => typeof value === "string");
}
