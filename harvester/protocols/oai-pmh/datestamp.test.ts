import { describe, expect, it } from "vitest";
import { readDatestamp, readHttpDate } from "./datestamp.js";

describe("C22 datestamps as they come", () => {
  it.each([
    ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z"],
    ["2024-01-01", "2024-01-01T00:00:00Z"],
    [" \n2024-01-01T10:00:00Z ", "2024-01-01T10:00:00Z"],
    ["2024-01-01T10:00:00.123+02:00", "2024-01-01T08:00:00Z"],
    ["2024-01-01T00:30:00+01", "2023-12-31T23:30:00Z"],
    ["2024-01-01T23:30:00-0130", "2024-01-02T01:00:00Z"],
    ["2024-01-01 10:00:00", "2024-01-01T10:00:00Z"],
    ["2024-01-01T10:00", "2024-01-01T10:00:00Z"],
    ["2024-01-01t10:00:00z", "2024-01-01T10:00:00Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"],
    ["2024-02-29", "2024-02-29T00:00:00Z"],
  ])("%s", (written, expected) => {
    expect(readDatestamp(written)).toBe(expected);
  });

  it.each([
    "",
    undefined,
    "0000-00-00",
    "2023-02-29",
    "2024-13-01",
    "2024-01-01T25:00:00Z",
    "yesterday",
    "01.02.2024",
    "20240101",
    "2024-01-01T10:00:00 CET",
    "99999-01-01",
  ])("no time: %s", (written) => {
    expect(readDatestamp(written)).toBeUndefined();
  });

  it("reads the Date header of HTTP", () => {
    expect(readHttpDate("Wed, 21 Oct 2026 07:28:00 GMT")).toBe("2026-10-21T07:28:00Z");
    expect(readHttpDate("soon")).toBeUndefined();
    expect(readHttpDate(undefined)).toBeUndefined();
  });
});
