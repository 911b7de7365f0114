import { describe, expect, it } from "vitest";
import { expiryWarning } from "./expiry.js";

const now = Date.parse("2026-05-01T12:00:00Z");

describe("C88 expiryWarning", () => {
  const table: readonly (readonly [string, string, string | undefined])[] = [
    ["a year left", "2027-05-01T12:00:00Z", undefined],
    ["30 days left", "2026-05-31T12:00:00Z", undefined],
    ["a second less", "2026-05-31T11:59:59Z", "It expires on 2026-05-31, in 29 days: renew it."],
    ["hours left", "2026-05-01T20:00:00Z", "It expires on 2026-05-01, in 0 days: renew it."],
    ["over", "2026-04-01T00:00:00Z", "It expired on 2026-04-01: renew it."],
    ["no date", "soon", undefined],
  ];
  it.each(table)("C88 %s", (_name, notAfter, sentence) => {
    expect(expiryWarning({ what: "It", code: "x", notAfter: Date.parse(notAfter), now })?.sentence).toBe(
      sentence,
    );
  });
});
