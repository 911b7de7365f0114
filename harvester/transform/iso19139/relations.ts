/** What it belongs to: the parent, and other resources it names. */
import { all, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, distinct } from "../limits.js";
import { present } from "../present.js";
import { path } from "./names.js";
import { code, text, type Reading } from "./values.js";

const PARENT = path("gmd:parentIdentifier");
const AGGREGATION = path("gmd:aggregationInfo/*");
const ASSOCIATION = path("gmd:associationType");
const AGGREGATE_CODE = path("gmd:aggregateDataSetIdentifier/*/gmd:code");
const AGGREGATE_NAME = path("gmd:aggregateDataSetName/*/gmd:title");

/** Associations that name the larger whole. `isComposedOf` names a part, so it is a relation like the others. */
const WHOLE = new Set(["largerworkcitation", "collectivetitle"]);

export interface Relations {
  readonly parent?: string;
  readonly relations?: readonly string[];
}

/** parentIdentifier wins; else the identifier, else the title, of the larger work. */
export function relationsOf(metadata: XmlElement, identification: XmlElement, reading: Reading): Relations {
  const aggregates = capped(all(identification, AGGREGATION), reading.remarks).map((element) => ({
    isWhole: WHOLE.has((code(first(element, ASSOCIATION)) ?? "").toLowerCase().replace(/[^a-z]/g, "")),
    name: nameOf(element, reading),
  }));
  const whole = aggregates.find(({ isWhole, name }) => isWhole && name !== undefined)?.name;
  const parent = text(first(metadata, PARENT), "word", reading) ?? whole;
  const others = aggregates.flatMap(({ isWhole, name }) => (isWhole || name === undefined ? [] : name));
  const relations = distinct(others);
  return present({ parent, relations: relations.length === 0 ? undefined : relations });
}

function nameOf(aggregate: XmlElement, reading: Reading): string | undefined {
  const identifier = text(first(aggregate, AGGREGATE_CODE), "word", reading);
  return identifier ?? text(first(aggregate, AGGREGATE_NAME), "line", reading);
}
