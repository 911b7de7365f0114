import { describe, expect, it } from "vitest";
import { byteaArray, textArray } from "./binary-array.js";

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("arrays in PostgreSQL's binary format", () => {
  it.each([
    // dimensions, has null, element type, length, lower bound | elements: length, bytes
    { name: "empty", given: textArray([]), expect: "00000001 00000000 00000019 00000000 00000001" },
    {
      name: "text, in UTF-8",
      given: textArray(["a", "é", ""]),
      expect: "00000001 00000000 00000019 00000003 00000001 00000001 61 00000002 c3a9 00000000",
    },
    {
      name: "null and undefined",
      given: textArray([null, undefined]),
      expect: "00000001 00000001 00000019 00000002 00000001 ffffffff ffffffff",
    },
    {
      name: "bytea",
      given: byteaArray([new Uint8Array([0, 255]), undefined]),
      expect: "00000001 00000001 00000011 00000002 00000001 00000002 00ff ffffffff",
    },
  ])("$name", ({ given, expect: expected }) => {
    expect(hex(given)).toBe(expected.replaceAll(" ", ""));
  });
});
