import { describe, expect, it } from "vitest";
import type { PageItem } from "../record.js";
import { listedIdentifiers } from "./headers.js";

const violation = { gate: "envelope", rule: "record-malformed", severity: "error", message: "" } as const;

function listed(identifier: string, deleted = false): PageItem {
  return { kind: "record", header: { identifier, sets: [], deleted }, about: [], warnings: [] };
}

function broken(identifier?: string): PageItem {
  return { kind: "broken", identifier, violation, raw: new Uint8Array() };
}

describe("listedIdentifiers", () => {
  it("C52 names what was listed, readable or not; only a deleted header has gone", () => {
    const items = [listed("a"), listed("b", true), broken("c"), broken(), listed("d")];
    expect(listedIdentifiers(items)).toEqual(["a", "c", "d"]);
  });
});
