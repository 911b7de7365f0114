import { describe, expect, it } from "vitest";
import { Fault } from "../fault.js";
import { storeFault } from "./store-fault.js";

function failure(code: string, message = "said so"): Error {
  return Object.assign(new Error(message), { code, query: "SELECT secret", params: ["<body/>"] });
}

describe("what a database says, as a Fault", () => {
  it.each([
    {
      given: failure("53100", "could not extend file: No space left on device"),
      kind: "store",
      code: "DiskFull",
    },
    { given: failure("ENOSPC"), kind: "store", code: "DiskFull" },
    { given: failure("53300"), kind: "store", code: "TooManyConnections" },
    { given: failure("53200"), kind: "store", code: "DatabaseExhausted" },
    { given: failure("57P01"), kind: "store", code: "DatabaseDown" },
    { given: failure("57P03"), kind: "store", code: "DatabaseDown" },
    { given: failure("57014"), kind: "store", code: "StatementTimeout" },
    { given: failure("55P03"), kind: "store", code: "LockTimeout" },
    { given: failure("40P01"), kind: "store", code: "Deadlock" },
    { given: failure("28P01"), kind: "store", code: "LoginRefused" },
    { given: failure("3D000"), kind: "store", code: "NoSuchDatabase" },
    { given: failure("42501"), kind: "store", code: "NotAllowed" },
    { given: failure("42P01"), kind: "store", code: "NotMigrated" },
    { given: failure("25006"), kind: "store", code: "ReadOnly" },
    { given: failure("XX001"), kind: "store", code: "StoreDamaged" },
    { given: failure("08006"), kind: "store", code: "ConnectionLost" },
    { given: new Error("Connection terminated unexpectedly"), kind: "store", code: "ConnectionLost" },
    { given: new Error("timeout exceeded when trying to connect"), kind: "store", code: "ConnectionLost" },
    { given: failure("ECONNREFUSED"), kind: "store", code: "DatabaseDown" },
    {
      given: new AggregateError([failure("ECONNREFUSED", "connect ECONNREFUSED ::1:5432")], ""),
      kind: "store",
      code: "DatabaseDown",
    },
    { given: failure("ENOTFOUND"), kind: "store", code: "DatabaseUnknown" },
    { given: failure("SELF_SIGNED_CERT_IN_CHAIN"), kind: "store", code: "DatabaseTls" },
    { given: new Error("The server does not support SSL connections"), kind: "store", code: "DatabaseTls" },
    { given: failure("22P02"), kind: "bug", code: "Sql22P02" },
    { given: failure("23505"), kind: "bug", code: "Sql23505" },
    { given: new Error("anything"), kind: "bug", code: "StoreBug" },
    { given: "a string", kind: "bug", code: "StoreBug" },
  ])("$kind $code", ({ given, kind, code }) => {
    const fault = storeFault(given, "The database db.example/harvest");
    expect({ kind: fault.kind, code: fault.code }).toEqual({ kind, code });
    expect(fault.message).toMatch(/^The database db\.example\/harvest: /);
    expect(fault.detail.remedy).not.toBe("");
  });

  it("C92 carries neither the statement's text nor its parameters", () => {
    const fault = storeFault(failure("53100"), "The database x");
    expect(JSON.stringify([fault.detail, Object.entries(fault.cause as Error)])).not.toMatch(/secret|<body/);
  });

  it("a Fault stays itself", () => {
    const fault = new Fault("busy", { code: "LeaseLost", sentence: "Lost." });
    expect(storeFault(fault, "x")).toBe(fault);
  });
});
