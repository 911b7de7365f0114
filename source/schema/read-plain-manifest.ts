import { harvestSourceSchema, type HarvestSource } from "../harvest-source.generated.js";
import type { Place } from "../finding.js";
import type { LocatedSource } from "../located-source.js";
import { readDocuments, type YamlDocument } from "../yaml/documents.js";
import { isWritten, placeOf, type Path } from "../yaml/node-place.js";
import { readPlainYaml } from "../yaml/plain-yaml.js";
import { isFromCluster } from "./cluster-fields.js";
import { ownFields } from "./read-manifest.js";
import { validate } from "./validate.js";

const [KIND] = harvestSourceSchema.properties.kind.enum;
const [API_VERSION] = harvestSourceSchema.properties.apiVersion.enum;

/**
 * A text that is one plain manifest with nothing wrong about it; undefined for everything else, which is then read with
 * all its places. Ten thousand manifests are read in a second because nearly all of them are like that.
 */
export function readPlainManifest(text: string, file: string): LocatedSource | undefined {
  const value = readPlainYaml(text);
  if (value === undefined || value["kind"] !== KIND || value["apiVersion"] !== API_VERSION) return undefined;
  if (isFromCluster(value)) return undefined;
  const validation = validate(value);
  return validation.ok ? new PlainSource(ownFields(validation.source), file, text) : undefined;
}

/** Reads the text again, with places, when the first of them is asked for. */
class PlainSource implements LocatedSource {
  readonly source: HarvestSource;
  readonly file: string;
  readonly #text: string;
  #yaml: YamlDocument | undefined;

  constructor(source: HarvestSource, file: string, text: string) {
    this.source = source;
    this.file = file;
    this.#text = text;
  }

  place(path: Path, part?: "key" | "value"): Place {
    return placeOf(this.yaml(), path, part);
  }

  written(path: Path): boolean {
    return isWritten(this.yaml().document, path);
  }

  private yaml(): YamlDocument {
    this.#yaml ??= readDocuments(this.#text, this.file).documents[0];
    if (this.#yaml === undefined)
      throw new RangeError(`${this.file} was read once, and cannot be read again.`);
    return this.#yaml;
  }
}
