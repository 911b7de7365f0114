import { describe, expect, it } from "vitest";
import { harvestSourceSchema } from "../../harvest-source.generated.js";
import { toldOfOne } from "./tell-for-tests.js";

/** Every field of the spec, and two values of it. */
const values: Readonly<Record<string, readonly [unknown, unknown]>> = {
  baseUrl: ["https://a.example/1", "https://a.example/2"],
  sets: [["x"], ["y"]],
  metadataPrefix: ["iso19139", "oai_dc"],
  schedule: ["0 1 * * *", "0 2 * * *"],
  timeZone: ["Etc/UTC", "Europe/Berlin"],
  scheduleSpreadMinutes: [0, 60],
  suspend: [false, true],
  "delta.mode": ["from-cursor", "full"],
  "delta.overlapSeconds": [60, 120],
  "delta.maxWindowDays": [1, 2],
  "deletions.policy": ["auto", "ignore"],
  "deletions.maxPercent": [1, 2],
  "deletions.minRecords": [1, 2],
  "deletions.sweepIntervalHours": [1, 2],
  "deletions.onSourceRemoval": ["keep", "withdraw"],
  "concurrency.maxRequests": [1, 2],
  "concurrency.requestsPerSecond": [1, 2],
  "concurrency.respectRetryAfter": [true, false],
  "backoff.initialMs": [500, 1000],
  "backoff.maxMs": [50_000, 60_000],
  "backoff.jitter": ["full", "none"],
  "backoff.maxAttempts": [2, 3],
  "token.cacheTtlSeconds": [10, 20],
  "token.alsoSendPrefix": [false, true],
  "validation.xsd": ["a.xsd", "b.xsd"],
  "validation.schematron": [["a.sch"], ["a.sch", "b.sch"]],
  "validation.phase": ["one", "two"],
  "validation.onFailure": ["quarantine", "fail"],
  "transport.mtls": [false, true],
  "transport.caSecretName": ["one", "two"],
  "transport.minTlsVersion": ["1.2", "1.3"],
  "transport.proxyUrl": ["http://one.example:1", "http://two.example:1"],
  "transport.headersSecretName": ["one", "two"],
  "transport.allowPrivateNetwork": [false, true],
  "transport.allowedRedirectOrigins": [["https://one.example"], ["https://two.example"]],
  "transport.timeouts.connectSeconds": [1, 2],
  "transport.timeouts.firstByteSeconds": [1, 2],
  "transport.timeouts.idleSeconds": [1, 2],
  "transport.timeouts.requestSeconds": [1, 2],
  "limits.maxRecordBytes": [2048, 4096],
  "limits.maxPageBytes": [200_000_000, 300_000_000],
  "limits.maxRunSeconds": [600, 700],
};

/** Has only one value yet. */
const ONE_VALUE = "protocol";
/** Means something only beside transport.mtls. */
const WITH_MTLS = "transport.clientCertificate.secretName";

function leaves(node: object, path: readonly string[] = []): readonly string[] {
  const properties = (node as { properties?: Record<string, object> }).properties;
  if (properties === undefined) return [path.join(".")];
  return Object.entries(properties).flatMap(([name, child]) => leaves(child, [...path, name]));
}

function nested(field: string, value: unknown): Readonly<Record<string, unknown>> {
  const [first = "", ...rest] = field.split(".");
  return { [first]: rest.length === 0 ? value : nested(rest.join("."), value) };
}

describe("no field of the spec", () => {
  it("is left out here", () => {
    expect([...Object.keys(values), ONE_VALUE, WITH_MTLS].sort()).toEqual(
      [...leaves(harvestSourceSchema.properties.spec)].sort(),
    );
  });

  it.each(Object.entries(values))("changes in silence, either way: %s", (field, [one, other]) => {
    const sides = [nested(field, one), nested(field, other)] as const;
    for (const [before, after] of [sides, [sides[1], sides[0]]] as const)
      expect(toldOfOne({ name: field, before, after, expected: [] })).not.toEqual([]);
  });

  it(`changes in silence: ${WITH_MTLS}`, () => {
    const [before, after] = ["one", "two"].map((secretName) => ({
      transport: { mtls: true, clientCertificate: { secretName } },
    }));
    expect(toldOfOne({ name: WITH_MTLS, before: before!, after: after!, expected: [] })).not.toEqual([]);
  });
});
