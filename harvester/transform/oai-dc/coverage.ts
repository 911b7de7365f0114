/** dc:coverage, where publishers put places, boxes and periods into one text. */
import type { BoundingBox, TemporalExtent } from "../../canonical.js";
import { boxProblem } from "../boxes.js";
import { cutText, textLimits } from "../limits.js";
import { present } from "../present.js";
import { oneLine, readableDate, readableNumber } from "../readable.js";

export interface Coverage {
  readonly box?: BoundingBox;
  readonly period?: TemporalExtent;
  readonly place?: string;
}

/**
 * What one coverage text says: a DCMI Box or Point, a DCMI Period, four numbers that can only mean
 * west,south,east,north, a date or an interval of dates; else the name of a place.
 */
export function readCoverage(text: string): Coverage {
  const written = cutText(oneLine(text), textLimits.line);
  const parts = componentsOf(written);
  const read =
    (parts && (readDcmiBox(parts) ?? readDcmiPeriod(parts))) ??
    readFourNumbers(written) ??
    readInterval(written);
  return read ?? (written === "" ? {} : { place: written });
}

/** `name=value; name=value` (DCMI Box, Point and Period encoding schemes); undefined for any other text. */
function componentsOf(text: string): ReadonlyMap<string, string> | undefined {
  if (!text.includes("=")) return undefined;
  const parts = new Map<string, string>();
  for (const part of text.split(";")) {
    const equals = part.indexOf("=");
    if (equals > 0) parts.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  return parts;
}

function readDcmiBox(parts: ReadonlyMap<string, string>): Coverage | undefined {
  if (!isInDegrees(parts)) return undefined;
  const east = numberOf(parts, "east");
  const north = numberOf(parts, "north");
  const checked = boxProblem({
    west: numberOf(parts, "westlimit") ?? east,
    south: numberOf(parts, "southlimit") ?? north,
    east: numberOf(parts, "eastlimit") ?? east,
    north: numberOf(parts, "northlimit") ?? north,
  });
  return "box" in checked ? present({ box: checked.box, place: nameOf(parts) }) : undefined;
}

/** Another unit or a projection makes the numbers mean something else. */
function isInDegrees(parts: ReadonlyMap<string, string>): boolean {
  const units = parts.get("units") ?? "";
  return /^(?:|signed decimal degrees|decimal degrees|degrees)$/i.test(units) && !parts.has("projection");
}

function nameOf(parts: ReadonlyMap<string, string>): string | undefined {
  const name = parts.get("name") ?? "";
  return name === "" ? undefined : name;
}

function numberOf(parts: ReadonlyMap<string, string>, name: string): number | undefined {
  const written = parts.get(name);
  return written === undefined ? undefined : readableNumber(written);
}

function readDcmiPeriod(parts: ReadonlyMap<string, string>): Coverage | undefined {
  const start = readableDate(parts.get("start") ?? "");
  const end = readableDate(parts.get("end") ?? "");
  if (start === undefined && end === undefined) return undefined;
  return present({ period: present({ start, end }), place: nameOf(parts) });
}

type Numbers = readonly [number, number, number, number];

/** Every order of sides that publishers write. */
const orders: Readonly<Record<string, (n: Numbers) => BoundingBox>> = {
  wsen: ([west, south, east, north]) => ({ west, south, east, north }),
  swne: ([south, west, north, east]) => ({ west, south, east, north }),
  wesn: ([west, east, south, north]) => ({ west, south, east, north }),
  nwse: ([north, west, south, east]) => ({ west, south, east, north }),
  nesw: ([north, east, south, west]) => ({ west, south, east, north }),
};

/** `west,south,east,north`, when no other order of the four numbers could be meant. */
function readFourNumbers(text: string): Coverage | undefined {
  const numbers = text.split(/\s*,\s*|\s+/).map(readableNumber);
  if (numbers.length !== 4 || !numbers.every((value) => value !== undefined)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  const possible = Object.entries(orders).filter(([, order]) => isUsualBox(order([a, b, c, d])));
  if (possible.length !== 1 || possible[0]?.[0] !== "wsen") return undefined;
  return { box: { west: a, south: b, east: c, north: d } };
}

function isUsualBox(box: BoundingBox): boolean {
  return "box" in boxProblem(box) && box.west <= box.east && box.east <= 180;
}

function readInterval(text: string): Coverage | undefined {
  const [first = "", second, ...more] = text.split("/");
  if (more.length > 0) return undefined;
  const start = readableDate(first);
  const end = second === undefined ? start : readableDate(second);
  if (start === undefined || end === undefined) return undefined;
  return { period: { start, end } };
}
