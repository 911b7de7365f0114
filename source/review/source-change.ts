import type { LocatedSource } from "../located-source.js";

/** What becomes of one source between two sides. */
export type SourceChange =
  | {
      readonly kind: "added";
      readonly key: string;
      readonly head: LocatedSource;
      readonly files: readonly PolicyFileChange[];
    }
  | {
      readonly kind: "removed";
      readonly key: string;
      readonly base: LocatedSource;
      readonly files: readonly PolicyFileChange[];
    }
  | (Paired & { readonly kind: "changed" | "renamed" | "unchanged" });

/** On both sides. renamed = another metadata.name or namespace for the same endpoint, set list and prefix: a new source. */
interface Paired {
  /** namespace/name, or the name alone where there is no namespace; of the head. */
  readonly key: string;
  readonly base: LocatedSource;
  readonly head: LocatedSource;
  /** Of metadata and spec, defaults filled in, sorted by path. Empty = comments, key order or place only. */
  readonly fields: readonly FieldChange[];
  /** Files of its policy that differ. */
  readonly files: readonly PolicyFileChange[];
  /** Its text stands in another file now. */
  readonly movedFrom?: string;
}

/** One field; values are as written in JSON, undefined = absent (and without a default). */
export interface FieldChange {
  /** e.g. spec.concurrency.maxRequests, spec.sets[3], metadata.labels.team */
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** The value was not written: it is the default. */
  readonly beforeIsDefault: boolean;
  readonly afterIsDefault: boolean;
}

/** A file of rules/ or schemas/ that differs between the sides. */
export interface PolicyFileChange {
  /** From the policy root. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
}
