import { describe, expect, it } from "vitest";
import { redacted, redactedField, redactedValue } from "./redacted.js";

describe("secrets in a report", () => {
  it.each([
    {
      name: "nothing to hide",
      given: "https://a.example.gov/oai?verb=Identify",
      expect: "https://a.example.gov/oai?verb=Identify",
    },
    {
      name: "an address keeps its spelling",
      given: "baseUrl: HTTPS://A.example.gov:443/x",
      expect: "baseUrl: HTTPS://A.example.gov:443/x",
    },
    {
      name: "user info",
      given: "at https://me:pw@a.example.gov/oai.",
      expect: "at https://a.example.gov/oai.",
    },
    { name: "user info of any scheme", given: "postgres://me:pw@db/x", expect: "postgres://db/x" },
    {
      name: "a secret in the query",
      given: "baseUrl: https://a.example.gov/oai?set=b&api_key=s3cret",
      expect: "baseUrl: https://a.example.gov/oai?set=b&api_key=***",
    },
    {
      name: "the first of a query",
      given: "https://a.example.gov/oai?token=s3cret",
      expect: "https://a.example.gov/oai?token=***",
    },
    { name: "a line of YAML", given: "    password: hunter2", expect: "    password: ***" },
    { name: "a header", given: "Authorization: Bearer abcdefghij", expect: "Authorization: ***" },
    {
      name: "the name of a Secret is none",
      given: "    headersSecretName: agency-headers",
      expect: "    headersSecretName: agency-headers",
    },
    {
      name: "a map in one line",
      given: "  token: { cacheTtlSeconds: 900 }",
      expect: "  token: { cacheTtlSeconds: 900 }",
    },
    {
      name: "an annotation",
      given: "    agency.example/api-token: abc def",
      expect: "    agency.example/api-token: ***",
    },
    {
      name: "nor is one inside a map",
      given: "  clientCertificate: { secretName: x-cert }",
      expect: "  clientCertificate: { secretName: x-cert }",
    },
    {
      name: "a map called token",
      given: "token:\n  cacheTtlSeconds: 900",
      expect: "token:\n  cacheTtlSeconds: 900",
    },
  ])("$name", ({ given, expect: wanted }) => {
    expect(redacted(given)).toBe(wanted);
  });

  it("hides a field by its name, but not one of ours", () => {
    expect(redactedField("metadata.annotations.api-token", "abc")).toBe("***");
    expect(redactedField("spec.transport.headersSecretName", "abc")).toBe("abc");
    expect(redactedField("metadata.annotations", { password: "x", note: "y" })).toEqual({
      password: "***",
      note: "y",
    });
    expect(redactedValue({ key: "a", sentence: "see https://u:p@h/" })).toEqual({
      key: "a",
      sentence: "see https://h/",
    });
  });
});
