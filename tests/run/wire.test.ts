/** Laws 1, 4, 5 and 6 and section F of the case log, end to end: what statuses, waits and cuts do to a run. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { httpAnswer, startFaultServer } from "../setup/fault-server.js";
import { START } from "./scene.js";
import { stage, table } from "./stage.js";

const open = stage();
const whole = { outcome: "complete", exitCode: 0 } as const;
const page2 = { verb: "ListRecords", page: 2 } as const;

describe("law 1: a run that stops goes on where it stopped", () => {
  it("a first run stores everything, and the watermark is the server's time", async () => {
    const { run, peek } = await open();
    expect(await run()).toMatchObject({ ...whole, counts: { read: 30, inserted: 30, quarantined: 0 } });
    const { cursor, alive } = await peek();
    expect({ cursor, alive }).toEqual({ cursor: { watermark: START }, alive: 30 });
  });

  it("within cacheTtlSeconds the token is taken up: only the rest is asked for", async () => {
    const { run, peek, clock, control } = await open({ count: 50 });
    const first = await run({ stopAt: (e) => e.kind === "page" && e.received === 20 });
    expect(first).toMatchObject({ outcome: "interrupted", exitCode: 75, code: "Interrupted" });
    const { cursor, alive } = await peek();
    expect(cursor.watermark).toBeUndefined();
    expect(cursor.unfinished).toMatchObject({ window: {}, windowTime: START, received: alive });
    clock.advance(900);
    control.change(1);
    const second = await run();
    // The changed record has moved to the end of the server's list, so it comes a second time.
    expect(second).toMatchObject({
      ...whole,
      counts: { read: 51 - alive, inserted: 50 - alive, updated: 1 },
    });
    expect(new URLSearchParams(second.requests[1]?.query).has("resumptionToken")).toBe(true);
    expect((await peek()).cursor).toEqual({ watermark: START });
    // The watermark is the list's beginning, so what changed meanwhile is seen again: not one second is skipped.
    expect((await run()).counts).toMatchObject({ read: 1, unchanged: 1 });
  });

  it("after cacheTtlSeconds the window is asked anew, and what was stored is not written again", async () => {
    const { run, peek, clock } = await open({ count: 50 });
    await run({ stopAt: (e) => e.kind === "page" && e.received === 20 });
    const { alive } = await peek();
    clock.advance(901);
    const second = await run();
    expect(second).toMatchObject({ ...whole, counts: { read: 50, inserted: 50 - alive, unchanged: alive } });
    expect((await peek()).cursor).toEqual({ watermark: "2026-01-10T06:15:01Z" });
  });

  it("C11 a token that the server forgot meanwhile: the window is asked anew", async () => {
    const { run, peek, control } = await open({
      count: 50,
      sandbox: { tokens: { kind: "expiring", lifetimeSeconds: 600 } },
    });
    await run({ stopAt: (e) => e.kind === "page" && e.received === 20 });
    control.forgetTokens();
    expect(await run()).toMatchObject({ ...whole, counts: { restarts: 1 } });
    expect((await peek()).alive).toBe(50);
  });
});

describe("law 5: cost follows the change", () => {
  it("a quiet source costs two requests", async () => {
    const { run, clock } = await open();
    await run();
    clock.advance(3600);
    const quiet = await run();
    expect(quiet.verbs).toEqual(["Identify", "ListRecords"]);
    expect(quiet.counts).toMatchObject({ read: 0, inserted: 0, updated: 0, unchanged: 0 });
  });

  it("never more than one request in flight under maxRequests 1", async () => {
    const { run, control } = await open();
    await run();
    expect(control.requests().maxInFlight).toBe(1);
  });
});

describe("laws 4 and 6: the agency comes first, and a partial run cannot look clean", () => {
  it("C74 C77 429 in the middle with a long Retry-After: partial, remembered, and the next run asks nothing", async () => {
    const { run, peek, clock, control } = await open();
    control.arm({ kind: "status", status: 429, retryAfter: 86_400, ...page2, times: 0 });
    const cut = await run();
    expect(cut).toMatchObject({
      outcome: "partial",
      exitCode: 75,
      notBefore: "2026-01-11T06:00:00Z",
      counts: { read: 10, withdrawn: 0 },
    });
    expect(clock.slept).toEqual([]);
    expect((await peek()).cursor.watermark).toBeUndefined();
    clock.advance(3600);
    const resting = await run();
    expect(resting).toMatchObject({ outcome: "failed", exitCode: 69, code: "EndpointResting", requests: [] });
    expect(resting.message).toBe(
      "No request was sent: the agency asked for quiet (Retry-After) until 2026-01-11 06:00:00Z.",
    );
    control.disarm();
    clock.advance(23 * 3600);
    expect(await run()).toMatchObject(whole);
    expect((await peek()).alive).toBe(30);
  });

  it("C75 Retry-After in seconds is waited for in full, then the same page is asked again", async () => {
    const { run, clock, control } = await open();
    control.arm({ kind: "status", status: 503, retryAfter: 1200, ...page2 });
    expect(await run()).toMatchObject({ ...whole, counts: { read: 30, inserted: 30 } });
    // Half of initialMs (100 ms) is the jitter on top, as the dice say 0.5.
    expect(clock.slept).toEqual([1_200_050]);
  });

  it("C75 Retry-After as a date is measured against the answer's own Date, and waited for in full", async () => {
    const { run, clock, control } = await open({ sandbox: { clock: Date.now } });
    control.arm({ kind: "status", status: 503, retryAfter: 7200, retryAfterAs: "date", ...page2 });
    expect(await run()).toMatchObject({ counts: { read: 30, inserted: 30 } });
    const [slept = 0] = clock.slept;
    // The Date header and the sandbox's clock may lie a second apart.
    expect(Math.abs(slept - 7_200_050)).toBeLessThanOrEqual(2000);
  });

  it("C75 a Retry-After of junk falls back to our own back-off", async () => {
    const { run, clock, control } = await open();
    control.arm({ kind: "status", status: 503, retryAfter: 7200, retryAfterAs: "junk", ...page2 });
    expect(await run()).toMatchObject(whole);
    expect(clock.slept).toEqual([100]);
  });

  it("three failed runs open the breaker: the fourth asks nothing, and one good answer closes it", async () => {
    const { run, clock, control, peek } = await open();
    control.arm({ kind: "status", status: 404, times: 0 });
    for (let i = 0; i < 3; i++) expect(await run()).toMatchObject({ outcome: "failed", exitCode: 69 });
    const fourth = await run();
    expect(fourth).toMatchObject({ code: "EndpointResting", requests: [], exitCode: 69 });
    control.disarm();
    clock.advance(901);
    expect(await run()).toMatchObject(whole);
    expect((await peek()).endpoint).toEqual({ consecutiveFailures: 0 });
  });
});

describe("statuses", () => {
  table(open, [
    {
      name: "C78 502 in the middle, once: the same token is asked again",
      arm: { kind: "status", status: 502, ...page2 },
      expect: { ...whole, verbs: ["Identify", "ListRecords", "ListRecords", "ListRecords", "ListRecords"] },
      watermark: START,
      alive: 30,
    },
    {
      name: "C87 404 is not asked again",
      arm: { kind: "status", status: 404, times: 0 },
      expect: { outcome: "failed", exitCode: 69, code: "NotFound", verbs: ["Identify"] },
      alive: 0,
    },
    {
      name: "C87 410 is not asked again",
      arm: { kind: "status", status: 410, times: 0 },
      expect: { outcome: "failed", exitCode: 69, code: "Gone", verbs: ["Identify"] },
      alive: 0,
    },
    {
      name: "C87 401 stops until a human acts",
      arm: { kind: "status", status: 401, times: 0 },
      expect: { outcome: "failed", exitCode: 77, verbs: ["Identify"] },
      alive: 0,
    },
    {
      name: "C87 403 in the middle of a list keeps what came and stops",
      arm: { kind: "status", status: 403, ...page2, times: 0 },
      expect: { outcome: "partial", exitCode: 77, verbs: ["Identify", "ListRecords", "ListRecords"] },
      alive: 10,
    },
    {
      name: "C80 a redirect that goes round in a circle ends",
      arm: { kind: "redirect", value: "loop", times: 0 },
      expect: { outcome: "failed", exitCode: 65 },
      alive: 0,
    },
    {
      name: "C80 a redirect to another origin is not followed",
      arm: { kind: "redirect", value: "http://127.0.0.2:9/oai", times: 0 },
      expect: { outcome: "failed", exitCode: 78, code: "RedirectNotAllowed" },
      alive: 0,
    },
    {
      name: "C85 a baseURL that names another host is not adopted",
      arm: { kind: "base-url", times: 0 },
      expect: whole,
      watermark: START,
      alive: 30,
    },
    {
      name: "C82 a source that never answers is given up after firstByteSeconds, as often as the manifest says",
      arm: { kind: "no-answer", times: 0 },
      spec: {
        backoff: { initialMs: 100, maxAttempts: 2 },
        transport: {
          allowPrivateNetwork: true,
          timeouts: { connectSeconds: 1, firstByteSeconds: 1, idleSeconds: 1, requestSeconds: 3 },
        },
      },
      expect: { outcome: "failed", exitCode: 75, code: "FirstByteTimeout" },
      alive: 0,
    },
    {
      name: "C82 a source that drips is given up after requestSeconds",
      arm: { kind: "slow-drip", verb: "ListRecords", times: 0 },
      spec: {
        backoff: { initialMs: 100, maxAttempts: 1 },
        transport: {
          allowPrivateNetwork: true,
          timeouts: { connectSeconds: 1, firstByteSeconds: 1, idleSeconds: 1, requestSeconds: 2 },
        },
      },
      expect: { outcome: "failed", exitCode: 75 },
      alive: 0,
    },
  ]);

  it("C79 a permanent redirect to an allowed origin is followed with the query kept, and told of", async () => {
    const { run, url } = await open();
    const front = await startFaultServer((socket, { path }) => {
      const location = `${url}?${path.split("?")[1] ?? ""}`;
      socket.write(httpAnswer(301, { location }));
    });
    try {
      const ran = await run({
        spec: {
          baseUrl: `${front.origin}/old`,
          transport: {
            allowPrivateNetwork: true,
            minTlsVersion: "1.2",
            allowedRedirectOrigins: [new URL(url).origin],
          },
        },
      });
      expect(ran).toMatchObject({ ...whole, counts: { inserted: 30 } });
      expect(ran.warnings).toMatchObject([{ code: "moved-permanently", times: 4 }]);
    } finally {
      await front.close();
    }
  });

  it("a source that fails every list, though it is alive, is asked fewer than fifty times", async () => {
    const { run, control } = await open();
    control.arm({ kind: "status", status: 500, verb: "ListRecords", times: 0 });
    const { requests, ...ran } = await run();
    expect(ran).toMatchObject({ outcome: "partial", exitCode: 75, code: "HttpStatus" });
    expect(requests.length).toBeLessThan(50);
  });
});

it("C72 a gzip bomb ends at the page limit, without being held", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
  const server = await startFaultServer((socket) => {
    socket.write(httpAnswer(200, { "content-type": "text/xml", "content-encoding": "gzip" }, bomb));
  });
  try {
    const { run } = await open();
    const ran = await run({ spec: { baseUrl: server.origin, limits: { maxPageBytes: 1_000_000 } } });
    expect(ran).toMatchObject({ outcome: "failed", exitCode: 65, code: "AnswerTooLarge" });
  } finally {
    await server.close();
  }
});
