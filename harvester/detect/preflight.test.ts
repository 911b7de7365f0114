import { describe, expect, it } from "vitest";
import { rawChecksum, sameChecksum } from "./checksum.js";
import { newestOfEach } from "./newest.js";
import { formatFault, setFault } from "./preflight.js";

describe("preflight", () => {
  it("C41 a prefix that is not offered", () => {
    expect(formatFault("oai_dc", ["oai_dc"])).toBeUndefined();
    expect(formatFault("iso19139", ["oai_dc", "marc21"])).toMatchObject({
      kind: "config",
      message: "The source does not offer the metadata format 'iso19139'. It offers: oai_dc, marc21.",
    });
    expect(formatFault("oai_dc", [])?.message).toContain("It offers: none.");
  });

  it("C42 a set that has vanished", () => {
    expect(setFault("", [])).toBeUndefined();
    expect(setFault("a", ["a"])).toBeUndefined();
    expect(setFault("a", ["b"])).toMatchObject({ kind: "config", detail: { code: "SetVanished" } });
  });
});

describe("newestOfEach", () => {
  function of(
    identifier: string,
    datestamp: string | undefined,
    place: number,
  ): { header: { identifier: string; datestamp?: string; sets: string[]; deleted: boolean }; place: number } {
    return { header: { identifier, datestamp, sets: [], deleted: false }, place };
  }

  it("C94 the later datestamp wins, then the later position", () => {
    const items = [
      of("a", "2026-01-02", 0),
      of("b", "2026-01-01", 1),
      of("a", "2026-01-01", 2),
      of("b", "2026-01-01", 3),
      of("c", undefined, 4),
      of("c", "2020-01-01", 5),
    ];
    const { kept, dropped } = newestOfEach(items, (item) => item.header);
    expect(kept.map((item) => item.place)).toEqual([0, 3, 5]);
    expect(dropped.map((item) => item.place)).toEqual([1, 2, 4]);
  });
});

describe("checksums", () => {
  it("SHA-256", () => {
    expect(Buffer.from(rawChecksum(Buffer.from("abc"))).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("an absent one equals nothing", () => {
    expect(sameChecksum(undefined, undefined)).toBe(false);
    expect(sameChecksum(Uint8Array.of(1), Uint8Array.of(1))).toBe(true);
    expect(sameChecksum(Uint8Array.of(1), Uint8Array.of(2))).toBe(false);
  });
});
