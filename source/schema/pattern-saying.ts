import type { Path } from "../yaml/node-place.js";
import type { Saying } from "./saying.js";
import { pathText } from "./field-path.js";

const NAME = {
  says: "must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit",
  remedy: "Kubernetes allows no other names (RFC 1123).",
};

const PATH = {
  says: "must be a relative path with '/' that stays inside the policy root (no '..', no leading '/', no spaces)",
  remedy: "Paths are relative to --root, e.g. schemas/iso19139.xsd.",
};

/** What the patterns of the schema mean, by the end of the field's path. */
const sayings: readonly { readonly field: RegExp; readonly says: string; readonly remedy: string }[] = [
  { field: /^metadata\.(name|namespace)$/, ...NAME },
  { field: /ecretName$/, ...NAME },
  { field: /^spec\.validation\.(xsd|schematron)/, ...PATH },
  {
    field: /^metadata\.(labels|annotations)\./,
    says: "is no label Kubernetes accepts",
    remedy:
      "Keys and label values: letters, digits, '-', '_' and '.', at most 63, beginning and ending with a letter or digit.",
  },
  {
    field: /^spec\.metadataPrefix$/,
    says: "is no metadata prefix: it may hold letters, digits and -_.!~*'()",
    remedy: "The source lists its prefixes under ?verb=ListMetadataFormats.",
  },
  {
    field: /^spec\.sets\[/,
    says: "is no set: it may hold no white space",
    remedy: "Use the setSpec, not the name; the source lists both under ?verb=ListSets.",
  },
  {
    field: /^spec\.transport\.allowedRedirectOrigins\[/,
    says: "is no origin: scheme, host and perhaps port, nothing after them",
    remedy: "Write e.g. https://data.example.gov",
  },
  {
    field: /^spec\.validation\.phase$/,
    says: "is no name of a phase",
    remedy: "Use the id of a phase in the rule set, #ALL or #DEFAULT.",
  },
];

/** What is wrong with a text that does not match its pattern, in words instead of a regular expression. */
export function patternSaying(path: Path, value: unknown): Saying {
  const name = pathText(path);
  const saying = sayings.find(({ field }) => field.test(name));
  const written = JSON.stringify(String(value).slice(0, 80));
  return saying === undefined
    ? { sentence: `${name} is ${written}, which is not allowed there.` }
    : { sentence: `${name} is ${written}; it ${saying.says}.`, remedy: saying.remedy };
}
