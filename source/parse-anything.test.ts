import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextRuns, parseCron } from "./cron.js";
import { lint } from "./lint/index.js";
import { parseManifests } from "./parse.js";

const seed = readFileSync(
  join(import.meta.dirname, "../manifests/sources/state-gis-clearinghouse.yaml"),
  "utf8",
);
const snippets = [
  ": ",
  "- ",
  "\n",
  "  ",
  "\t",
  "*",
  "&a ",
  "<<: *a",
  "~",
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  "#",
  "---\n",
  "!x ",
  "\u0000",
  "\uD800",
  "yes",
  "1e999",
  "|",
  ">",
  "?",
  "%",
  "@",
];

/** The seed's manifest with pieces cut out and put in. */
const damaged = fc
  .array(fc.record({ at: fc.nat(seed.length), cut: fc.nat(12), put: fc.constantFrom(...snippets) }), {
    maxLength: 6,
  })
  .map((edits) =>
    edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), seed),
  );

const context = {
  prefixes: ["iso19139"],
  checkPolicyFile: () => ({ ok: true }) as const,
  now: new Date("2026-11-30T12:00:00Z"),
};

describe("whatever a file holds", () => {
  it.each([
    ["a damaged manifest", damaged],
    ["any text", fc.string({ unit: "binary", maxLength: 400 })],
    ["any bytes", fc.uint8Array({ maxLength: 400 })],
  ] as const)("%s is read or told, with places inside the text", (_, texts) => {
    fc.assert(
      fc.property(texts as fc.Arbitrary<string | Uint8Array>, (text) => {
        const { sources, findings } = parseManifests(text, { file: "a.yaml", named: true });
        expect(sources.length + findings.length).toBeGreaterThan(0);
        for (const { place, sentence } of [...findings, ...lint(sources, context)]) {
          expect(Math.min(place.line, place.column, place.length)).toBeGreaterThan(0);
          expect(sentence.length).toBeLessThan(1500);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("whatever a schedule says", () => {
  const field = fc
    .array(fc.constantFrom("*", "?", "0", "5", "31", "-", "/", ",", "2", "MON", "jan", "L", "7"), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(""));

  it("runs come in order, after now, on whole minutes", () => {
    fc.assert(
      fc.property(
        fc.tuple(field, field, field, field, field),
        fc.constantFrom("Etc/UTC", "America/New_York", "Australia/Lord_Howe"),
        (fields, timeZone) => {
          const cron = parseCron(fields.join(" "));
          if (cron.kind === "problem") return;
          const runs = nextRuns({ cron, timeZone, now: context.now }, 3).map((run) => run.getTime());
          for (const [i, run] of runs.entries()) {
            expect(run).toBeGreaterThan(runs[i - 1] ?? context.now.getTime());
            expect(run % 60_000).toBe(0);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
