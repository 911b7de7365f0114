/** Where: bounding boxes and names of places of all extents of a resource. */
import type { BoundingBox } from "../../canonical.js";
import { all, child, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { boxProblem } from "../boxes.js";
import { capped, distinct } from "../limits.js";
import { readableNumber } from "../readable.js";
import { GMD, path } from "./names.js";
import { isNil, text, type Reading } from "./values.js";

const GEOGRAPHIC = path("id:extent/*/gmd:geographicElement/*");
const INCLUDES = path("gmd:extentTypeCode/gco:Boolean");
const PLACE = path("gmd:geographicIdentifier/*/gmd:code");

export interface SpatialExtents {
  readonly boundingBoxes: readonly BoundingBox[];
  readonly places: readonly string[];
}

/** Polygons give no box: their axis order is a guess in practice, and a guess does not belong into the record. */
export function spatialExtentsOf(identification: XmlElement, reading: Reading): SpatialExtents {
  const boundingBoxes: BoundingBox[] = [];
  const places: string[] = [];
  for (const element of capped(all(identification, GEOGRAPHIC), reading.remarks)) {
    const place = text(first(element, PLACE), "word", reading);
    if (place !== undefined) places.push(place);
    const box = element.name === "EX_GeographicBoundingBox" ? boxOf(element, reading) : undefined;
    if (box !== undefined) boundingBoxes.push(box);
    if (element.name === "EX_BoundingPolygon") {
      reading.remarks.tell("polygon-not-mapped", "The bounding polygon is kept in the record only.", element);
    }
  }
  return { boundingBoxes, places: distinct(places) };
}

function boxOf(element: XmlElement, { remarks }: Reading): BoundingBox | undefined {
  if (isExclusion(element)) {
    remarks.tell("box-excludes", "The box says where the resource is not: it is left out.", element);
    return undefined;
  }
  const sides = {
    west: sideOf(element, "westBoundLongitude"),
    south: sideOf(element, "southBoundLatitude"),
    east: sideOf(element, "eastBoundLongitude"),
    north: sideOf(element, "northBoundLatitude"),
  };
  const checked = boxProblem(sides);
  if ("box" in checked) return checked.box;
  // A box whose sides are all declared nil is an absent box.
  if (!element.children.every(isNil)) remarks.warn(checked.rule, checked.message, element);
  return undefined;
}

function isExclusion(element: XmlElement): boolean {
  const includes = first(element, INCLUDES)?.text.trim();
  return includes === "false" || includes === "0";
}

function sideOf(element: XmlElement, name: string): number | undefined {
  const property = child(element, [GMD], name);
  if (property === undefined || isNil(property)) return undefined;
  return readableNumber(property.children[0]?.text ?? "");
}
