/** What can be wrong with one record: the list as data, with the gate that should refuse it, and how the damage is done. */
import type { Format } from "./format.js";

export type ExpectedGate = "well-formed" | "xsd" | "schematron";

export type RecordFaultName =
  | "not-well-formed"
  | "missing-title"
  | "bbox-swapped"
  | "missing-contact"
  | "control-character"
  | "temporal-empty"
  | "temporal-missing"
  | "wrong-element-order"
  | "bad-utf8"
  | "bbox-south-above-north"
  | "bad-date"
  | "doctype"
  | "empty-identifier"
  | "bbox-out-of-range"
  | "temporal-reversed"
  | "bare-ampersand"
  | "empty-title"
  | "bad-number"
  | "control-character-reference"
  | "unknown-element"
  | "undefined-entity"
  | "duplicate-attribute";

export interface RecordFault {
  readonly name: RecordFaultName;
  /** In which format the damage exists, and who should notice it there. A format that is absent is delivered sound. */
  readonly gate: Readonly<Partial<Record<Format, ExpectedGate>>>;
  readonly summary: string;
}

function both(gate: ExpectedGate): RecordFault["gate"] {
  return { iso19139: gate, oai_dc: gate };
}

function iso(gate: ExpectedGate): RecordFault["gate"] {
  return { iso19139: gate };
}

/** In the order in which `--faulty N` deals them out: the first dozen shows every gate. */
export const recordFaults: readonly RecordFault[] = [
  { name: "not-well-formed", gate: both("well-formed"), summary: "an end tag is missing in the middle" },
  {
    name: "missing-title",
    gate: { iso19139: "xsd", oai_dc: "schematron" },
    summary: "the title element is not there",
  },
  { name: "bbox-swapped", gate: both("schematron"), summary: "west is -96.1 and east is -98.4" },
  { name: "missing-contact", gate: iso("xsd"), summary: "no contact for the metadata" },
  {
    name: "temporal-empty",
    gate: iso("schematron"),
    summary: "begin and end of the temporal extent are empty",
  },
  {
    name: "temporal-missing",
    gate: iso("schematron"),
    summary: "nothing says which time the data cover",
  },
  { name: "wrong-element-order", gate: iso("xsd"), summary: "the date stamp comes before the contact" },
  { name: "bad-utf8", gate: both("well-formed"), summary: "a lone byte 0xE9 (Latin-1) under UTF-8" },
  { name: "bbox-south-above-north", gate: both("schematron"), summary: "south is 48.5 and north is 41.2" },
  { name: "bad-date", gate: iso("xsd"), summary: "a date of 2021-13-45" },
  {
    name: "doctype",
    gate: both("well-formed"),
    summary: "a DOCTYPE with an external entity before the root",
  },
  { name: "empty-identifier", gate: both("schematron"), summary: "the identifier is an empty string" },
  { name: "bbox-out-of-range", gate: both("schematron"), summary: "a latitude of 94.7 degrees" },
  {
    name: "temporal-reversed",
    gate: iso("schematron"),
    summary: "the temporal extent ends in 1987 and begins in 2019",
  },
  { name: "bare-ampersand", gate: both("well-formed"), summary: "an & that starts no reference" },
  { name: "empty-title", gate: both("schematron"), summary: "the title is an empty string" },
  { name: "bad-number", gate: iso("xsd"), summary: "a longitude with a decimal comma" },
  { name: "control-character", gate: both("well-formed"), summary: "the byte 0x0B in a text" },
  { name: "control-character-reference", gate: both("well-formed"), summary: "&#11; in a text" },
  { name: "unknown-element", gate: both("xsd"), summary: "an element the schema does not know" },
  { name: "undefined-entity", gate: both("well-formed"), summary: "&nbsp;, which XML does not define" },
  { name: "duplicate-attribute", gate: both("well-formed"), summary: "the same attribute twice" },
];

export function isRecordFault(name: string): name is RecordFaultName {
  return recordFaults.some((fault) => fault.name === name);
}

/** The fault of the n-th faulty record. */
export function nthFault(names: readonly RecordFaultName[], n: number): RecordFaultName {
  const list = names.length === 0 ? recordFaults.map((fault) => fault.name) : names;
  return list[n % list.length] as RecordFaultName;
}
