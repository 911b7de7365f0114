/** When four numbers are a box on the globe. */
import type { BoundingBox } from "../canonical.js";

type Sides = { readonly [side in keyof BoundingBox]: number | undefined };

export type CheckedBox =
  | { readonly box: BoundingBox }
  | { readonly rule: "box-incomplete" | "box-out-of-range" | "box-upside-down"; readonly message: string };

/**
 * A box as written, or why it is none. Longitudes from -180 to 360 (some publishers count east only); west of east
 * is not asked for: such a box crosses the antimeridian. Nothing is swapped, clamped or wrapped.
 */
export function boxProblem({ west, south, east, north }: Sides): CheckedBox {
  if (west === undefined || south === undefined || east === undefined || north === undefined) {
    return {
      rule: "box-incomplete",
      message: "The bounding box has not four readable numbers: it is left out.",
    };
  }
  if (![west, east].every(isLongitude) || ![south, north].every(isLatitude)) {
    const message = `The bounding box (west ${String(west)}, south ${String(south)}, east ${String(east)}, north ${String(north)}) is not in degrees: it is left out.`;
    return { rule: "box-out-of-range", message };
  }
  if (south > north) {
    const message = `The bounding box has its south (${String(south)}) above its north (${String(north)}): it is left out.`;
    return { rule: "box-upside-down", message };
  }
  return { box: { west, south, east, north } };
}

function isLongitude(value: number): boolean {
  return value >= -180 && value <= 360;
}

function isLatitude(value: number): boolean {
  return value >= -90 && value <= 90;
}
