/**
 * What a sandbox repository holds before anything changes in it: records by index 0 … size - 1 in the order of their
 * datestamps. Nothing is listed in memory that can be computed; changes lie over it (repository/overlay.ts).
 */
import type { Format } from "./format.js";
import type { RecordFaultName } from "./record-faults.js";

export interface SetInfo {
  readonly spec: string;
  readonly name: string;
}

export interface BodyQuestion {
  readonly format: Format;
  /** 0 = as first published; each change adds one. */
  readonly version: number;
  readonly fault?: RecordFaultName;
}

export interface Content {
  readonly size: number;
  readonly sets: readonly SetInfo[];
  /** Formats at least one record has. */
  readonly formats: readonly Format[];
  /** True when every record has every format, so that lists can be counted without looking. */
  readonly isUniform: boolean;
  /** True when records beyond `size` can be had by their index. */
  readonly makesRecords: boolean;
  /** Identifier without the repository's prefix. */
  localName(index: number): string;
  /** Index of a local name; undefined when no record, present or to come, can have it. */
  indexOf(localName: string): number | undefined;
  /** Seconds of the epoch; never less than that of a smaller index. */
  stampOf(index: number): number;
  setsOf(index: number): readonly string[];
  formatsOf(index: number): readonly Format[];
  isDeleted(index: number): boolean;
  faultOf(index: number): RecordFaultName | undefined;
  /** The metadata payload: normally one element in UTF-8. */
  bodyOf(index: number, question: BodyQuestion): Buffer;
}
