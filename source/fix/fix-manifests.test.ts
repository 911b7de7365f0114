import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ruleCatalogue } from "../lint/rule-catalogue.js";
import { parseManifests } from "../parse.js";
import { fixableRules, fixManifests } from "./fix-manifests.js";

const head = `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
metadata:
  name: county
spec:
  baseUrl: https://a.example.gov/oai # asked politely
  metadataPrefix: oai_dc
`;
const schedule = `  schedule: "0 3 * * *"\n`;

/** The manifest with these lines at the end of spec; lines for metadata are put below its name. */
function manifest(spec: string, metadata = ""): string {
  return head.replace("  name: county\n", `  name: county\n${metadata}`) + schedule + spec;
}

function fixed(text: string): string {
  return fixManifests(text, "m.yaml").text;
}

describe("mending", () => {
  it.each([
    {
      name: "a label that is a word",
      before: manifest("", "  labels: { a: no, b: x }\n"),
      after: manifest("", '  labels: { a: "no", b: x }\n'),
    },
    {
      name: "a key that is a word",
      before: manifest("", "  labels:\n    on: x\n"),
      after: manifest("", '  labels:\n    "on": x\n'),
    },
    {
      name: "yes for a field that is true or false",
      before: manifest("  suspend: Yes # why\n"),
      after: manifest("  suspend: true # why\n"),
    },
    {
      name: "a quoted boolean",
      before: manifest('  suspend: "false"\n'),
      after: manifest("  suspend: false\n"),
    },
    {
      name: "a number for a text",
      before: manifest("  transport:\n    minTlsVersion: 1.3   # as agreed\n"),
      after: manifest('  transport:\n    minTlsVersion: "1.3"   # as agreed\n'),
    },
    {
      name: "a quoted number",
      before: manifest("  delta: { overlapSeconds: '300' }\n"),
      after: manifest("  delta: { overlapSeconds: 300 }\n"),
    },
    {
      name: "a thousand with an underscore",
      before: manifest("  delta: { overlapSeconds: 1_000 }\n"),
      after: manifest("  delta: { overlapSeconds: 1000 }\n"),
    },
    {
      name: "one set for a list",
      before: manifest("  sets: boundaries\n"),
      after: manifest("  sets: [boundaries]\n"),
    },
    {
      name: "a word in other capitals",
      before: manifest('  backoff: { jitter: "FULL" }\n'),
      after: manifest('  backoff: { jitter: "full" }\n'),
    },
    {
      name: "a field in other capitals",
      before: manifest("  delta:\n    overlap_seconds: 5\n    Mode: full\n"),
      after: manifest("  delta:\n    overlapSeconds: 5\n    mode: full\n"),
    },
    {
      name: "a kind in other capitals",
      before: manifest("").replace("HarvestSource", "harvestsource"),
      after: manifest(""),
    },
    {
      name: "a time zone in other capitals",
      before: manifest("  timeZone: europe/vienna\n"),
      after: manifest("  timeZone: Europe/Vienna\n"),
    },
    {
      name: "an item that stands twice",
      before: manifest("  sets:\n    - a # first\n    - b\n    - a # second\n  # end\n"),
      after: manifest("  sets:\n    - a # first\n    - b\n  # end\n"),
    },
    {
      name: "an item that stands twice in brackets",
      before: manifest("  sets: [a, b, a]\n"),
      after: manifest("  sets: [a, b]\n"),
    },
    {
      name: "an item that stands thrice",
      before: manifest("  sets: [a, a, a]\n"),
      after: manifest("  sets: [a]\n"),
    },
    {
      name: "an empty field",
      before: manifest("  timeZone:   # later\n  # a comment stays\n  suspend: true\n"),
      after: manifest("  # a comment stays\n  suspend: true\n"),
    },
    {
      name: "an empty field alone in its map",
      before: manifest("  delta:\n    mode: ~\n  suspend: true\n"),
      after: manifest("  suspend: true\n"),
    },
    {
      name: "an empty field in brackets",
      before: manifest("  delta: { mode: , overlapSeconds: 5 }\n"),
      after: manifest("  delta: { overlapSeconds: 5 }\n"),
    },
    {
      name: "an empty field last in brackets",
      before: manifest("  delta: { overlapSeconds: 5, mode: null }\n"),
      after: manifest("  delta: { overlapSeconds: 5 }\n"),
    },
    {
      name: "what a cluster wrote",
      before: `${manifest("", "  uid: 4f6a\n  managedFields:\n    - manager: x\n      fields: { a: 1 }\n")}status:\n  phase: Ready\n`,
      after: manifest(""),
    },
    {
      name: "a schedule without quotes",
      before: head + "  schedule: */30 * * * * # often\n",
      after: head + '  schedule: "*/30 * * * *" # often\n',
    },
    {
      name: "@every without quotes",
      before: head + "  schedule: @every 6h\n",
      after: head + '  schedule: "@every 6h"\n',
    },
    {
      name: "tabs that can mean only one thing",
      before:
        'apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata:\n\tname: a\nspec:\n\tbaseUrl: https://a.example.gov\n\tmetadataPrefix: oai_dc\n\tschedule: "0 3 * * *"\n',
      after:
        'apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata:\n  name: a\nspec:\n  baseUrl: https://a.example.gov\n  metadataPrefix: oai_dc\n  schedule: "0 3 * * *"\n',
    },
    {
      name: "one mistake behind another",
      before: head + "  schedule: */30 * * * *\n  suspend: yes\n  sets: [a, a]\n",
      after: head + '  schedule: "*/30 * * * *"\n  suspend: true\n  sets: [a]\n',
    },
    {
      name: "line ends of Windows",
      before: manifest("  suspend: yes\n  timeZone:\n").replaceAll("\n", "\r\n"),
      after: manifest("  suspend: true\n").replaceAll("\n", "\r\n"),
    },
    {
      name: "each document by itself",
      before: `${manifest("  suspend: no\n")}---\n${manifest("  suspend: off\n")}`,
      after: `${manifest("  suspend: false\n")}---\n${manifest("  suspend: false\n")}`,
    },
  ])("mends $name", ({ before, after }) => {
    expect(fixed(before)).toBe(after);
  });

  it.each([
    { name: "a word that is like another", text: manifest("  delta: { mode: snapshto }\n") },
    { name: "a field that is like another", text: manifest("  delta: { overlapSecond: 300 }\n") },
    { name: "a field that is there already", text: manifest("  delta: { Mode: full, mode: full }\n") },
    { name: "a number that may be octal", text: manifest("  delta: { overlapSeconds: 0300 }\n") },
    { name: "tabs whose width decides", text: "a:\n  b:\n\tc: 1\n    d: 2\n" },
    { name: "an empty label", text: manifest("", "  labels: { a: }\n") },
    { name: "what stands behind an anchor", text: manifest("  suspend: &s yes\n") },
    { name: "an empty field with an anchor", text: manifest("  timeZone: &zone\n") },
    { name: "another schedule without quotes", text: head + "  schedule: *anchor\n" },
    { name: "a list of several lines in brackets", text: manifest("  sets: [a, # first\n    a]\n") },
    { name: "another kind", text: "kind: ConfigMap\napiVersion: v1\ndata: { a: yes }\n" },
    { name: "what is right", text: manifest("  sets: [a, b] # ok\n") },
    { name: "what is no YAML", text: "a: [\n" },
    { name: "nothing", text: "" },
  ])("leaves $name alone", ({ text }) => {
    expect(fixManifests(text, "m.yaml")).toEqual({ text, mended: [] });
  });

  it("tells what it mended", () => {
    const { mended } = fixManifests(manifest("  suspend: yes\n  timeZone:\n"), "m.yaml");
    expect(mended.map(({ rule, place }) => `${String(place.line)} ${rule}`)).toEqual([
      "9 schema/type",
      "10 schema/empty-field",
    ]);
  });

  it("mends the rules that the catalogue says it does", () => {
    const said = ruleCatalogue.filter(({ fixable }) => fixable !== false).map(({ id }) => id);
    expect([...fixableRules].sort()).toEqual([...said].sort());
  });
});

const folder = join(import.meta.dirname, "../../manifests/sources");
const manifests = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join(folder, name), "utf8"));

/** A manifest that somebody's keyboard has been over. */
const scribbled = fc
  .tuple(
    fc.constantFrom(...manifests),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          "",
          "yes",
          " ~",
          "\n  timeZone:",
          "\t",
          "[a, a]",
          '"',
          "1_0",
          "\nstatus: { a: 1 }",
          "\n---\n",
          "FULL",
          "#",
        ),
        fc.nat(3),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [where, insert, remove]) => {
      const at = where % (now.length + 1);
      return now.slice(0, at) + insert + now.slice(at + remove);
    }, text),
  );

describe("mending anything", () => {
  it("mends all at once: a second time there is nothing to mend", () => {
    fc.assert(
      fc.property(scribbled, (text) => {
        const once = fixed(text);
        expect(fixManifests(once, "m.yaml")).toEqual({ text: once, mended: [] });
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it("changes nothing that a manifest without errors means", () => {
    const lines = fc.constantFrom(
      "  timeZone:",
      "  deletions:  # later",
      "  limits: {}",
      "  limits: { maxPageBytes: , maxRecordBytes: 5 }",
      "    phase: ~",
      "    overlapSeconds:",
      "status: { ok: true }",
      "# only a comment",
      "",
    );
    const given = fc.tuple(
      fc.constantFrom(...manifests),
      fc.array(fc.tuple(fc.nat(), lines), { minLength: 1, maxLength: 4 }),
    );
    let mended = 0;
    fc.assert(
      fc.property(given, ([manifest, inserts]) => {
        const written = manifest.split("\n");
        for (const [where, line] of inserts) written.splice(where % (written.length + 1), 0, line);
        const text = written.join("\n");
        const before = parseManifests(text, { file: "m.yaml", named: false });
        if (before.findings.some(({ severity }) => severity === "error")) return;
        const after = parseManifests(fixed(text), { file: "m.yaml", named: false });
        expect(after.sources.map(({ source }) => source)).toEqual(before.sources.map(({ source }) => source));
        const left = after.findings.filter(({ sentence }) => !sentence.startsWith("metadata.labels"));
        expect(left).toEqual([]);
        if (before.findings.length > 0) mended += 1;
      }),
      { numRuns: 600, seed: 2 },
    );
    expect(mended).toBeGreaterThan(20);
  });
});
