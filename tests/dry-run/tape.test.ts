/** What a recording holds, what it does not, and that a replay is the same run again with nobody there to answer. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startRecording } from "../../cli/dry-run/recording.js";
import type { trySources } from "../../cli/dry-run/try-sources.js";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../cli/sandbox/sandbox.js";
import { openTape } from "../../harvester/fetch/exchange-tape-writer.js";
import { readTape } from "../../harvester/fetch/exchange-tape-reader.js";
import { sourceOf } from "../run/scene.js";
import { dryRun, figures, namesOn } from "./dry-run-stage.js";

const folder = mkdtempSync(join(tmpdir(), "tape-"));
const file = join(folder, "run.tape");
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const opened: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

async function sandboxOf(wish: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const source = { kind: "generated", count: 30, faulty: 3, faultNames: ["missing-title"] } as const;
  const sandbox = await startSandbox({ source, pageSize: 10, ...wish });
  opened.push(sandbox);
  return sandbox;
}

async function closeAll(): Promise<void> {
  for (const sandbox of opened.splice(0)) await sandbox.close();
}

const limit = 200;

async function recorded(
  sources: Parameters<typeof trySources>[0],
  over: Parameters<typeof dryRun>[1] = {},
): ReturnType<typeof dryRun> {
  const record = await startRecording(file, { limit, maxRequests: over.maxRequests });
  const runs = await dryRun(sources, { record, limit, ...over });
  await record.tape.close();
  return runs;
}

async function replayed(sources: Parameters<typeof trySources>[0], over: Parameters<typeof dryRun>[1] = {}) {
  const replay = await readTape(file);
  return dryRun(sources, { replay, limit: replay.head.limit!, ...over });
}

describe("a replay", () => {
  it("gives the same outcome and figures, for several sources, when nobody answers any more", async () => {
    const [one, two] = [await sandboxOf(), await sandboxOf({ gzip: false })];
    one.control.arm({ kind: "status", status: 503, retryAfter: 1, verb: "ListRecords", times: 1 });
    one.control.arm({ kind: "truncated-body", verb: "ListRecords", after: 1, times: 1 });
    one.control.arm({ kind: "gzip-unannounced", times: 0 });
    two.control.arm({ kind: "malformed-record", record: 2, times: 1 });
    two.control.arm({ kind: "repeated-token", times: 1 });
    const sources = [sourceOf(one.url, {}, "one"), sourceOf(two.url, {}, "two")];
    const first = await recorded(sources);
    expect(first.map(({ summary }) => summary.counts.read)[0]).toBe(30);
    expect(first[0]!.summary.counts.quarantined).toBe(3);
    expect(first[0]!.summary.warnings.map(({ code }) => code)).toContain("encoding-mislabelled");
    await closeAll();
    const again = await replayed(sources);
    expect(figures(again)).toEqual(figures(first));
    expect(namesOn(await readTape(file))).toEqual(["one", "two"]);
  });

  it("ends where the limit, and where the budget, ended the run", async () => {
    const sandbox = await sandboxOf();
    const sources = [sourceOf(sandbox.url, {}, "one")];
    for (const bound of [{ limit: 7 }, { maxRequests: 3 }]) {
      const record = await startRecording(file, {
        limit: bound.limit ?? limit,
        maxRequests: bound.maxRequests,
      });
      const first = await dryRun(sources, { record, ...bound });
      await record.tape.close();
      expect(first[0]!.tried).toMatchObject({ verdict: "ok", sample: true });
      expect(figures(await replayed(sources))).toEqual(figures(first));
    }
  });

  it("a source that did not answer does not answer again, in the same words", async () => {
    const sandbox = await sandboxOf();
    sandbox.control.arm({ kind: "drop-connection", times: 0 });
    const sources = [sourceOf(sandbox.url, {}, "one")];
    const first = await recorded(sources);
    expect(first[0]!.tried.verdict).toBe("untried");
    expect(figures(await replayed(sources))).toEqual(figures(first));
  });

  it("says which request has no answer on the recording", async () => {
    const sandbox = await sandboxOf();
    await recorded([sourceOf(sandbox.url, {}, "one")]);
    const asksMore = [sourceOf(sandbox.url, { sets: ["other"] }, "one"), sourceOf(sandbox.url, {}, "two")];
    const [changed, unknown] = await replayed(asksMore);
    expect(changed!.tried).toMatchObject({ verdict: "untried", code: "NotOnTape" });
    expect(changed!.tried.message).toContain(
      `The recording has no answer to GET ${sandbox.url}?verb=ListRecords&metadataPrefix=oai_dc&set=other`,
    );
    expect(changed!.tried.unheard).toBe(3);
    expect(unknown!.tried).toMatchObject({
      verdict: "untried",
      message: "The recording has no source two; it holds one.",
    });
  });

  it("asks nobody", async () => {
    const sandbox = await sandboxOf();
    const sources = [sourceOf(sandbox.url, {}, "one")];
    await recorded(sources);
    sandbox.control.clearRequests();
    expect((await replayed(sources))[0]!.tried).toMatchObject({ verdict: "ok", counts: { read: 30 } });
    expect(sandbox.control.requests().count).toBe(0);
  });
});

describe("secrets", () => {
  const SECRET = "TOPSECRET-42x";
  it("stand nowhere on a recording: not from the address, not from headers, not where the source echoes them", async () => {
    const sandbox = await sandboxOf();
    const secrets = join(folder, "secrets");
    mkdirSync(join(secrets, "keys"), { recursive: true });
    writeFileSync(join(secrets, "keys", "authorization"), `Bearer ${SECRET}-bearer`);
    writeFileSync(join(secrets, "keys", "cookie"), `session=${SECRET}-cookie`);
    const transport = { allowPrivateNetwork: true, minTlsVersion: "1.2", headersSecretName: "keys" };
    const sources = [sourceOf(`${sandbox.url}?api_key=${SECRET}`, { transport }, "one")];
    const first = await recorded(sources, { secrets });
    const [asked] = sandbox.control.requests().last;
    expect(asked!.headers["authorization"]).toBe(`Bearer ${SECRET}-bearer`);
    const text = gunzipSync(readFileSync(file)).toString("utf8");
    const bodies = [...text.matchAll(/"body":"([^"]*)"/g)].map(([, body]) =>
      Buffer.from(body ?? "", "base64").toString("latin1"),
    );
    expect(bodies).toHaveLength(first[0]!.summary.counts.requests);
    for (const part of [text, ...bodies]) expect(part).not.toContain(SECRET);
    expect(text.toLowerCase()).not.toContain("set-cookie");
    expect(text.toLowerCase()).not.toContain("authorization");
    expect(text).toContain("api_key=***");
    expect(figures(await replayed(sources))).toEqual(figures(first));
  });

  it("only its owner may read it", async () => {
    const sandbox = await sandboxOf();
    await recorded([sourceOf(sandbox.url, {}, "one")]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("a recording that cannot be used", () => {
  let good: Buffer;
  beforeAll(async () => {
    const sandbox = await startSandbox({ source: { kind: "generated", count: 5 } });
    await recorded([sourceOf(sandbox.url, {}, "one")]);
    await sandbox.close();
    good = readFileSync(file);
  });

  const bad = join(folder, "bad.tape");
  const text = (): string => gunzipSync(good).toString("utf8");
  const rows: readonly { name: string; bytes: () => Buffer; code: string; says: RegExp }[] = [
    { name: "empty", bytes: () => Buffer.alloc(0), code: "NoTape", says: /is no recording: it is not gzip/ },
    { name: "plain text", bytes: () => Buffer.from("hello"), code: "NoTape", says: /it is not gzip/ },
    {
      name: "another gzip",
      bytes: () => gzipSync('{"kind":"other"}\n{}\n'),
      code: "NoTape",
      says: /it holds something else/,
    },
    {
      name: "cut",
      bytes: () => good.subarray(0, good.length - 20),
      code: "TapeCut",
      says: /ends in the middle/,
    },
    {
      name: "without its last line",
      bytes: () => gzipSync(text().replace(/\{"kind":"end".*\n$/, "")),
      code: "TapeCut",
      says: /ends in the middle/,
    },
    {
      name: "with a byte turned over",
      bytes: () => {
        const copy = Buffer.from(good);
        copy[Math.floor(copy.length / 2)]! ^= 0xff;
        return copy;
      },
      code: "TapeDamaged",
      says: /is damaged/,
    },
    {
      name: "with a changed line",
      bytes: () => gzipSync(text().replace('"status":200', '"status":404')),
      code: "TapeDamaged",
      says: /its lines are not those that were recorded/,
    },
    {
      name: "of another version",
      bytes: () => gzipSync(text().replace('"version":1', '"version":2')),
      code: "TapeVersion",
      says: /has version 2; this harvestctl reads version 1/,
    },
    {
      name: "forged with a line of the wrong shape",
      bytes: () => resealed(text().replace('"pieces":[', '"pieces":["x",')),
      code: "TapeDamaged",
      says: /a line is no exchange as this version writes it/,
    },
    {
      name: "a bomb",
      bytes: () => gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20)),
      code: "TapeDamaged",
      says: /it unpacks to more than a recording may hold/,
    },
  ];
  it.each(rows)("$name", async ({ bytes, code, says }) => {
    writeFileSync(bad, bytes());
    await expect(readTape(bad)).rejects.toMatchObject({
      kind: "config",
      code,
      message: expect.stringMatching(says) as string,
    });
  });

  it("absent", async () => {
    await expect(readTape(join(folder, "none"))).rejects.toMatchObject({
      code: "NoTape",
      message: expect.stringContaining("there is no such file") as string,
    });
  });

  it("one that grows too large stops the run, and what was recorded is whole", async () => {
    const sandbox = await sandboxOf();
    const tape = await openTape(
      bad,
      {
        kind: "tape",
        format: "harvest-exchange",
        version: 1,
        by: "t",
        recordedAt: "2026-01-01T00:00:00Z",
        seed: 1,
      },
      9000,
    );
    const [run] = await dryRun([sourceOf(sandbox.url, {}, "one")], { record: { tape, seed: 1 } });
    await tape.close();
    expect(run!.tried).toMatchObject({ verdict: "untried", code: "TapeFull" });
    expect((await readTape(bad)).sources.get("one")?.exchanges.length).toBeGreaterThan(0);
  });

  it("one that cannot be written says so before anything is asked, and leaves nothing", async () => {
    const nowhere = join(folder, "none", "run.tape");
    await expect(startRecording(nowhere, { limit: 1, maxRequests: 1 })).rejects.toMatchObject({
      code: "TapeUnwritable",
    });
    expect(existsSync(nowhere)).toBe(false);
  });
});

/** With an end that fits its lines. */
function resealed(text: string): Buffer {
  const lines = text.trimEnd().split("\n").slice(0, -1);
  const sha256 = createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex");
  return gzipSync([...lines, JSON.stringify({ kind: "end", lines: lines.length, sha256 }), ""].join("\n"));
}
