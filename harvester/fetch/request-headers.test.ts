import { describe, expect, it } from "vitest";
import { joinHeaders, requestHeaders, userAgentOf } from "./request-headers.js";

describe("requestHeaders", () => {
  const question = {
    request: { method: "GET", url: "https://a.example/oai", headers: { Accept: "text/xml" } },
    home: "https://a.example",
    userAgent: "x/1",
    secret: { Authorization: "Bearer s3cret" },
  } as const;

  it("sends secrets home", () => {
    expect(requestHeaders({ ...question, url: new URL("https://a.example/oai") })).toEqual({
      headers: {
        "accept-encoding": "gzip, br",
        "user-agent": "x/1",
        accept: "text/xml",
        authorization: "Bearer s3cret",
      },
      withheld: false,
    });
  });

  it.each([
    "https://b.example/oai",
    "http://a.example/oai",
    "https://a.example:8443/oai",
    "https://a.example.evil.example/",
  ])("C80 keeps secrets from %s", (url) => {
    const { headers, withheld } = requestHeaders({ ...question, url: new URL(url) });
    expect(Object.keys(headers)).toEqual(["accept-encoding", "user-agent", "accept"]);
    expect(withheld).toBe(true);
  });

  it("joins values of one name", () => {
    expect(joinHeaders({ "Set-Cookie": ["a=1", "b=2"], via: "x", gone: undefined })).toEqual({
      "set-cookie": "a=1, b=2",
      via: "x",
    });
  });

  it("names product and contact, and nothing that breaks a header", () => {
    expect(userAgentOf({ name: "harvest-controller", version: "0.1.0", contact: "mailto:a@b.example" })).toBe(
      "harvest-controller/0.1.0 (+mailto:a@b.example)",
    );
    expect(userAgentOf({ name: "h", version: "1", contact: "a)\r\nX: y" })).toBe("h/1 (+aX:y)");
    expect(userAgentOf({ name: "h", version: "1" })).toBe("h/1");
  });
});
