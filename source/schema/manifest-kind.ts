import { didYouMean } from "../did-you-mean.js";
import type { Finding } from "../finding.js";
import { harvestSourceSchema } from "../harvest-source.generated.js";
import type { YamlDocument } from "../yaml/documents.js";
import { placeOf } from "../yaml/node-place.js";

const [KIND] = harvestSourceSchema.properties.kind.enum;
const [API_VERSION] = harvestSourceSchema.properties.apiVersion.enum;
const GROUP = `${String(API_VERSION).split("/")[0] ?? ""}/`;

type Fields = Readonly<Record<string, unknown>>;

/** Says why a document is no HarvestSource of ours: an error where it was meant to be one, an info where it is something else. */
export function judgeKind(yaml: YamlDocument): Finding | undefined {
  const { value } = yaml;
  if (Array.isArray(value)) return notAMap(yaml, "a list");
  if (typeof value !== "object" || value === null) return notAMap(yaml, "a bare value");
  const fields = value as Fields;
  if (fields["kind"] === KIND && fields["apiVersion"] === API_VERSION) return undefined;
  return meantToBeOurs(fields) ? wrongHead(yaml, fields) : otherKind(yaml, fields);
}

function notAMap(yaml: YamlDocument, what: string): Finding {
  return {
    rule: "manifest/not-a-map",
    severity: "error",
    place: placeOf(yaml, []),
    sentence: `The document is ${what}; a manifest is a map that begins with apiVersion and kind.`,
    remedy: "Write each manifest as a document of its own, separated by a line with ---.",
  };
}

/** Our group, a name like ours, or no kind at all with the fields of a source. */
function meantToBeOurs(fields: Fields): boolean {
  const { apiVersion, kind, spec } = fields;
  if (typeof apiVersion === "string" && apiVersion.startsWith(GROUP)) return true;
  if (typeof kind === "string") return kind === KIND || didYouMean(kind, [String(KIND)]) !== undefined;
  return typeof spec === "object" && spec !== null && ("baseUrl" in spec || "metadataPrefix" in spec);
}

function wrongHead(yaml: YamlDocument, fields: Fields): Finding {
  const field = fields["kind"] === KIND ? "apiVersion" : "kind";
  const right = field === "kind" ? KIND : API_VERSION;
  const written = fields[field];
  const sentence =
    written === undefined || written === null
      ? `${field} is missing; it must be ${String(right)}.`
      : `${field} is ${typeof written === "object" ? "no text" : JSON.stringify(written).slice(0, 80)}; it must be ${String(right)}.`;
  return {
    rule: field === "kind" ? "manifest/kind" : "manifest/api-version",
    severity: "error",
    place: placeOf(yaml, [field]),
    sentence,
    remedy: `Write ${field}: ${String(right)}`,
  };
}

function otherKind(yaml: YamlDocument, fields: Fields): Finding {
  const kind = fields["kind"];
  const items = fields["items"];
  const remedy =
    Array.isArray(items) && typeof kind === "string" && kind.endsWith("List")
      ? "Lists are not read: write each manifest as a document of its own, separated by a line with ---."
      : `A manifest begins with apiVersion: ${String(API_VERSION)} and kind: ${String(KIND)}.`;
  return {
    rule: "manifest/other-kind",
    severity: "info",
    place: placeOf(yaml, kind === undefined ? [] : ["kind"]),
    sentence:
      typeof kind === "string"
        ? `This document is a ${kind.slice(0, 80)}, not a HarvestSource, and is not looked at.`
        : "This document has no kind: it is no HarvestSource, and is not looked at.",
    remedy,
  };
}
