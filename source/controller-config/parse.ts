import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { didYouMean } from "../did-you-mean.js";
import type { Finding } from "../finding.js";
import { pathText, pointerPath } from "../schema/field-path.js";
import { readDocuments, type YamlDocument } from "../yaml/documents.js";
import { placeOf } from "../yaml/node-place.js";
import { readText } from "../yaml/read-text.js";
import type { ControllerConfig } from "./controller-config.js";
import { controllerConfigSchema } from "./schema.js";

export interface ParsedControllerConfig {
  /** Absent when the file could not be used. */
  readonly config?: ControllerConfig;
  readonly findings: readonly Finding[];
}

let compiled: ValidateFunction<ControllerConfig> | undefined;

/** Text of the configuration file → configuration with its defaults, or what is wrong with it and where. */
export function parseControllerConfig(input: string | Uint8Array, file: string): ParsedControllerConfig {
  const read = readText(input, file);
  if (!read.ok) return { findings: [read.finding] };
  const { documents, findings } = readDocuments(read.text, file);
  if (findings.length > 0) return { findings };
  const [yaml, ...more] = documents;
  if (yaml === undefined || more.length > 0)
    return { findings: [wrong(file, `The file has ${String(documents.length)} YAML documents, not one.`)] };
  return check(yaml);
}

function check(yaml: YamlDocument): ParsedControllerConfig {
  compiled ??= new Ajv({ allErrors: true, useDefaults: true, verbose: true }).compile<ControllerConfig>(
    controllerConfigSchema,
  );
  const { value } = yaml;
  if (!compiled(value))
    return { findings: (compiled.errors ?? []).slice(0, 20).map((error) => told(error, yaml)) };
  const contradiction = contradictionIn(value);
  return contradiction === undefined
    ? { config: value, findings: [] }
    : { findings: [{ ...refusalAt(yaml, contradiction.path), sentence: contradiction.sentence }] };
}

interface Contradiction {
  readonly path: readonly string[];
  readonly sentence: string;
}

/** What the schema cannot say. */
function contradictionIn({ leaderElection, gitSync }: ControllerConfig): Contradiction | undefined {
  const { leaseSeconds, renewSeconds, retrySeconds } = leaderElection;
  if (renewSeconds >= leaseSeconds || retrySeconds * 1.2 >= renewSeconds)
    return {
      path: ["leaderElection"],
      sentence: `leaderElection needs leaseSeconds (${String(leaseSeconds)}) > renewSeconds (${String(renewSeconds)}) > 1.2 × retrySeconds (${String(retrySeconds)}), or two could lead at once.`,
    };
  const references = [gitSync?.branch, gitSync?.tag, gitSync?.commit].filter((each) => each !== undefined);
  return gitSync !== undefined && references.length !== 1
    ? { path: ["gitSync"], sentence: "gitSync needs exactly one of branch, tag and commit." }
    : undefined;
}

function told(error: ErrorObject, yaml: YamlDocument): Finding {
  const path = pointerPath(error.instancePath);
  const unknown: unknown = error.params["additionalProperty"];
  if (typeof unknown !== "string")
    return {
      ...refusalAt(yaml, path),
      sentence: `${path.length === 0 ? "The file" : pathText(path)} ${error.message ?? "is not allowed"}.`,
    };
  const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
  const meant = didYouMean(unknown, known);
  return {
    ...refusalAt(yaml, [...path, unknown], "key"),
    sentence: `There is no field ${pathText([...path, unknown])}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  };
}

function refusalAt(
  yaml: YamlDocument,
  path: readonly (string | number)[],
  part: "key" | "value" = "value",
): Omit<Finding, "sentence"> {
  return {
    rule: "controller-config/unusable",
    severity: "error",
    place: placeOf(yaml, path, part),
    remedy: "docs/operating.md lists all fields of the controller's configuration.",
  };
}

function wrong(file: string, sentence: string): Finding {
  const place = { file, line: 1, column: 1, length: 1 };
  return {
    rule: "controller-config/unusable",
    severity: "error",
    place,
    sentence,
    remedy: "Write one document.",
  };
}
