import { describe } from "vitest";
import { iso, table } from "../../../tests/setup/iso-record.js";

describe("when", () => {
  const extent = (time: string) =>
    `<gmd:extent><gmd:EX_Extent><gmd:temporalElement><gmd:EX_TemporalExtent><gmd:extent>${time}</gmd:extent></gmd:EX_TemporalExtent></gmd:temporalElement></gmd:EX_Extent></gmd:extent>`;
  const period = (begin: string, end: string, gml = "gml") =>
    extent(`<${gml}:TimePeriod>${begin}${end}</${gml}:TimePeriod>`);
  const at = (name: string, value: string, attributes = "") =>
    `<gml:${name}${attributes}>${value}</gml:${name}>`;
  const begins = at("beginPosition", "2001-01-01");
  const instant = (value: string) =>
    `<gml:TimeInstant gml:id="i1">${at("timePosition", value)}</gml:TimeInstant>`;
  const both = [{ start: "2001-01-01", end: "2002" }];
  const open = [{ start: "2001-01-01" }];
  table([
    {
      name: "positions",
      given: iso({ identification: period(begins, at("endPosition", " 2002 ")) }),
      expect: { temporal: both },
    },
    {
      name: "positions in GML 3.1",
      given: iso({
        identification: period(
          "<old:beginPosition>2001-01-01</old:beginPosition>",
          "<old:endPosition>2002</old:endPosition>",
          "old",
        ),
      }),
      expect: { temporal: both },
    },
    {
      name: "instants inside begin and end",
      given: iso({ identification: period(at("begin", instant("2001-01-01")), at("end", instant("2002"))) }),
      expect: { temporal: both },
    },
    {
      name: "an end that refers to an instant of the same record",
      given: iso({ identification: period(begins, '<gml:end xlink:href="#i1"/>') + extent(instant("2002")) }),
      expect: { temporal: [...both, { start: "2002", end: "2002" }] },
    },
    {
      name: "an end that refers elsewhere is open: nothing is fetched",
      given: iso({
        identification:
          period(begins, '<gml:end xlink:href="http://x/#i1"/>') +
          period(begins, '<gml:end xlink:href="#none"/>'),
      }),
      expect: { temporal: [...open, ...open] },
    },
    {
      name: "an instant begins and ends",
      given: iso({ identification: extent(instant("2002-02")) }),
      expect: { temporal: [{ start: "2002-02", end: "2002-02" }] },
    },
    {
      name: "now is an open end",
      given: iso({ identification: period(begins, at("endPosition", "", ' indeterminatePosition="now"')) }),
      expect: { temporal: open },
    },
    {
      name: "the word now is an open end",
      given: iso({ identification: period(begins, at("endPosition", "Present")) }),
      expect: { temporal: open },
    },
    {
      name: "after a date keeps the date",
      given: iso({
        identification: period(begins, at("endPosition", "2002", ' indeterminatePosition="after"')),
      }),
      expect: { temporal: both },
    },
    {
      name: "an unknown start",
      given: iso({
        identification: period(
          at("beginPosition", "", ' indeterminatePosition="unknown"'),
          at("endPosition", "2002"),
        ),
      }),
      expect: { temporal: [{ end: "2002" }] },
    },
    {
      name: "two open ends are nothing",
      given: iso({ identification: period(at("beginPosition", ""), at("endPosition", "")) }),
      expect: {},
    },
    {
      name: "a nil extent",
      given: iso({
        identification: extent("").replace(
          "<gmd:extent></gmd:extent>",
          '<gmd:extent gco:nilReason="missing"/>',
        ),
      }),
      expect: {},
    },
    {
      name: "before our era",
      given: iso({ identification: period(at("beginPosition", "-2150-00-00"), at("endPosition", "2002")) }),
      expect: { temporal: [{ end: "2002" }] },
      remarks: ["date-unreadable"],
    },
    {
      name: "another frame than the calendar",
      given: iso({
        identification: period(
          at("beginPosition", "2500", ' frame="http://x/geologic-ma"'),
          at("endPosition", "2002"),
        ),
      }),
      expect: { temporal: [{ end: "2002" }] },
      remarks: ["date-unreadable"],
    },
    {
      name: "a length is not added up",
      given: iso({ identification: period(begins, "<gml:duration>P1Y</gml:duration>") }),
      expect: { temporal: open },
      remarks: ["duration-not-added"],
    },
  ]);
});
