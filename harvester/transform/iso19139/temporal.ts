/** When: every form in which GML writes a period or an instant inside an extent. */
import type { TemporalExtent } from "../../canonical.js";
import { all, child, descendants, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped } from "../limits.js";
import { present } from "../present.js";
import { quoted } from "../remarks.js";
import { attributeNames, GML, path } from "./names.js";
import { checkedDate, isNil, type Reading } from "./values.js";

const TEMPORAL = path("id:extent/*/gmd:temporalElement/*/gmd:extent");
const TIME_PERIOD = path("gml:TimePeriod");
const TIME_INSTANT = path("gml:TimeInstant");
const POSITION = path("gml:timePosition");
const INSTANT_POSITION = path("gml:TimeInstant/gml:timePosition");

const LENGTHS = ["duration", "timeInterval", "timeLength"];

/** Words that publishers write for an end that has not come. */
const OPEN_END = /^(?:now|present|ongoing|unknown|continuing)$/i;

/** All periods; an instant is a period that ends when it begins. A period without any readable end is left out. */
export function temporalExtentsOf(identification: XmlElement, reading: Reading): readonly TemporalExtent[] {
  const extents = capped(all(identification, TEMPORAL), reading.remarks);
  return extents.flatMap((extent) => {
    if (isNil(extent)) return [];
    const periods = all(extent, TIME_PERIOD).map((period) => periodOf(period, reading));
    const instants = all(extent, TIME_INSTANT).map((instant) => instantOf(instant, reading));
    return [...periods, ...instants].filter(({ start, end }) => start !== undefined || end !== undefined);
  });
}

function instantOf(instant: XmlElement, reading: Reading): TemporalExtent {
  const moment = positionOf(first(instant, POSITION), reading);
  return moment === undefined ? {} : { start: moment, end: moment };
}

function periodOf(period: XmlElement, reading: Reading): TemporalExtent {
  const start = endOf(period, { position: "beginPosition", object: "begin" }, reading);
  const end = endOf(period, { position: "endPosition", object: "end" }, reading);
  const hasLength = period.children.some((element) => LENGTHS.includes(element.name));
  if (hasLength && (start === undefined) !== (end === undefined)) {
    reading.remarks.tell(
      "duration-not-added",
      "One end of the period follows from its length: it is left open.",
      period,
    );
  }
  return present({ start, end });
}

interface EndNames {
  readonly position: string;
  readonly object: string;
}

function endOf(period: XmlElement, names: EndNames, reading: Reading): string | undefined {
  const position = child(period, GML, names.position);
  if (position !== undefined) return positionOf(position, reading);
  const object = child(period, GML, names.object);
  if (object === undefined) return undefined;
  const within = first(object, INSTANT_POSITION);
  if (within !== undefined) return positionOf(within, reading);
  const reference = object.attributes.get(attributeNames.href) ?? "";
  // Only what this record holds: addresses outside it are not followed.
  const elsewhere = reference.startsWith("#") ? reading.instants().get(reference.slice(1)) : undefined;
  return elsewhere && positionOf(first(elsewhere, POSITION), reading);
}

/** The TimeInstants of a record by gml:id; the record is walked once, when first asked. */
export function instantIndex(metadata: XmlElement): () => ReadonlyMap<string, XmlElement> {
  let index: Map<string, XmlElement> | undefined;
  return function instants() {
    if (index !== undefined) return index;
    index = new Map();
    for (const element of descendants(metadata)) {
      const id = element.name === "TimeInstant" ? idOf(element) : undefined;
      if (id !== undefined && !index.has(id)) index.set(id, element);
    }
    return index;
  };
}

function idOf(element: XmlElement): string | undefined {
  for (const namespace of GML) {
    const id = element.attributes.get(`{${namespace}}id`);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Undefined = open. `before` and `after` beside a date keep the date; `now` and `unknown` stand for themselves. */
function positionOf(position: XmlElement | undefined, reading: Reading): string | undefined {
  if (position === undefined || isNil(position)) return undefined;
  const written = position.text.trim();
  const indeterminate = position.attributes.get("indeterminatePosition");
  if (written === "" || indeterminate === "now" || indeterminate === "unknown" || OPEN_END.test(written)) {
    return undefined;
  }
  const frame = position.attributes.get("frame") ?? "";
  if (frame !== "" && !frame.includes("8601")) {
    const message = `${quoted(written)} is a time in the frame ${quoted(frame)}, not of the calendar: it is left out.`;
    reading.remarks.warn("date-unreadable", message, position);
    return undefined;
  }
  return checkedDate(written, reading.remarks, position);
}
