import { describe, expect, it } from "vitest";
import { ApiFault } from "./api.js";
import { createLog, type Facts, type LogLevel } from "./log.js";

function bench(level: LogLevel = "info") {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level, write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines };
}

/** One line without its time. */
function line(facts: Facts, message = "m") {
  const { log, lines } = bench();
  log.info(message, facts);
  const rest = { ...lines[0]! };
  delete rest["time"];
  return rest;
}

describe("the log", () => {
  it("writes one JSON object a line, with time, level and message", () => {
    const { log, lines } = bench();
    log.warn("The API server is busy.", { status: 429 });
    expect(lines).toEqual([
      {
        level: "warn",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        message: "The API server is busy.",
        status: 429,
      },
    ]);
  });

  it("writes nothing below its level", () => {
    const { log, lines } = bench("warn");
    log.debug("a");
    log.info("b");
    log.error("c");
    expect(lines.map(({ message }) => message)).toEqual(["c"]);
  });

  it("gives the facts of a child to all of its lines", () => {
    const { log, lines } = bench();
    log.child({ source: "geo/harbor" }).child({ worker: 2 }).info("Reconciled.");
    expect(lines[0]).toMatchObject({ source: "geo/harbor", worker: 2, message: "Reconciled." });
  });

  it.each([
    {
      name: "a password in a URL",
      given: { to: "postgres://u:p@db/x" },
      expect: { to: "postgres://[hidden]@db/x" },
    },
    {
      name: "a user in a URL",
      given: { to: "see https://me@host/a, https://b/c@d" },
      expect: { to: "see https://[hidden]@host/a, https://b/c@d" },
    },
    {
      name: "a bearer token",
      given: { header: "Bearer abcdefgh.ijk-l" },
      expect: { header: "[hidden]" },
    },
    { name: "a field named token", given: { a: [{ token: "x" }] }, expect: { a: [{ token: "[hidden]" }] } },
    {
      name: "an Authorization header",
      given: { headers: { Authorization: "x" } },
      expect: { headers: { Authorization: "[hidden]" } },
    },
    {
      name: "the database's address",
      given: { DATABASE_URL: "x", databaseUrl: "y" },
      expect: { DATABASE_URL: "[hidden]", databaseUrl: "[hidden]" },
    },
    {
      name: "a private key",
      given: { pem: "a -----BEGIN EC PRIVATE KEY-----\nMIIx\n-----END EC PRIVATE KEY----- b" },
      expect: { pem: "a [hidden] b" },
    },
    {
      name: "a private key that was cut",
      given: { pem: "-----BEGIN PRIVATE KEY-----\nMII" },
      expect: { pem: "[hidden]" },
    },
    {
      name: "a key of a Secret",
      given: { data: { "tls.key": "x", "tls.crt": "y" } },
      expect: { data: { "tls.key": "[hidden]", "tls.crt": "y" } },
    },
    {
      name: "but not the name of a Secret",
      given: { secretName: "x-client-cert" },
      expect: { secretName: "x-client-cert" },
    },
    {
      name: "a password in a message of an error",
      given: {
        error: new ApiFault("cannot reach https://u:p@h/", {
          status: 0,
          reason: "ECONNREFUSED",
          verb: "get",
          resource: "pods",
        }),
      },
      expect: {
        error: {
          name: "ApiFault",
          message: "cannot reach https://[hidden]@h/",
          status: 0,
          reason: "ECONNREFUSED",
        },
      },
    },
  ])("hides $name", ({ given, expect: facts }) => {
    expect(line(given)).toEqual({ level: "info", message: "m", ...facts });
  });

  it("hides secrets in the message itself and in the facts of a child", () => {
    expect(line({}, "connect postgres://u:p@db/x failed")).toMatchObject({
      message: "connect postgres://[hidden]@db/x failed",
    });
    const { log, lines } = bench();
    log.child({ token: "x" }).info("m");
    expect(lines[0]).toMatchObject({ token: "[hidden]" });
  });

  it("tells where an error that nobody expected came from, and its cause", () => {
    const { error } = line({ error: new TypeError("x is no y", { cause: new Error("deep") }) }) as {
      error: Record<string, unknown>;
    };
    expect(error).toMatchObject({ name: "TypeError", message: "x is no y", cause: { message: "deep" } });
    expect(error["stack"]).toMatch(/log\.test\.ts/);
  });

  it("bounds what is long, wide, deep or circular", () => {
    const round: Record<string, unknown> = {};
    round["round"] = round;
    const written = line({ long: "x".repeat(100_000), wide: Array.from({ length: 9_999 }, () => 1), round });
    expect((written["long"] as string).length).toBe(8_193);
    expect(written["wide"]).toHaveLength(200);
    expect(JSON.stringify(written["round"])).toContain("[deeper]");
  });
});
