import { describe, expect, it } from "vitest";
import { contentHash } from "./content-hash.js";
import { canonicalJson } from "../../source/difference/canonical-json.js";
import { filledSpec } from "../../source/difference/filled-spec.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";

type Spec = HarvestSource["spec"];

/** As people write it: without what has a default. */
function written(more: Readonly<Record<string, unknown>> = {}): Spec {
  return {
    baseUrl: "https://a.example/oai",
    metadataPrefix: "oai_dc",
    schedule: "0 * * * *",
    ...more,
  } as unknown as Spec;
}

describe("contentHash", () => {
  it("is the SHA-256 of the canonical JSON with all defaults", () => {
    // printf of the JSON below | sha256sum, by hand.
    const json =
      '{"backoff":{"initialMs":1000,"jitter":"full","maxAttempts":5,"maxMs":60000},"baseUrl":"https://a.example/oai",' +
      '"concurrency":{"maxRequests":1,"respectRetryAfter":true},' +
      '"deletions":{"maxPercent":10,"minRecords":20,"onSourceRemoval":"keep","policy":"auto","sweepIntervalHours":24},' +
      '"delta":{"mode":"from-cursor","overlapSeconds":300},' +
      '"limits":{"maxPageBytes":268435456,"maxRecordBytes":10485760,"maxRunSeconds":21600},' +
      '"metadataPrefix":"oai_dc","protocol":"oai-pmh","schedule":"0 * * * *","scheduleSpreadMinutes":0,"suspend":false,' +
      '"timeZone":"Etc/UTC","token":{"alsoSendPrefix":false,"cacheTtlSeconds":900},' +
      '"transport":{"allowPrivateNetwork":false,"minTlsVersion":"1.3","mtls":false,' +
      '"timeouts":{"connectSeconds":10,"firstByteSeconds":120,"idleSeconds":60,"requestSeconds":900}},' +
      '"validation":{"onFailure":"quarantine"}}';
    expect(canonicalJson(filledSpec(written()))).toBe(json);
    expect(contentHash(written())).toBe(
      "sha256:c726b6d65b9d1cddf77f678d8a17d54c42e5a1366a84cef0745a02f5c2b08b15",
    );
  });

  const same: { name: string; a: Spec; b: Spec }[] = [
    { name: "a default written out", a: written(), b: written({ suspend: false, delta: {} }) },
    {
      name: "another order of keys",
      a: written({ delta: { mode: "full", overlapSeconds: 1 } }),
      b: written({ delta: { overlapSeconds: 1, mode: "full" } }),
    },
    { name: "another order in a set", a: written({ sets: ["b", "a"] }), b: written({ sets: ["a", "b"] }) },
    {
      name: "another order of origins",
      a: written({ transport: { allowedRedirectOrigins: ["https://b.example", "https://a.example"] } }),
      b: written({ transport: { allowedRedirectOrigins: ["https://a.example", "https://b.example"] } }),
    },
  ];
  it.each(same)("is the same for $name", ({ a, b }) => {
    expect(contentHash(a)).toBe(contentHash(b));
  });

  const other: { name: string; a: Spec; b: Spec }[] = [
    { name: "another value", a: written(), b: written({ schedule: "5 * * * *" }) },
    { name: "another nested value", a: written(), b: written({ concurrency: { maxRequests: 2 } }) },
    { name: "a set more", a: written({ sets: ["a"] }), b: written({ sets: ["a", "b"] }) },
    {
      name: "another order of rule files",
      a: written({ validation: { xsd: ["a.xsd", "b.xsd"] } }),
      b: written({ validation: { xsd: ["b.xsd", "a.xsd"] } }),
    },
    { name: "a field nobody knows", a: written(), b: written({ surprise: 1 }) },
  ];
  it.each(other)("is another for $name", ({ a, b }) => {
    expect(contentHash(a)).not.toBe(contentHash(b));
  });

  it("changes nothing of what it is given, and takes fields with hostile names", () => {
    const given = Object.freeze(written({ ["__proto__x"]: "1" }));
    expect(contentHash(given)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1},"a":[null,{"b":true}]}'))).toBe(
      '{"__proto__":{"a":1},"a":[null,{"b":true}]}',
    );
  });
});
