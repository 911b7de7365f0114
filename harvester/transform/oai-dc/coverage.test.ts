import { describe, expect, it } from "vitest";
import { readCoverage, type Coverage } from "./coverage.js";

const california = { west: -124.5, south: 32.5, east: -114.1, north: 42 };

const rows: readonly { name: string; given: string; expect: Coverage }[] = [
  { name: "a name", given: " Lake  Erie ", expect: { place: "Lake Erie" } },
  { name: "nothing", given: "  ", expect: {} },
  {
    name: "a DCMI Box",
    given:
      "name=California; northlimit=42; eastlimit=-114.1; southlimit=32.5; westlimit=-124.5; units=signed decimal degrees",
    expect: { box: california, place: "California" },
  },
  {
    name: "a DCMI Box without a name",
    given: "westlimit=-124.5;southlimit=32.5;eastlimit=-114.1;northlimit=42",
    expect: { box: california },
  },
  {
    name: "a box across the antimeridian",
    given: "westlimit=170; eastlimit=-170; southlimit=-20; northlimit=-10",
    expect: { box: { west: 170, south: -20, east: -170, north: -10 } },
  },
  {
    name: "a box in other units stays text",
    given: "westlimit=1; eastlimit=2; southlimit=3; northlimit=4; units=metres",
    expect: { place: "westlimit=1; eastlimit=2; southlimit=3; northlimit=4; units=metres" },
  },
  {
    name: "a box of another projection stays text",
    given: "westlimit=1; eastlimit=2; southlimit=3; northlimit=4; projection=UTM",
    expect: { place: "westlimit=1; eastlimit=2; southlimit=3; northlimit=4; projection=UTM" },
  },
  {
    name: "a box without its north stays text",
    given: "westlimit=1; eastlimit=2; southlimit=3",
    expect: { place: "westlimit=1; eastlimit=2; southlimit=3" },
  },
  {
    name: "a DCMI Point",
    given: "east=148.26; north=-36.45; name=Mt. Kosciusko",
    expect: { box: { west: 148.26, south: -36.45, east: 148.26, north: -36.45 }, place: "Mt. Kosciusko" },
  },
  {
    name: "four numbers that can only be west,south,east,north",
    given: "-124.5,32.5,-114.1,42",
    expect: { box: california },
  },
  { name: "four numbers with blanks", given: "-124.5 32.5 -114.1 42", expect: { box: california } },
  { name: "four numbers of two possible orders", given: "10,20,30,40", expect: { place: "10,20,30,40" } },
  {
    name: "four numbers with the latitude first",
    given: "32.5,-124.5,42,-114.1",
    expect: { place: "32.5,-124.5,42,-114.1" },
  },
  {
    name: "west, east, south, north could be meant",
    given: "-100,10,-80,20",
    expect: { place: "-100,10,-80,20" },
  },
  {
    name: "four numbers that are metres",
    given: "430000,120000,440000,130000",
    expect: { place: "430000,120000,440000,130000" },
  },
  { name: "three numbers", given: "1,2,3", expect: { place: "1,2,3" } },
  {
    name: "a DCMI Period",
    given: "start=1999-09-25; end=1999-09-26; scheme=W3C-DTF; name=Weekend",
    expect: { period: { start: "1999-09-25", end: "1999-09-26" }, place: "Weekend" },
  },
  { name: "a DCMI Period with an open end", given: "start=1999", expect: { period: { start: "1999" } } },
  { name: "a year", given: "1998", expect: { period: { start: "1998", end: "1998" } } },
  {
    name: "an interval",
    given: "1998-01-01/1999-12-31",
    expect: { period: { start: "1998-01-01", end: "1999-12-31" } },
  },
  { name: "half an interval stays text", given: "1998/soon", expect: { place: "1998/soon" } },
  { name: "a name with a slash", given: "Berlin/Brandenburg", expect: { place: "Berlin/Brandenburg" } },
  { name: "an equals sign in a name", given: "a=b", expect: { place: "a=b" } },
];

describe("readCoverage", () => {
  it.each(rows)("$name", (row) => {
    expect(readCoverage(row.given)).toStrictEqual(row.expect);
  });
});
