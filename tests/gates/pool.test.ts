import { afterEach, describe, expect, it } from "vitest";
import type { GatePolicy, Gates } from "../../harvester/gate/gate.js";
import { startGates, type PoolOptions } from "../../harvester/gate/pool.js";
import type { Verdict } from "../../harvester/record.js";

/** Two million comparisons for a record that says so, none for others. */
const RULES = `<schema xmlns="http://purl.oclc.org/dsdl/schematron"><pattern><rule context="/slow">
<assert id="never" test="count(//b[//b[. = 'nowhere']]) = 0">x</assert></rule></pattern></schema>`;

const policy: GatePolicy = {
  prefix: "oai_dc",
  xsd: [],
  schematron: ["r.sch"],
  files: [{ path: "r.sch", bytes: Buffer.from(RULES) }],
  limits: { maxRecordBytes: 10_000_000, deadlineMs: 20_000, maxViolations: 50 },
};
const impatient: GatePolicy = { ...policy, limits: { ...policy.limits, deadlineMs: 500 } };
const slow = `<slow>${"<b>x</b>".repeat(20_000)}</slow>`;
const crashing: PoolOptions = { threads: 1, threadUrl: new URL("crashing-thread.ts", import.meta.url) };

let gates: Gates | undefined;

async function start(given: GatePolicy, options: PoolOptions): Promise<Gates> {
  gates = await startGates(given, options);
  return gates;
}

afterEach(async () => {
  await gates?.close();
  gates = undefined;
});

function rule(verdict: Verdict): string {
  return verdict.kind === "refused"
    ? `${verdict.violations[0]!.gate}:${verdict.violations[0]!.rule}`
    : verdict.kind;
}

function title(text: string): Buffer {
  return Buffer.from(
    `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${text}</dc:title></oai_dc:dc>`,
  );
}

describe("gate threads", () => {
  it("answer every record, in any order they are waited for", async () => {
    const pool = await start(policy, { threads: 2 });
    const checks = Array.from({ length: 60 }, (_, n) => pool.check({ body: title(`Title ${String(n)}`) }));
    const verdicts = await Promise.all(checks.reverse());
    const titles = verdicts.map((verdict) =>
      verdict.kind === "pass" ? verdict.canonical.title : rule(verdict),
    );
    expect(titles).toEqual(Array.from({ length: 60 }, (_, n) => `Title ${String(59 - n)}`));
  });

  it("leave the caller's bytes alone, also when they are part of a page", async () => {
    const pool = await start(policy, { threads: 1 });
    const page = Buffer.concat([Buffer.from("....."), title("Ice"), Buffer.from(".....")]);
    const verdict = await pool.check({ body: page.subarray(5, -5) });
    expect(rule(verdict)).toBe("pass");
    expect(page.subarray(5, 16).toString()).toBe("<oai_dc:dc ");
    if (verdict.kind !== "pass") return;
    expect(rule(await pool.check({ body: page.subarray(5, -5), knownChecksum: verdict.checksum }))).toBe(
      "unchanged",
    );
  });

  it("are replaced after so many records, and no record notices", async () => {
    const pool = await start(policy, { ...crashing, recycleAfter: 3 });
    const verdicts = await Promise.all(
      Array.from({ length: 7 }, () => pool.check({ body: Buffer.from("<a/>") })),
    );
    expect(verdicts.map(rule)).toEqual([1, 2, 3, 1, 2, 3, 1].map((n) => `transform:judged-${String(n)}`));
  });

  it("are replaced after a large record", async () => {
    const pool = await start(policy, { ...crashing, largeRecordBytes: 100 });
    const bodies = ["<a/>", `<a>${"x".repeat(200)}</a>`, "<a/>"].map((text) => Buffer.from(text));
    const verdicts = await Promise.all(bodies.map((body) => pool.check({ body })));
    expect(verdicts.map(rule)).toEqual(["transform:judged-1", "transform:judged-2", "transform:judged-1"]);
  });

  it("are not started for a policy that cannot be compiled: Fault config, with file and line", async () => {
    const wrong = {
      ...policy,
      files: [{ path: "r.sch", bytes: Buffer.from(RULES.replace("count(", "matches(")) }],
    };
    await expect(startGates(wrong, { threads: 1 })).rejects.toMatchObject({
      kind: "config",
      message: expect.stringMatching(
        /^r\.sch:2: The expression .* matches\(\) is not a function of XPath 1\.0/,
      ) as string,
    });
  });

  it("fail what waits when they are closed", async () => {
    const pool = await start(policy, { threads: 1 });
    const waiting = pool.check({ body: Buffer.from(slow) });
    const closed = expect(waiting).rejects.toMatchObject({ kind: "interrupted" });
    await pool.close();
    await closed;
  });
});

describe("a hostile record can neither stop nor stall a run", () => {
  it("a record past its deadline is refused, and the records behind it are judged", async () => {
    const pool = await start(impatient, { threads: 1 });
    const bodies = ["<a/>", slow, "<b", slow, "<c/>", "<d"].map((text) => Buffer.from(text));
    const verdicts = await Promise.all(bodies.map((body) => pool.check({ body })));
    expect(verdicts.map(rule)).toEqual([
      expect.stringMatching(/^transform:/),
      "engine:deadline",
      "well-formed:broken-tag",
      "engine:deadline",
      expect.stringMatching(/^transform:/),
      "well-formed:broken-tag",
    ]);
    expect(verdicts[1]).toMatchObject({
      violations: [
        {
          message:
            "The gates were not done with this record after 500 ms, so it was set aside: it is too large or too entangled.",
        },
      ],
    });
  });

  it("a record that kills the engine twice is refused, the others live", async () => {
    const pool = await start(policy, crashing);
    const bodies = ["<a/>", "<a>crash always</a>", "<b/>"].map((text) => Buffer.from(text));
    const verdicts = await Promise.all(bodies.map((body) => pool.check({ body })));
    expect(verdicts.map(rule)).toEqual(["transform:judged-1", "engine:engine-crash", "transform:judged-1"]);
  });

  it("a record that met a worn engine is judged by a fresh one", async () => {
    const pool = await start(policy, crashing);
    const bodies = ["<a/>", "<a>crash when worn</a>", "<b/>"].map((text) => Buffer.from(text));
    const verdicts = await Promise.all(bodies.map((body) => pool.check({ body })));
    expect(verdicts.map(rule)).toEqual(["transform:judged-1", "transform:judged-1", "transform:judged-2"]);
  });

  it("a record that ends the thread is refused", async () => {
    const pool = await start(policy, crashing);
    const bodies = ["<a>end the thread</a>", "<b/>"].map((text) => Buffer.from(text));
    const verdicts = await Promise.all(bodies.map((body) => pool.check({ body })));
    expect(verdicts.map(rule)).toEqual(["engine:engine-crash", "transform:judged-1"]);
  });
});
