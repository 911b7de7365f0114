import type { YamlDocument } from "../../../source/yaml/documents.js";
import type { Path } from "../../../source/yaml/node-place.js";
import { Origins, type Origin } from "./origins.js";

export type Fields = Record<string, unknown>;

export interface ObjectName {
  readonly name: string;
  readonly namespace: string;
}

/** One object on its way through kustomizations: changed in place, because that is what kustomize is about. */
export class BuiltObject {
  value: Fields;
  readonly origins: Origins;
  /** What it was called, oldest first: a patch may use any of its names. */
  readonly names: ObjectName[];

  constructor(yaml: YamlDocument) {
    this.value = structuredClone(yaml.value) as Fields;
    this.origins = new Origins({ yaml, at: [] });
    this.names = [this.name()];
  }

  get kind(): string {
    return String(this.value["kind"]);
  }

  get apiVersion(): string {
    return String(this.value["apiVersion"]);
  }

  get metadata(): Fields {
    return asFields(this.value["metadata"]) ?? {};
  }

  name(): ObjectName {
    const { name, namespace } = this.metadata;
    return { name: String(name ?? ""), namespace: String(namespace ?? "") };
  }

  /** Writes a field of metadata; maps below it must not be written through this. */
  setMetadata(field: string, value: unknown, origin?: Origin): void {
    this.value["metadata"] = { ...this.metadata, [field]: value };
    if (origin !== undefined) this.origins.set(["metadata", field], origin);
  }

  /** Adds to labels or annotations. */
  setPair(field: "labels" | "annotations", [key, value]: readonly [string, unknown], origin: Origin): void {
    const pairs = asFields(this.metadata[field]) ?? {};
    this.setMetadata(field, { ...pairs, [key]: value });
    const path: Path = ["metadata", field, key];
    this.origins.set(path, origin);
  }

  /** After its name or namespace was changed. */
  remember(): void {
    this.names.push(this.name());
  }
}

/** A map that is no list, or undefined. */
export function asFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
