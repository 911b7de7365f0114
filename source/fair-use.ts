import { Ajv, type ValidateFunction } from "ajv";
import type { Finding, Place } from "./finding.js";
import { pathText, pointerPath } from "./schema/field-path.js";
import { readDocuments, type YamlDocument } from "./yaml/documents.js";
import { placeOf, type Path } from "./yaml/node-place.js";
import { readText } from "./yaml/read-text.js";

/** Where the ceilings stand, relative to a policy root, and so in a bundle. */
export const fairUsePath = "rules/fair-use.yaml";

/** What an agency allows: agreed with it, or published by it. */
export interface Ceiling {
  /** Requests in flight at once, over all sources of the host. */
  readonly maxRequests: number;
  /** Where it stands in the file of ceilings. */
  readonly place: Place;
}

/** The ceilings of rules/fair-use.yaml. */
export interface FairUse {
  /** By host, in lower case without port. */
  readonly hosts: ReadonlyMap<string, Ceiling>;
  /** For every host not named. Absent = no ceiling. */
  readonly default?: Ceiling;
}

interface FairUseFile {
  readonly default?: { readonly maxRequests: number };
  readonly hosts?: Readonly<Record<string, { readonly maxRequests: number }>>;
}

const ceilingSchema = {
  type: "object",
  required: ["maxRequests"],
  additionalProperties: false,
  properties: {
    maxRequests: { type: "integer", minimum: 1, maximum: 10000 },
    agreed: { type: "string", maxLength: 1000 },
  },
};

const fileSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    default: ceilingSchema,
    hosts: {
      type: "object",
      propertyNames: { maxLength: 253, pattern: "^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\\[[0-9a-f:.]+\\])$" },
      additionalProperties: ceilingSchema,
    },
  },
};

let compiled: ValidateFunction<FairUseFile> | undefined;

/** The ceiling that holds for a host (as `hostOf` gives it), or undefined when there is none. */
export function ceilingFor(fairUse: FairUse | undefined, host: string): Ceiling | undefined {
  return fairUse?.hosts.get(host) ?? fairUse?.default;
}

export interface ParsedFairUse {
  /** Absent when the file could not be used. */
  readonly fairUse?: FairUse;
  readonly findings: readonly Finding[];
}

/** Text of rules/fair-use.yaml → ceilings with their places, or what is wrong with it. */
export function parseFairUse(input: string | Uint8Array, file: string): ParsedFairUse {
  const read = readText(input, file);
  if (!read.ok) return { findings: [read.finding] };
  const { documents, findings } = readDocuments(read.text, file);
  if (findings.length > 0) return { findings };
  const [yaml, ...more] = documents;
  if (yaml === undefined) return { fairUse: { hosts: new Map() }, findings: [] };
  if (more[0] !== undefined)
    return {
      findings: [
        refuse({ yaml: more[0], path: [], part: "key" }, "The file has more than one YAML document."),
      ],
    };
  return checkDocument(yaml);
}

function checkDocument(yaml: YamlDocument): ParsedFairUse {
  compiled ??= new Ajv({ allErrors: true }).compile<FairUseFile>(fileSchema);
  const { value } = yaml;
  if (compiled(value)) return { fairUse: ceilings(value, yaml), findings: [] };
  const errors = (compiled.errors ?? []).filter(({ keyword }) => keyword !== "propertyNames").slice(0, 10);
  const findings = errors.map((error) => {
    const path = pointerPath(error.instancePath);
    const key = error.propertyName ?? unknownKey(error.params);
    const full = key === undefined ? path : [...path, key];
    return refuse(
      { yaml, path: full, part: key === undefined ? "value" : "key" },
      sayingOf(full, error.message ?? "is not allowed", key !== undefined),
    );
  });
  return { findings };
}

function sayingOf(path: Path, message: string, aboutKey: boolean): string {
  if (path.length === 0) return `The file of ceilings ${message}.`;
  if (!aboutKey) return `${pathText(path)} ${message}.`;
  return path.length === 2 && path[0] === "hosts"
    ? `${pathText(path)} is no host: write its name in lower case, without scheme, port and path.`
    : `There is no field ${pathText(path)}.`;
}

function unknownKey(params: Readonly<Record<string, unknown>>): string | undefined {
  const key = params["additionalProperty"];
  return typeof key === "string" ? key : undefined;
}

function ceilings(file: FairUseFile, yaml: YamlDocument): FairUse {
  const hosts = new Map<string, Ceiling>();
  for (const [host, { maxRequests }] of Object.entries(file.hosts ?? {}))
    hosts.set(host, { maxRequests, place: placeOf(yaml, ["hosts", host, "maxRequests"]) });
  if (file.default === undefined) return { hosts };
  const { maxRequests } = file.default;
  return { hosts, default: { maxRequests, place: placeOf(yaml, ["default", "maxRequests"]) } };
}

interface FieldPart {
  readonly yaml: YamlDocument;
  readonly path: Path;
  readonly part: "key" | "value";
}

function refuse(at: FieldPart, sentence: string): Finding {
  return {
    rule: "fair-use/unreadable",
    severity: "error",
    place: placeOf(at.yaml, at.path, at.part),
    sentence,
    remedy:
      "It has `default` and `hosts`, each host with maxRequests and perhaps agreed (docs/lint-rules.md).",
  };
}
