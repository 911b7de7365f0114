import { describe, expect, it } from "vitest";
import type { Capabilities } from "../../record.js";
import { answer, oaiDocument } from "../saved-answer.js";
import { readIdentify } from "./identify.js";

const usual: Readonly<Record<string, string>> = {
  repositoryName: "Example &amp; Co",
  baseURL: "https://repo.example.org/oai",
  protocolVersion: "2.0",
  adminEmail: "a@example.org",
  earliestDatestamp: "2001-02-03T04:05:06Z",
  deletedRecord: "persistent",
  granularity: "YYYY-MM-DDThh:mm:ssZ",
};

function identify(changes: Readonly<Record<string, string | undefined>> = {}): Promise<Capabilities> {
  const fields = Object.entries({ ...usual, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<${name}>${String(value)}</${name}>`);
  return readIdentify(answer(oaiDocument(`<Identify>${fields.join("")}</Identify>`)));
}

async function codes(changes: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  return (await identify(changes)).warnings.map((warning) => warning.code);
}

describe("Identify", () => {
  it("as it should be", async () => {
    expect(await identify()).toEqual({
      granularity: "second",
      deletedRecord: "persistent",
      earliest: "2001-02-03T04:05:06Z",
      serverTime: "2026-03-02T06:00:00Z",
      repositoryName: "Example & Co",
      warnings: [],
    });
  });

  it("C19 granularity, days where it is unknown", async () => {
    expect((await identify({ granularity: " YYYY-MM-DD " })).granularity).toBe("day");
    expect((await identify({ granularity: "yyyy-mm-ddThh:mm:ssz" })).granularity).toBe("second");
    expect((await identify({ granularity: undefined })).granularity).toBe("day");
    expect(await codes({ granularity: "seconds" })).toEqual(["granularity"]);
  });

  it.each([undefined, "", "0000-00-00", "now", "2999-01-01"])(
    "C24 earliestDatestamp %s is not used",
    async (earliestDatestamp) => {
      const capabilities = await identify({ earliestDatestamp });
      expect(capabilities.earliest).toBeUndefined();
      expect(capabilities.warnings.map((warning) => warning.code)).toEqual(["earliest-datestamp"]);
    },
  );

  it.each([
    ["no", "no", []],
    ["transient", "transient", []],
    ["Persistent", "persistent", []],
    ["maybe", "no", ["deleted-record"]],
    [undefined, "no", ["deleted-record"]],
  ])("deletedRecord %s", async (deletedRecord, expected, warned) => {
    const capabilities = await identify({ deletedRecord });
    expect(capabilities.deletedRecord).toBe(expected);
    expect(capabilities.warnings.map((warning) => warning.code)).toEqual(warned);
  });

  it("C85 another baseURL is told and never adopted", async () => {
    expect(await codes({ baseURL: "http://localhost:8080/oai" })).toEqual(["base-url-differs"]);
    expect(await codes({ baseURL: "http://repo.example.org/oai/" })).toEqual([]);
  });

  it("another version is told", async () => {
    expect(await codes({ protocolVersion: "1.1" })).toEqual(["protocol-version"]);
  });

  it("no Identify in the answer is a fault", async () => {
    await expect(readIdentify(answer(oaiDocument("<ListSets/>")))).rejects.toMatchObject({
      kind: "protocol",
      detail: { code: "NoIdentify" },
    });
  });

  it("C67 a document type is refused", async () => {
    await expect(
      readIdentify(answer(`<!DOCTYPE a [<!ENTITY b "c">]>${oaiDocument("").slice(39)}`)),
    ).rejects.toMatchObject({ detail: { code: "DoctypeForbidden" } });
  });
});
