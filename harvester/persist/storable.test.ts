import { describe, expect, it } from "vitest";
import { identifierKey, storableInstant, storableJson, storableText } from "./storable.js";

describe("text made fit for the database", () => {
  it.each([
    { name: "plain text stays", given: "Straße 東京 🌍", expect: "Straße 東京 🌍" },
    { name: "NUL", given: "a\0b", expect: "a\uFFFDb" },
    { name: "a lone high surrogate", given: "a\uD83Db", expect: "a\uFFFDb" },
    { name: "a lone low surrogate", given: "\uDE00", expect: "\uFFFD" },
  ])("$name", ({ given, expect: expected }) => {
    expect(storableText(given)).toBe(expected);
  });

  it.each([
    { name: "plain", given: { a: ["x", 1, null] }, expect: '{"a":["x",1,null]}' },
    { name: "NUL deep inside", given: { a: [{ b: "\0" }] }, expect: '{"a":[{"b":"\uFFFD"}]}' },
    { name: "a lone surrogate", given: ["\uD800"], expect: '["\uFFFD"]' },
    { name: "text that only looks like an escape stays", given: ["\\u0000"], expect: '["\\\\u0000"]' },
    { name: "undefined is null", given: undefined, expect: "null" },
  ])("JSON: $name", ({ given, expect: expected }) => {
    expect(storableJson(given)).toBe(expected);
  });

  it("an identifier too long for an index keeps its beginning and gets its digest; twice gives the same", () => {
    const long = "é".repeat(600);
    const key = identifierKey(long);
    expect(key).toMatch(/^é{200}…sha256:[0-9a-f]{64}$/);
    expect(identifierKey(key)).toBe(key);
    expect(identifierKey("é".repeat(512))).toBe("é".repeat(512));
  });

  it.each([
    { given: undefined, expect: null },
    { given: "2024-02-29T12:30:59Z", expect: "2024-02-29T12:30:59Z" },
    { given: "0001-01-01T00:00:00Z", expect: "0001-01-01T00:00:00Z" },
    { given: "0000-01-01T00:00:00Z", expect: null },
    { given: "2023-02-29T00:00:00Z", expect: null },
    { given: "2023-13-01T00:00:00Z", expect: null },
    { given: "2023-01-01T00:00:60Z", expect: null },
    { given: "2023-01-01", expect: null },
    { given: "infinity", expect: null },
  ])("C22 datestamp $given", ({ given, expect: expected }) => {
    expect(storableInstant(given)).toBe(expected);
  });
});
