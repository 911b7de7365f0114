import { describe, expect, it } from "vitest";
import { reviewChange } from "../review-change.js";
import { manifest, treeOf, type TestTree } from "../tree-for-tests.js";
import { told, toldOfOne, type OneSource } from "./tell-for-tests.js";

const host = "hosts:\n  a.example:\n    maxRequests: 10\n";

/** Sources of a.example by name, with so many requests in flight each. */
function asking(requests: Readonly<Record<string, number>>, fairUse = host): TestTree {
  const manifests = Object.entries(requests).map(([name, maxRequests]) => [
    `${name}.yaml`,
    manifest(name, {
      baseUrl: `https://a.example/${name}`,
      schedule: `${String(name.charCodeAt(0) % 60)} 1 * * *`,
      concurrency: { maxRequests },
    }),
  ]);
  return { manifests: Object.fromEntries(manifests) as Record<string, string>, fairUse };
}

describe("ceilings", () => {
  const table: { name: string; before: TestTree; after: TestTree; expected: string[] }[] = [
    {
      name: "one asks for too much",
      before: asking({ a: 1 }),
      after: asking({ a: 20 }),
      expected: [
        "error concurrency-over-ceiling: a asks for 20 requests in flight; a.example allows 10.",
        "info concurrency-raised: a asks for 20 requests at once instead of 1.",
      ],
    },
    {
      name: "two together ask for too much",
      before: asking({ a: 5, b: 5 }),
      after: asking({ a: 5, b: 6 }),
      expected: [
        "error concurrency-over-ceiling: a and b together ask for 11 requests in flight; a.example allows 10.",
        "info concurrency-raised: b asks for 6 requests at once instead of 5.",
      ],
    },
    {
      name: "exactly the ceiling",
      before: asking({ a: 5, b: 4 }),
      after: asking({ a: 5, b: 5 }),
      expected: ["info concurrency-raised: b asks for 5 requests at once instead of 4."],
    },
    {
      name: "over before, less over now: known debt",
      before: asking({ a: 30 }),
      after: asking({ a: 20 }),
      expected: ["info concurrency-lowered: a asks for 20 requests at once instead of 30."],
    },
    {
      name: "a lower ceiling that is too low",
      before: asking({ a: 5 }),
      after: asking({ a: 5 }, "hosts:\n  a.example:\n    maxRequests: 4\n"),
      expected: [
        "error concurrency-over-ceiling: a asks for 5 requests in flight; a.example allows 4.",
        "info ceiling-lowered: a.example allows 4 requests in flight (until now 10); a asks for 5.",
      ],
    },
    {
      name: "a higher ceiling",
      before: asking({ a: 5, b: 2 }),
      after: asking({ a: 5, b: 2 }, "hosts:\n  a.example:\n    maxRequests: 1200\n"),
      expected: [
        "warning ceiling-raised: a.example allows 1,200 requests in flight (until now 10); a and b together ask for 7.",
      ],
    },
    {
      name: "a first ceiling",
      before: asking({ a: 5 }, "hosts: {}\n"),
      after: asking({ a: 5 }),
      expected: [
        "info ceiling-lowered: a.example allows 10 requests in flight (until now without a ceiling); a asks for 5.",
      ],
    },
    {
      name: "no ceiling any more",
      before: asking({ a: 5 }),
      after: asking({ a: 5 }, "hosts: {}\n"),
      expected: ["warning ceiling-removed: a.example has no ceiling any more (until now 10); a asks for 5."],
    },
    {
      name: "a ceiling nobody uses",
      before: asking({ a: 5 }),
      after: asking({ a: 5 }, `${host}  z.example:\n    maxRequests: 1\n`),
      expected: [],
    },
    {
      name: "a new source under a new default",
      before: asking({ a: 5 }),
      after: {
        manifests: {
          ...asking({ a: 5 }).manifests,
          "new.yaml": manifest("new", { baseUrl: "https://new.example/" }),
        },
        fairUse: `${host}default:\n  maxRequests: 2\n`,
      },
      expected: [
        "info source-added: new is new: its first run reads everything; how many records that is, is not known.",
      ],
    },
  ];
  it.each(table)("$name", ({ before, after, expected }) => {
    expect(told(before, after)).toEqual(expected);
  });

  it("tells a default that changes once for all its hosts", () => {
    const manifests = Object.fromEntries(
      ["a", "b", "c"].map((name) => [
        `${name}.yaml`,
        manifest(name, { baseUrl: `https://${name}.example/oai` }),
      ]),
    );
    const side = (n: number) => ({ manifests, fairUse: `default:\n  maxRequests: ${String(n)}\n` });
    expect(told(side(4), side(8))).toEqual([
      "warning ceiling-raised: a.example, b.example and c.example allow 8 requests in flight (until now 4); their 3 sources ask for at most 1 at one of them.",
    ]);
  });

  it("gives every source of a host whose ceiling moves a row", () => {
    const [base, head] = [asking({ a: 5, b: 2 }), asking({ a: 5, b: 2 }, "default:\n  maxRequests: 20\n")];
    const review = reviewChange(treeOf(base), treeOf(head), {
      now: new Date("2026-11-30T10:00:00Z"),
      facts: {},
    });
    expect(
      review.rows.map(({ key, kind, what, inFlight, ceiling }) => ({ key, kind, what, inFlight, ceiling })),
    ).toEqual([
      {
        key: "a",
        kind: "unchanged",
        what: ["ceiling of the host"],
        inFlight: { before: 7, after: 7 },
        ceiling: 20,
      },
      {
        key: "b",
        kind: "unchanged",
        what: ["ceiling of the host"],
        inFlight: { before: 7, after: 7 },
        ceiling: 20,
      },
    ]);
  });

  it("puts an excess to the source that asks for most", () => {
    const review = reviewChange(treeOf(asking({ a: 1 })), treeOf(asking({ a: 2, b: 9 })), {
      now: new Date("2026-11-30T10:00:00Z"),
      facts: {},
    });
    expect(review.consequences[0]).toMatchObject({
      id: "concurrency-over-ceiling",
      source: "b",
      place: { file: "b.yaml", line: 9 },
    });
  });
});

describe("politeness", () => {
  const table: readonly OneSource[] = [
    {
      name: "quiet ignored",
      after: { concurrency: { respectRetryAfter: false } },
      expected: [
        "warning retry-after-ignored: a no longer waits when its server asks for quiet (Retry-After); it may be shut out.",
      ],
    },
    {
      name: "quiet respected",
      before: { concurrency: { respectRetryAfter: false } },
      expected: ["info retry-after-respected: a waits as long as its server asks for (Retry-After)."],
    },
    {
      name: "no rate limit",
      before: { concurrency: { requestsPerSecond: 2 } },
      expected: [
        "warning rate-limit-removed: a starts requests as fast as answers come; until now at most 2 a second.",
      ],
    },
    {
      name: "a rate limit",
      after: { concurrency: { requestsPerSecond: 1 } },
      expected: ["info rate-limit-changed: a starts at most 1 request a second (until now without a limit)."],
    },
    {
      name: "harder retries",
      after: { backoff: { maxAttempts: 9, initialMs: 100, maxMs: 2000, jitter: "none" } },
      expected: [
        "warning retries-harder: a asks a server in trouble harder: 9 attempts instead of 5; the first wait is 100 ms instead of 1,000; the longest wait is 2,000 ms instead of 60,000; waits are no longer random, so that sources come back together.",
      ],
    },
    {
      name: "softer retries",
      after: { backoff: { maxAttempts: 2, initialMs: 5000 } },
      expected: [
        "info retries-softer: a asks a server in trouble less hard: 2 attempts, waits of 5,000 to 60,000 ms.",
      ],
    },
  ];
  it.each(table)("$name", (given) => {
    expect(toldOfOne(given)).toEqual(given.expected);
  });
});
