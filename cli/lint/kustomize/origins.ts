import type { Place } from "../../../source/finding.js";
import type { YamlDocument } from "../../../source/yaml/documents.js";
import { isWritten, placeOf, type Path } from "../../../source/yaml/node-place.js";

/** Where a value was written: in this document, at this path. */
export interface Origin {
  readonly yaml: YamlDocument;
  readonly at: Path;
}

/** Where each field of a built object was written: in its base, or in what changed it last. */
export class Origins {
  /** By path as JSON. */
  private readonly changes = new Map<string, Origin>();
  private readonly base: Origin;

  constructor(base: Origin) {
    this.base = base;
  }

  /** From now on this field, and all below it, stand there. */
  set(path: Path, origin: Origin): void {
    const below = `${JSON.stringify(path).slice(0, -1)},`;
    for (const key of this.changes.keys())
      if (path.length === 0 || key.startsWith(below)) this.changes.delete(key);
    this.changes.set(JSON.stringify(path), origin);
  }

  place(path: Path, part?: "key" | "value"): Place {
    const { yaml, at } = this.originOf(path);
    return placeOf(yaml, at, part);
  }

  written(path: Path): boolean {
    const { yaml, at } = this.originOf(path);
    return isWritten(yaml.document, at);
  }

  /** A place in each document that has a part in it. */
  parts(): readonly Place[] {
    const documents = new Map([this.base, ...this.changes.values()].map(({ yaml, at }) => [yaml, at]));
    return [...documents].map(([yaml, at]) => placeOf(yaml, at));
  }

  private originOf(path: Path): Origin {
    for (let length = path.length; length >= 0; length -= 1) {
      const change = this.changes.get(JSON.stringify(path.slice(0, length)));
      if (change !== undefined) return { ...change, at: [...change.at, ...path.slice(length)] };
    }
    return { ...this.base, at: [...this.base.at, ...path] };
  }
}
