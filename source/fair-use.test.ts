import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ceilingFor, parseFairUse } from "./fair-use.js";

const file = "rules/fair-use.yaml";

describe("ceilings", () => {
  it("holds for a host by its name, else by the default, and knows where it stands", () => {
    const { fairUse } = parseFairUse(
      "hosts:\n  a.example.gov: { maxRequests: 50, agreed: by mail }\ndefault:\n  maxRequests: 4\n",
      file,
    );
    expect(ceilingFor(fairUse, "a.example.gov")).toEqual({
      maxRequests: 50,
      place: { file, line: 2, column: 33, length: 2 },
    });
    expect(ceilingFor(fairUse, "b.example.gov")).toEqual({
      maxRequests: 4,
      place: { file, line: 4, column: 16, length: 1 },
    });
  });

  it("is none where neither is written, or where there is no file", () => {
    expect(ceilingFor(parseFairUse("hosts: {}\n", file).fairUse, "a.example.gov")).toBeUndefined();
    expect(ceilingFor(parseFairUse("", file).fairUse, "a.example.gov")).toBeUndefined();
    expect(ceilingFor(undefined, "a.example.gov")).toBeUndefined();
  });

  it("allows the agency of the example 50 requests in flight", () => {
    const text = readFileSync(join(import.meta.dirname, "..", file));
    expect(ceilingFor(parseFairUse(text, file).fairUse, "metadata.state.example.gov")?.maxRequests).toBe(50);
  });

  it.each([
    { text: "hosts:\n  https://a.example.gov: { maxRequests: 5 }\n", place: "2:3", says: "is no host" },
    { text: "hosts:\n  A.example.gov: { maxRequests: 5 }\n", place: "2:3", says: "is no host" },
    { text: "hosts:\n  a.example.gov: { maxRequest: 5 }\n", place: "2:20", says: "There is no field" },
    { text: "hosts:\n  a.example.gov: {}\n", place: "2:3", says: "maxRequests" },
    { text: "hosts:\n  a.example.gov: { maxRequests: 0 }\n", place: "2:33", says: "must be >= 1" },
    { text: "hosts:\n  a.example.gov: { maxRequests: many }\n", place: "2:33", says: "must be integer" },
    { text: "host: {}\n", place: "1:1", says: "There is no field host" },
    { text: "- a\n", place: "1:1", says: "must be object" },
    { text: "hosts: {}\n---\nhosts: {}\n", place: "3:1", says: "more than one YAML document" },
    { text: "hosts: {}\nhosts: {}\n", place: "2:1", says: "stands twice" },
  ])("is refused as a whole when a line is wrong: $says", ({ text, place, says }) => {
    const { fairUse, findings } = parseFairUse(text, file);
    expect(fairUse).toBeUndefined();
    expect(findings.map((each) => `${String(each.place.line)}:${String(each.place.column)}`)).toContain(
      place,
    );
    expect(findings.map(({ sentence }) => sentence).join("\n")).toContain(says);
    expect(findings.every(({ severity }) => severity === "error")).toBe(true);
  });
});
