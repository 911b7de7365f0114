import type { ErrorObject } from "ajv";
import { didYouMean } from "../did-you-mean.js";
import type { Finding } from "../finding.js";
import { placeOf, scalarAt, type Path } from "../yaml/node-place.js";
import type { YamlDocument } from "../yaml/documents.js";
import { fieldsAt, pathsOfField, pathText, pointerPath } from "./field-path.js";
import { patternSaying } from "./pattern-saying.js";
import type { Saying } from "./saying.js";
import { typeSaying } from "./type-saying.js";

/** One complaint of the validator, with everything needed to tell it. */
interface Complaint {
  readonly error: ErrorObject;
  readonly path: Path;
  readonly name: string;
  /** Paths whose value was left empty in the file (and was taken out before validation). */
  readonly empty: ReadonlySet<string>;
  readonly yaml: YamlDocument;
}

interface Told extends Saying {
  readonly rule: string;
  /** Where, if not at the path of the complaint. */
  readonly at?: { readonly path: Path; readonly part: "key" | "value" };
}

type Teller = (complaint: Complaint) => Told;

const tellers: Readonly<Record<string, Teller>> = {
  additionalProperties: unknownField,
  required,
  type: wrongType,
  enum: notOneOf,
  pattern: (complaint) => ({
    rule: "schema/pattern",
    ...patternSaying(complaint.path, complaint.error.data),
  }),
  minimum: outOfRange,
  maximum: outOfRange,
  minLength: ({ name }) => ({
    rule: "schema/length",
    sentence: `${name} is empty.`,
    remedy: "Fill it in, or remove the line.",
  }),
  maxLength: tooLong,
  minItems: ({ name }) => ({
    rule: "schema/length",
    sentence: `${name} is an empty list.`,
    remedy: "Remove the field; that means there is no restriction.",
  }),
  maxItems: tooLong,
  maxProperties: tooLong,
  uniqueItems: duplicateItem,
};

/** A complaint of the validator as a finding; undefined for complaints that only repeat another. */
export function errorFinding(
  error: ErrorObject,
  yaml: YamlDocument,
  empty: ReadonlySet<string>,
): Finding | undefined {
  const teller = tellers[error.keyword];
  if (teller === undefined) return undefined;
  const inName = error.propertyName !== undefined;
  const base = pointerPath(error.instancePath);
  const path = inName ? [...base, error.propertyName ?? ""] : base;
  const { rule, sentence, remedy, at } = teller({ error, path, name: pathText(path), empty, yaml });
  const place = placeOf(yaml, at?.path ?? path, at?.part ?? (inName ? "key" : "value"));
  return { rule, severity: "error", place, sentence, ...(remedy === undefined ? {} : { remedy }) };
}

function unknownField({ error, path }: Complaint): Told {
  const field = String((error.params as { additionalProperty: string }).additionalProperty);
  const full = [...path, field];
  const here = didYouMean(field, fieldsAt(path));
  const elsewhere = pathsOfField(field)[0];
  const sentence = `HarvestSource has no field ${pathText(full)}.`;
  const at = { path: full, part: "key" } as const;
  const rule = "schema/unknown-field";
  if (elsewhere !== undefined) return { rule, sentence, remedy: `Did you mean ${pathText(elsewhere)}?`, at };
  if (here !== undefined) return { rule, sentence, remedy: `Did you mean ${here}?`, at };
  return { rule, sentence, remedy: `Fields here: ${fieldsAt(path).slice(0, 12).join(", ")}.`, at };
}

const examples: Readonly<Record<string, string>> = {
  "metadata.name": "name: state-gis-clearinghouse",
  "spec.baseUrl": "baseUrl: https://metadata.example.gov/oai",
  "spec.metadataPrefix": "metadataPrefix: iso19139",
  "spec.schedule": 'schedule: "0 */6 * * *"',
};

function required({ error, path, empty }: Complaint): Told {
  const full = [...path, String((error.params as { missingProperty: string }).missingProperty)];
  const name = pathText(full);
  const example = examples[name];
  return {
    rule: "schema/required",
    sentence: empty.has(name) ? `${name} is empty.` : `${name} is missing.`,
    remedy: example === undefined ? `Add ${name}.` : `Fill it in, e.g. ${example}`,
    at: { path: full, part: "key" },
  };
}

function wrongType({ error, path, name, yaml }: Complaint): Told {
  const expected = String((error.params as { type: string }).type);
  return {
    rule: "schema/type",
    ...typeSaying({ name, expected, value: error.data, scalar: scalarAt(yaml.document, path) }),
  };
}

function notOneOf({ error, name, path, yaml }: Complaint): Told {
  const allowed = (error.params as { allowedValues: readonly string[] }).allowedValues;
  // A wrong type is told by `type`; telling it as a wrong value too would say it twice.
  const written = typeof error.data === "string" ? error.data : (scalarAt(yaml.document, path)?.source ?? "");
  const meant = didYouMean(written, allowed);
  return {
    rule: "schema/enum",
    sentence: `${name} is ${quote(written)}; it can be ${allowed.join(", ")}.`,
    ...(meant === undefined ? {} : { remedy: `Did you mean ${meant}?` }),
  };
}

function outOfRange({ error, name }: Complaint): Told {
  const { comparison, limit } = error.params as { comparison: string; limit: number };
  const bound = comparison === ">=" ? "at least" : "at most";
  return {
    rule: "schema/range",
    sentence: `${name} is ${String(error.data)}; it must be ${bound} ${String(limit)}.`,
  };
}

function tooLong({ error, name, path }: Complaint): Told {
  const limit = String((error.params as { limit: number }).limit);
  const unit = { maxLength: "characters", maxItems: "items", maxProperties: "entries" }[error.keyword] ?? "";
  const sentence = `${name} has more than ${limit} ${unit}.`;
  return {
    rule: "schema/length",
    sentence,
    at: { path, part: error.propertyName === undefined ? "value" : "key" },
  };
}

function duplicateItem({ error, path, name }: Complaint): Told {
  const { i, j } = error.params as { i: number; j: number };
  const list = error.data as readonly unknown[];
  const later = Math.max(i, j);
  return {
    rule: "schema/duplicate-item",
    sentence: `${quote(String(list[later]))} stands twice in ${name}.`,
    remedy: "Remove one of them.",
    at: { path: [...path, later], part: "value" },
  };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
