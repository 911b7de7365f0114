import { describe } from "vitest";
import { iso, string, table } from "../../../tests/setup/iso-record.js";

describe("where", () => {
  /** Sides in the order west, south, east, north, blank-separated; `-` for an empty one. */
  function box(sides: string, type = ""): string {
    const names = ["westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude"];
    const written = sides.split(" ").map((side, index) => {
      const value = side === "-" ? "" : side;
      return `<gmd:${names[index] ?? ""}><gco:Decimal>${value}</gco:Decimal></gmd:${names[index] ?? ""}>`;
    });
    return `<gmd:geographicElement><gmd:EX_GeographicBoundingBox>${type}${written.join("")}</gmd:EX_GeographicBoundingBox></gmd:geographicElement>`;
  }
  const extent = (inner: string, prefix = "gmd") =>
    `<${prefix}:extent><gmd:EX_Extent>${inner}</gmd:EX_Extent></${prefix}:extent>`;
  const place = `<gmd:geographicElement><gmd:EX_GeographicDescription><gmd:geographicIdentifier><gmd:MD_Identifier>${string("code", "Ohio")}</gmd:MD_Identifier></gmd:geographicIdentifier></gmd:EX_GeographicDescription></gmd:geographicElement>`;
  const nil = (side: string) => `<gmd:${side} gco:nilReason="missing"/>`;
  const nilBox = `<gmd:geographicElement><gmd:EX_GeographicBoundingBox>${nil("westBoundLongitude")}${nil("eastBoundLongitude")}${nil("southBoundLatitude")}${nil("northBoundLatitude")}</gmd:EX_GeographicBoundingBox></gmd:geographicElement>`;
  const polygon =
    "<gmd:geographicElement><gmd:EX_BoundingPolygon><gmd:polygon/></gmd:EX_BoundingPolygon></gmd:geographicElement>";
  table([
    {
      name: "boxes of all extents, one across the antimeridian, and places",
      given: iso({
        identification: extent(box("-10 1 10.5 2") + place) + extent(box("170 -20 -170 -10")),
      }),
      expect: {
        boundingBoxes: [
          { west: -10, south: 1, east: 10.5, north: 2 },
          { west: 170, south: -20, east: -170, north: -10 },
        ],
        places: ["Ohio"],
      },
    },
    {
      name: "a service's extent",
      given: iso({ identification: extent(box("1 2 3 4"), "srv") }),
      expect: { boundingBoxes: [{ west: 1, south: 2, east: 3, north: 4 }] },
    },
    {
      name: "a box of a point",
      given: iso({ identification: extent(box("1e1 +2. .5 2")) }),
      expect: { boundingBoxes: [{ west: 10, south: 2, east: 0.5, north: 2 }] },
    },
    {
      name: "three numbers and a decimal comma are no box",
      given: iso({
        identification: extent(box("1 2 - 4")) + extent(box("1,5 2 3 4")) + extent(box("NaN 2 Infinity 0x4")),
      }),
      expect: {},
      remarks: ["box-incomplete", "box-incomplete", "box-incomplete"],
    },
    {
      name: "metres are no degrees",
      given: iso({ identification: extent(box("430000 120000 440000 130000")) }),
      expect: {},
      remarks: ["box-out-of-range"],
    },
    {
      name: "south above north",
      given: iso({ identification: extent(box("1 4 3 2")) }),
      expect: {},
      remarks: ["box-upside-down"],
    },
    { name: "a nil box is absent", given: iso({ identification: extent(nilBox) }), expect: {} },
    {
      name: "a box that says where it is not",
      given: iso({
        identification: extent(
          box("1 2 3 4", "<gmd:extentTypeCode><gco:Boolean>0</gco:Boolean></gmd:extentTypeCode>"),
        ),
      }),
      expect: {},
      remarks: ["box-excludes"],
    },
    {
      name: "a polygon gives no box",
      given: iso({ identification: extent(polygon) }),
      expect: {},
      remarks: ["polygon-not-mapped"],
    },
  ]);
});
