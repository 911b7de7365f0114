import { describe, expect, it } from "vitest";
import { known, toldOfOne, type OneSource } from "./tell-for-tests.js";

const mtls = (more: object = {}) => ({ transport: { mtls: true, ...more } });

describe("transport", () => {
  const table: readonly OneSource[] = [
    {
      name: "an older TLS",
      after: { transport: { minTlsVersion: "1.2" } },
      expected: ["warning tls-floor-lowered: a may be asked over TLS 1.2; until now 1.3 was the oldest."],
    },
    {
      name: "a newer TLS",
      before: { transport: { minTlsVersion: "1.2" } },
      expected: [
        "info tls-floor-raised: a refuses TLS older than 1.3: a server that speaks only 1.2 cannot be harvested any more.",
      ],
    },
    {
      name: "no client certificate",
      before: mtls(),
      expected: [
        "warning mtls-off: a no longer shows a client certificate: a server that demands one refuses every run.",
      ],
    },
    {
      name: "a client certificate",
      after: mtls(),
      expected: [
        "info mtls-on: a shows the client certificate of secret a-client-cert, which must be in its namespace before the next run.",
      ],
    },
    {
      name: "other secrets",
      before: mtls({ caSecretName: "old-ca", headersSecretName: "token" }),
      after: mtls({ clientCertificate: { secretName: "shared" }, caSecretName: "new-ca" }),
      expected: [
        "warning credentials-changed: a takes the client certificate from secret shared instead of a-client-cert, the authority from secret new-ca instead of old-ca and the headers from no secret instead of token.",
      ],
    },
    {
      name: "a first authority",
      after: { transport: { caSecretName: "ca" } },
      expected: ["warning credentials-changed: a takes the authority from secret ca instead of none."],
    },
    {
      name: "private addresses",
      after: { transport: { allowPrivateNetwork: true } },
      expected: [
        "warning private-network-allowed: a may be harvested from private, loopback and link-local addresses: its name, or a redirect, may lead into our own network.",
      ],
    },
    {
      name: "no private addresses",
      before: { transport: { allowPrivateNetwork: true } },
      expected: [
        "info private-network-closed: a is no longer harvested from private, loopback and link-local addresses.",
      ],
    },
    {
      name: "other redirects",
      before: { transport: { allowedRedirectOrigins: ["https://x.example"] } },
      after: { transport: { allowedRedirectOrigins: ["https://y.example"] } },
      expected: [
        "warning redirect-origins-widened: Redirects of a may lead to https://y.example: whoever holds that can answer for the agency.",
        "info redirect-origins-narrowed: Redirects of a may no longer lead to https://x.example.",
      ],
    },
    {
      name: "a proxy, whose password is not shown",
      after: { transport: { proxyUrl: "http://me:hush@proxy.example:3128" } },
      expected: [
        "warning proxy-changed: a is asked through http://proxy.example:3128 instead of directly: the agency sees another address of ours.",
      ],
    },
    {
      name: "timeouts",
      after: { transport: { timeouts: { connectSeconds: 5, idleSeconds: 120 } } },
      expected: [
        "info timeouts-changed: a is given 5 s to connect instead of 10 s and 2 min without a byte instead of 60 s.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});

describe("limits", () => {
  const table: readonly OneSource[] = [
    {
      name: "smaller records",
      after: { limits: { maxRecordBytes: 1_048_576 } },
      expected: [
        "warning limits-lowered: From now on records of a over 1 MiB are quarantined; until now 10 MiB were allowed.",
      ],
    },
    {
      name: "answers smaller than the source gives",
      after: { limits: { maxRecordBytes: 1024, maxPageBytes: 524_288 } },
      store: known,
      expected: [
        "warning limits-lowered: From now on records of a over 1 KiB are quarantined; until now 10 MiB were allowed.",
        "warning limits-lowered: From now on answers of a over 512 KiB end their request; until now 256 MiB were allowed. An answer had 759.5 KiB on average: the source cannot be harvested like this.",
      ],
    },
    {
      name: "bigger records",
      after: { limits: { maxRecordBytes: 20_971_520 } },
      expected: ["info limits-raised: From now on records of a may have 20 MiB instead of 10 MiB."],
    },
    {
      name: "shorter runs than the last",
      after: { limits: { maxRunSeconds: 60 } },
      store: { ...known, longestSeconds: 5400 },
      expected: [
        "warning run-time-shortened: A run of a stops after 60 s instead of 6 h and keeps what it has. Its longest run known took 1.5 h.",
      ],
    },
    {
      name: "longer runs",
      after: { limits: { maxRunSeconds: 43_200 } },
      expected: ["info run-time-lengthened: A run of a may take 12 h instead of 6 h."],
    },
    {
      name: "shorter runs, and nobody knows",
      after: { limits: { maxRunSeconds: 3600 } },
      expected: [
        "info run-time-shortened: A run of a stops after 60 min instead of 6 h and keeps what it has. How long its runs take is not known.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});
