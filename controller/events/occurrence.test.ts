import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedMessage, eventName, eventObject, type Occurrence } from "./occurrence.js";

function about(name: string, metadata: object = { namespace: "geo", uid: "u-1" }): Occurrence {
  return {
    object: {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name, ...metadata },
    },
    type: "Warning",
    reason: "RunFailed",
    message: "The endpoint refused.",
  };
}

describe("an event's message", () => {
  it.each([
    { name: "a short one as it is", given: "done", expect: "done" },
    { name: "one of 1,024 bytes as it is", given: "x".repeat(1024), expect: "x".repeat(1024) },
    { name: "a longer one cut", given: "x".repeat(1025), expect: `${"x".repeat(1021)}…` },
    { name: "no character cut in two", given: `x${"ä".repeat(600)}`, expect: `x${"ä".repeat(510)}…` },
    { name: "no emoji cut in two", given: "🌊".repeat(300), expect: `${"🌊".repeat(255)}…` },
  ])("$name", ({ given, expect: message }) => {
    expect(boundedMessage(given)).toBe(message);
  });

  it("is never above 1,024 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
        expect(Buffer.byteLength(boundedMessage(text))).toBeLessThanOrEqual(1024);
      }),
    );
  });
});

describe("an event's name", () => {
  const moment = Date.parse("2026-12-01T00:00:00Z");
  it.each([
    { name: "is the object's with a hash", given: about("harbor"), expect: /^harbor\.[0-9a-f]{16}$/ },
    {
      name: "of the longest object's name fits",
      given: about("a".repeat(253)),
      expect: /^a{236}\.[0-9a-f]{16}$/,
    },
    {
      name: "does not end a part in what no part may end in",
      given: about(`${"a".repeat(230)}-.-----bbbb`),
      expect: /^a{230}\.[0-9a-f]{16}$/,
    },
  ])("$name", ({ given, expect: pattern }) => {
    expect(eventName(given, moment)).toMatch(pattern);
    expect(eventName(given, moment)).toBe(eventName(given, moment));
  });

  it("is another for another time, message, reason, type, namespace or life of the object", () => {
    const base = about("harbor");
    const names = [
      eventName(base, moment),
      eventName(base, moment + 1),
      eventName({ ...base, message: "y" }, moment),
      eventName({ ...base, reason: "y" }, moment),
      eventName({ ...base, type: "Normal" }, moment),
      eventName(about("harbor", { namespace: "geo2", uid: "u-1" }), moment),
      eventName(about("harbor", { namespace: "geo", uid: "u-2" }), moment),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});

it("has what kubectl describe looks for", () => {
  const { object, type, reason, message } = about("harbor", {
    namespace: "geo",
    uid: "u-1",
    resourceVersion: "9",
  });
  const state = {
    ...{ object, type, reason, message, namespace: "geo", name: "harbor.0123456789abcdef", count: 3 },
    firstAt: Date.parse("2026-12-01T00:00:00.999Z"),
    lastAt: Date.parse("2026-12-01T00:05:00Z"),
  };
  expect(eventObject(state, { component: "harvest-controller", instance: "pod-1" })).toEqual({
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "harbor.0123456789abcdef", namespace: "geo" },
    involvedObject: {
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      namespace: "geo",
      name: "harbor",
      uid: "u-1",
      resourceVersion: "9",
    },
    type: "Warning",
    reason: "RunFailed",
    message: "The endpoint refused.",
    count: 3,
    source: { component: "harvest-controller" },
    reportingComponent: "harvest-controller",
    reportingInstance: "pod-1",
    firstTimestamp: "2026-12-01T00:00:00Z",
    lastTimestamp: "2026-12-01T00:05:00Z",
  });
});
