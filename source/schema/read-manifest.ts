import type { Finding } from "../finding.js";
import type { LocatedSource, Parsed } from "../located-source.js";
import type { HarvestSource } from "../harvest-source.generated.js";
import type { YamlDocument } from "../yaml/documents.js";
import { isWritten, placeOf } from "../yaml/node-place.js";
import { ambiguousScalars } from "./ambiguous-scalar.js";
import { clusterFields } from "./cluster-fields.js";
import { dropEmpty } from "./drop-empty.js";
import { errorFinding } from "./error-finding.js";
import { validate, type Validation } from "./validate.js";

/** More than this many findings in one manifest help nobody. */
const MAX_FINDINGS = 25;

/** A document that says it is a HarvestSource → the source with its defaults, or what is wrong with it. */
export function readManifest(yaml: YamlDocument): Parsed {
  const { value, empty } = dropEmpty(yaml.value);
  const validation = validate(value);
  const errors = schemaFindings(validation, yaml, empty);
  const told = new Set(errors.map(({ place }) => placeKey(place)));
  const ambiguous = ambiguousScalars(yaml).filter(({ place }) => !told.has(placeKey(place)));
  const warnings = emptyFindings(yaml, empty).filter(({ place }) => !told.has(placeKey(place)));
  const findings = [...errors, ...ambiguous, ...warnings, ...clusterFields(yaml, value)];
  if (!validation.ok || ambiguous.length > 0) return { sources: [], findings };
  const located: LocatedSource = {
    source: ownFields(validation.source),
    file: yaml.map.file,
    place: (path, part) => placeOf(yaml, path, part),
    written: (path) => isWritten(yaml.document, path),
  };
  return { sources: [located], findings };
}

/** A manifest without what the cluster writes into it. */
export function ownFields({ apiVersion, kind, metadata, spec }: HarvestSource): HarvestSource {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  };
}

function schemaFindings(
  validation: Validation,
  yaml: YamlDocument,
  empty: ReadonlySet<string>,
): readonly Finding[] {
  if (validation.ok) return [];
  const findings: Finding[] = [];
  const told = new Set<string>();
  for (const error of validation.errors) {
    const finding = errorFinding(error, yaml, empty);
    // A value of the wrong type fails other keywords too: the first complaint about a place is the one that explains it.
    const key = finding === undefined ? "" : `${placeKey(finding.place)} ${what(finding)}`;
    if (finding === undefined || told.has(key)) continue;
    told.add(key);
    findings.push(finding);
    if (findings.length === MAX_FINDINGS) break;
  }
  return findings;
}

/** Several fields may be missing at one place; every other complaint about a place is one and the same. */
function what({ rule, sentence }: Finding): string {
  return rule === "schema/required" ? sentence : "value";
}

function placeKey({ line, column }: Finding["place"]): string {
  return `${String(line)}:${String(column)}`;
}

/** The API server drops empty fields and takes the default: allowed, but rarely meant. */
function emptyFindings(yaml: YamlDocument, empty: ReadonlySet<string>): readonly Finding[] {
  return [...empty].slice(0, MAX_FINDINGS).map((path) => ({
    rule: "schema/empty-field",
    severity: "warning",
    place: placeOf(yaml, path.split("."), "key"),
    sentence: `${path} is empty, so its default holds.`,
    remedy: "Fill it in, or remove the line.",
  }));
}
