import { describe, expect, it } from "vitest";
import type { FaultKind } from "../fault.js";
import type { HttpResponse } from "../http.js";
import { statusFault } from "./status-fault.js";

const now = Date.UTC(2026, 4, 1);

function response(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, url: "https://a.example/oai", body: (async function* () {})(), warnings: [] };
}

describe("statusFault", () => {
  const table: readonly (readonly [number, FaultKind, string])[] = [
    [200, "protocol", "UnexpectedAnswer"],
    [300, "protocol", "UnexpectedRedirect"],
    [302, "protocol", "UnexpectedRedirect"],
    [304, "protocol", "UnexpectedRedirect"],
    [400, "protocol", "RequestRefused"],
    [401, "denied", "Unauthorized"],
    [403, "denied", "Forbidden"],
    [404, "gone", "NotFound"],
    [405, "protocol", "RequestRefused"],
    [407, "denied", "ProxyDenied"],
    [408, "transient", "ServerTimeout"],
    [410, "gone", "Gone"],
    [418, "protocol", "RequestRefused"],
    [425, "transient", "TooEarly"],
    [429, "throttled", "TooManyRequests"],
    [495, "denied", "ClientCertRejected"],
    [496, "denied", "ClientCertRejected"],
    [500, "transient", "ServerError"],
    [501, "protocol", "NotImplemented"],
    [502, "transient", "ServerError"],
    [503, "throttled", "ServiceUnavailable"],
    [504, "transient", "ServerError"],
    [520, "transient", "ServerError"],
  ];
  it.each(table)("C87 %d is %s (%s)", (status, kind, code) => {
    const fault = statusFault(response(status), { now });
    expect([fault.kind, fault.code, fault.detail.status]).toEqual([kind, code, status]);
    expect(fault.message).toContain("https://a.example/oai");
    expect(fault.detail.remedy).not.toBe("");
  });

  it("C74 carries the quiet that was asked for, in full", () => {
    const fault = statusFault(response(429, { "retry-after": "86400" }), { now });
    expect(fault.detail.retryAfterMs).toBe(86_400_000);
    expect(fault.message).toBe(
      "https://a.example/oai says there were too many requests (429) and asks for 86400 s of quiet.",
    );
  });

  it("C90 a page that asks for a certificate with status 400", () => {
    const fault = statusFault(response(400), {
      now,
      excerpt: "400 No required SSL certificate was sent nginx",
    });
    expect([fault.kind, fault.code]).toEqual(["denied", "ClientCertRejected"]);
    expect(fault.message).toBe("https://a.example/oai wants a client certificate it accepts (400).");
  });

  it("C92 keeps the excerpt out of the sentence", () => {
    const fault = statusFault(response(500), { now, excerpt: "stack trace" });
    expect(fault.detail.excerpt).toBe("stack trace");
    expect(fault.message).toBe("https://a.example/oai failed with status 500.");
  });
});
