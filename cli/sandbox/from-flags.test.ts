import { describe, expect, it } from "vitest";
import { sandboxOptions, type SandboxFlags } from "./from-flags.js";

const flags: SandboxFlags = {
  generate: 300,
  seed: "1",
  host: "127.0.0.1",
  port: 0,
  "page-size": 100,
  granularity: "second",
  "deleted-record": "persistent",
  sets: true,
  gzip: true,
  "list-size": true,
  provenance: false,
  "client-cert": "none",
};

const sources: readonly { name: string; given: Partial<SandboxFlags>; expect: object }[] = [
  {
    name: "a number of faulty records",
    given: { faulty: "12" },
    expect: { kind: "generated", count: 300, seed: 1, faulty: 12 },
  },
  { name: "a share of them", given: { faulty: "0.04", deleted: "5" }, expect: { faulty: 0.04, deleted: 5 } },
  {
    name: "named faults without a number: one record each",
    given: { fault: ["doctype", "bad-date"] },
    expect: { faulty: 2, faultNames: ["doctype", "bad-date"] },
  },
  { name: "no faults unless asked", given: {}, expect: { faulty: 0 } },
  {
    name: "a word as seed, the same number everywhere",
    given: { seed: "demo" },
    expect: { seed: 1_473_123_923 },
  },
  { name: "a folder", given: { records: "./r" }, expect: { kind: "folder", directory: "./r" } },
];

const refused: readonly { name: string; given: Partial<SandboxFlags>; says: string }[] = [
  {
    name: "a word for a number",
    given: { faulty: "many" },
    says: '--faulty takes a number of records or a share between 0 and 1, not "many".',
  },
  {
    name: "half a record",
    given: { deleted: "1.5" },
    says: '--deleted takes a number of records or a share between 0 and 1, not "1.5".',
  },
  {
    name: "an unknown fault",
    given: { fault: ["odd"] },
    says: "There is no record fault odd. There are: not-well-formed,",
  },
];

describe("sandboxOptions", () => {
  it.each(sources)("$name", ({ given, expect: expected }) => {
    expect(sandboxOptions({ ...flags, ...given }).source).toMatchObject(expected);
  });

  it.each(refused)("refuses $name", ({ given, says }) => {
    expect(() => sandboxOptions({ ...flags, ...given })).toThrow(says);
  });

  it("makes https of certificate and key, and expiring tokens of a lifetime", () => {
    const options = sandboxOptions({
      ...flags,
      cert: "c.pem",
      key: "k.pem",
      ca: "a.pem",
      "client-cert": "require",
      "min-tls": "TLSv1.3",
      "token-lifetime": 60,
    });
    expect(options.tls).toEqual({
      certFile: "c.pem",
      keyFile: "k.pem",
      caFile: "a.pem",
      clientCertificate: "require",
      minVersion: "TLSv1.3",
    });
    expect(options.tokens).toEqual({ kind: "expiring", lifetimeSeconds: 60 });
    expect(sandboxOptions(flags).tls).toBeUndefined();
  });
});
