import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseManifests } from "./parse.js";

const root = join(import.meta.dirname, "..");

/** A whole manifest; the extra lines stand under spec, from line 8 on. */
function manifest(extra = "", head = "metadata: { name: t }"): string {
  return `apiVersion: ingest.geoportal.io/v1
kind: HarvestSource
${head}
spec:
  baseUrl: https://metadata.example.gov/oai
  metadataPrefix: iso19139
  schedule: "0 * * * *"
${extra}`;
}

interface Case {
  readonly name: string;
  readonly text: string | Uint8Array;
  /** `rule line:column+length`, in the order told. */
  readonly expect: readonly string[];
  readonly says?: string | RegExp;
  readonly named?: boolean;
  /** Sources that can be read all the same. */
  readonly sources?: number;
}

function told(
  text: string | Uint8Array,
  named: boolean,
): { lines: string[]; words: string; sources: number } {
  const { findings, sources } = parseManifests(text, { file: "a.yaml", named });
  return {
    lines: findings.map(
      ({ rule, place }) => `${rule} ${String(place.line)}:${String(place.column)}+${String(place.length)}`,
    ),
    words: findings.map(({ sentence, remedy }) => `${sentence} ${remedy ?? ""}`).join("\n"),
    sources: sources.length,
  };
}

function table(cases: readonly Case[]): void {
  it.each(cases)("$name", ({ text, expect: expected, says, named = true, sources = 0 }) => {
    const result = told(text, named);
    expect(result.lines).toEqual(expected);
    expect(result.sources).toBe(sources);
    if (says !== undefined) expect(result.words).toMatch(says);
  });
}

describe("what is no manifest", () => {
  const other = "apiVersion: v1\nkind: ConfigMap\n";
  table([
    { name: "an empty file that was named", text: "", expect: ["manifest/empty 1:1+1"], says: "is empty" },
    { name: "only comments", text: "# later\n---\n", expect: ["manifest/empty 1:1+1"] },
    { name: "a list", text: "- a\n- b\n", expect: ["manifest/not-a-map 1:1+1"], says: "a list" },
    { name: "a bare text", text: "hello", expect: ["manifest/not-a-map 1:1+1"], says: "a bare value" },
    { name: "another kind", text: other, expect: ["manifest/other-kind 2:7+9"], says: "ConfigMap" },
    { name: "no kind at all", text: "a: 1\n", expect: ["manifest/other-kind 1:1+1"], says: "no kind" },
    {
      name: "a kind spelt wrong",
      text: manifest().replace("kind: HarvestSource", "kind: HarvestSources"),
      expect: ["manifest/kind 2:7+14"],
      says: "Write kind: HarvestSource",
    },
    {
      name: "a kind forgotten",
      text: manifest().replace("kind: HarvestSource\n", ""),
      expect: ["manifest/kind 1:1+1"],
      says: "kind is missing",
    },
    {
      name: "another version",
      text: manifest().replace("io/v1", "io/v2"),
      expect: ["manifest/api-version 1:13+22"],
      says: "ingest.geoportal.io/v1",
    },
    {
      name: "a List of kubectl",
      text: "apiVersion: v1\nkind: List\nitems: []\n",
      expect: ["manifest/other-kind 2:7+4"],
      says: "Lists are not read",
    },
  ]);

  it("skips other kinds in a folder, as an info", () => {
    const { findings, sources } = parseManifests(`${other}---\n${manifest()}`, {
      file: "a.yaml",
      named: false,
    });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([["manifest/other-kind", "info"]]);
    expect(sources).toHaveLength(1);
  });

  it("is an error when the other kind is all there is in a file that was named", () => {
    const severities = (named: boolean): string[] =>
      parseManifests(other, { file: "a.yaml", named }).findings.map(({ severity }) => severity);
    expect(severities(true)).toEqual(["error"]);
    expect(severities(false)).toEqual(["info"]);
  });

  it("passes over an empty file in a folder with a warning", () => {
    expect(parseManifests("", { file: "a.yaml", named: false }).findings.map((f) => f.severity)).toEqual([
      "warning",
    ]);
  });
});

describe("what the schema refuses", () => {
  table([
    {
      name: "an unknown field",
      text: manifest("  delta:\n    overlapSecond: 300\n"),
      expect: ["schema/unknown-field 9:5+13"],
      says: /no field spec\.delta\.overlapSecond\. Did you mean overlapSeconds\?/,
    },
    {
      name: "a field in the wrong place",
      text: manifest("  overlapSeconds: 300\n"),
      expect: ["schema/unknown-field 8:3+14"],
      says: "Did you mean spec.delta.overlapSeconds",
    },
    {
      name: "a field like no other",
      text: manifest("  zzz: 1\n"),
      expect: ["schema/unknown-field 8:3+3"],
      says: "Fields here: protocol",
    },
    {
      name: "an unknown field of metadata",
      text: manifest("", "metadata: { name: t, lables: {} }"),
      expect: ["schema/unknown-field 3:22+6"],
      says: "Did you mean labels",
    },
    {
      name: "suspend: yes",
      text: manifest("  suspend: yes\n"),
      expect: ["schema/type 8:12+3"],
      says: "Write true, without quotes",
    },
    {
      name: 'suspend: "false"',
      text: manifest('  suspend: "false"\n'),
      expect: ["schema/type 8:12+7"],
      says: "Write false",
    },
    {
      name: "minTlsVersion: 1.3",
      text: manifest("  transport:\n    minTlsVersion: 1.3\n"),
      expect: ["schema/type 9:20+3"],
      says: 'quotes: "1.3"',
    },
    {
      name: "a number in quotes",
      text: manifest('  scheduleSpreadMinutes: "5"\n'),
      expect: ["schema/type 8:26+3"],
      says: "Remove the quotes",
    },
    {
      name: "a number with a unit",
      text: manifest("  delta: { overlapSeconds: 5m }\n"),
      expect: ["schema/type 8:28+2"],
      says: "the unit stands in the name",
    },
    {
      name: "a number with an underscore",
      text: manifest("  backoff: { maxMs: 60_000 }\n"),
      expect: ["schema/type 8:21+6"],
      says: "Write 60000",
    },
    {
      name: "half a request",
      text: manifest("  concurrency: { maxRequests: 1.5 }\n"),
      expect: ["schema/type 8:31+3"],
      says: "whole number",
    },
    {
      name: "a text where fields belong",
      text: manifest("  delta: full\n"),
      expect: ["schema/type 8:10+4"],
      says: "a map of fields",
    },
    {
      name: "a list where fields belong",
      text: manifest("  delta: [full]\n"),
      expect: ["schema/type 8:3+5"],
    },
    {
      name: "a text where a list belongs",
      text: manifest("  sets: elevation\n"),
      expect: ["schema/type 8:9+9"],
      says: "begins with '- '",
    },
    {
      name: "an empty item",
      text: manifest("  sets: [a, ~]\n"),
      expect: ["schema/type 8:13+1"],
      says: "is empty",
    },
    {
      name: "an item twice",
      text: manifest("  sets: [a, b, a]\n"),
      expect: ["schema/duplicate-item 8:16+1"],
    },
    { name: "an empty list", text: manifest("  sets: []\n"), expect: ["schema/length 8:3+4"] },
    {
      name: "a set with a space",
      text: manifest("  sets: [my set]\n"),
      expect: ["schema/pattern 8:10+6"],
      says: "ListSets",
    },
    {
      name: "a word that is not in the list",
      text: manifest("  delta: { mode: fromcursor }\n"),
      expect: ["schema/enum 8:18+10"],
      says: "Did you mean from-cursor",
    },
    { name: "a protocol nobody wrote", text: manifest("  protocol: csw\n"), expect: ["schema/enum 8:13+3"] },
    {
      name: "too little",
      text: manifest("  concurrency: { maxRequests: 0 }\n"),
      expect: ["schema/range 8:31+1"],
      says: "at least 1",
    },
    {
      name: "too much",
      text: manifest("  deletions: { maxPercent: 101 }\n"),
      expect: ["schema/range 8:28+3"],
      says: "at most 100",
    },
    {
      name: "an absolute path",
      text: manifest("  validation: { xsd: /etc/passwd }\n"),
      expect: ["schema/pattern 8:22+11"],
      says: "relative path",
    },
    {
      name: "a path that leaves the root",
      text: manifest("  validation:\n    xsd: [a.xsd, ../b.xsd]\n"),
      expect: ["schema/pattern 9:18+8"],
    },
    {
      name: "a number as path",
      text: manifest("  validation: { schematron: 3 }\n"),
      expect: ["schema/type 8:29+1"],
    },
    {
      name: "a map as path",
      text: manifest("  validation: { schematron: { a: b } }\n"),
      expect: ["schema/type 8:17+10"],
    },
    {
      name: "a name in capitals",
      text: manifest("", "metadata: { name: State }"),
      expect: ["schema/pattern 3:19+5"],
      says: "lower-case",
    },
    {
      name: "a label that is a number",
      text: manifest("", "metadata: { name: t, labels: { year: 2026 } }"),
      expect: ["schema/type 3:38+4"],
      says: 'quotes: "2026"',
    },
    {
      name: "a label key with a space",
      text: manifest("", "metadata: { name: t, labels: { my key: a } }"),
      expect: ["schema/pattern 3:32+6"],
    },
    {
      name: "a label that kubectl reads as false",
      text: manifest("", "metadata: { name: t, labels: { open: no } }"),
      expect: ["yaml/boolean-word 3:38+2"],
      says: 'Write "no"',
    },
    {
      name: "a label key that kubectl reads as true",
      text: manifest("", "metadata: { name: t, labels: { on: x } }"),
      expect: ["yaml/boolean-word 3:32+2"],
    },
    {
      name: "a number that kubectl reads as octal",
      text: manifest("  delta: { overlapSeconds: 0300 }\n"),
      expect: ["yaml/ambiguous-number 8:28+4"],
    },
    {
      name: "everything missing",
      text: "apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: {}\nspec: {}\n",
      expect: [
        "schema/required 3:1+8",
        "schema/required 4:1+4",
        "schema/required 4:1+4",
        "schema/required 4:1+4",
      ],
      says: "e.g. baseUrl: https",
    },
    {
      name: "no spec",
      text: "apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: { name: t }\n",
      expect: ["schema/required 1:1+1"],
    },
    {
      name: "a required field left empty",
      text: manifest().replace("iso19139", ""),
      expect: ["schema/required 6:3+14"],
      says: "metadataPrefix is empty",
    },
    { name: "an empty text", text: manifest().replace("iso19139", '""'), expect: ["schema/length 6:19+2"] },
  ]);
});

describe("what is read all the same", () => {
  table([
    {
      name: "a byte order mark and CRLF",
      text: `\uFEFF${manifest("  suspend: true\n").replaceAll("\n", "\r\n")}`,
      expect: [],
      sources: 1,
    },
    {
      name: "bytes with a byte order mark",
      text: new TextEncoder().encode(`\uFEFF${manifest()}`),
      expect: [],
      sources: 1,
    },
    {
      name: "several documents, some empty",
      text: `---\n${manifest()}---\n---\n${manifest("", "metadata: { name: u }")}...\n`,
      expect: [],
      sources: 2,
    },
    {
      name: "an optional field left empty takes its default",
      text: manifest("  delta:\n  suspend: ~\n"),
      expect: ["schema/empty-field 8:3+5", "schema/empty-field 9:3+7"],
      sources: 1,
    },
    {
      name: "what kubectl get -o yaml adds",
      text: manifest("status: { observedGeneration: 3 }\n", "metadata: { name: t, uid: x }"),
      expect: ["manifest/cluster-field 8:1+6", "manifest/cluster-field 3:22+3"],
      sources: 1,
    },
    {
      name: "one broken document beside a good one",
      text: `${manifest()}---\n- a\n---\n${manifest("  x: 1\n")}`,
      expect: ["manifest/not-a-map 9:1+1", "schema/unknown-field 18:3+1"],
      sources: 1,
    },
  ]);

  it("resolves anchors and merge keys, and finds a merged field where it was written", () => {
    const text = manifest("  delta: &few { overlapSeconds: 60 }\n  token: { <<: *few }\n");
    expect(told(text, true).lines).toEqual(["schema/unknown-field 8:17+14"]);
    const good = manifest("  timeZone: &zone Etc/UTC\n  sets: [ *zone ]\n");
    const [source] = parseManifests(good, { file: "a.yaml", named: true }).sources;
    expect(source?.source.spec.sets).toEqual(["Etc/UTC"]);
    expect(source?.place(["spec", "sets", 0])).toEqual({ file: "a.yaml", line: 9, column: 11, length: 5 });
  });

  it("keeps only what belongs into a manifest", () => {
    const text = manifest("status: {}\n", "metadata: { name: t, uid: x, labels: { a: b } }");
    const [located] = parseManifests(text, { file: "a.yaml", named: true }).sources;
    expect(Object.keys(located?.source ?? {})).toEqual(["apiVersion", "kind", "metadata", "spec"]);
    expect(located?.source.metadata).toEqual({ name: "t", labels: { a: "b" } });
  });

  it("fills in every default of the design", () => {
    const [located] = parseManifests(manifest(), { file: "a.yaml", named: true }).sources;
    expect(located?.source.spec).toEqual({
      protocol: "oai-pmh",
      baseUrl: "https://metadata.example.gov/oai",
      metadataPrefix: "iso19139",
      schedule: "0 * * * *",
      timeZone: "Etc/UTC",
      scheduleSpreadMinutes: 0,
      suspend: false,
      delta: { mode: "from-cursor", overlapSeconds: 300 },
      deletions: {
        policy: "auto",
        maxPercent: 10,
        minRecords: 20,
        sweepIntervalHours: 24,
        onSourceRemoval: "keep",
      },
      concurrency: { maxRequests: 1, respectRetryAfter: true },
      backoff: { initialMs: 1000, maxMs: 60000, jitter: "full", maxAttempts: 5 },
      token: { cacheTtlSeconds: 900, alsoSendPrefix: false },
      validation: { onFailure: "quarantine" },
      transport: {
        mtls: false,
        minTlsVersion: "1.3",
        allowPrivateNetwork: false,
        timeouts: { connectSeconds: 10, firstByteSeconds: 120, idleSeconds: 60, requestSeconds: 900 },
      },
      limits: { maxRecordBytes: 10485760, maxPageBytes: 268435456, maxRunSeconds: 21600 },
    });
  });

  it("places a field that was not written at its nearest parent", () => {
    const [located] = parseManifests(manifest("  delta: { mode: full }\n"), {
      file: "a.yaml",
      named: true,
    }).sources;
    expect(located?.place(["spec", "delta", "overlapSeconds"])).toMatchObject({
      line: 8,
      column: 3,
      length: 5,
    });
    expect(located?.place(["spec", "backoff", "maxMs"])).toMatchObject({ line: 4, column: 1, length: 4 });
  });
});

describe("the manifests of this repository", () => {
  it.each(["state-gis-clearinghouse", "county-gis", "harbor-library"])(
    "%s is read without a word",
    (name) => {
      const file = `manifests/sources/${name}.yaml`;
      const parsed = parseManifests(readFileSync(join(root, file)), { file, named: true });
      expect(parsed.findings).toEqual([]);
      expect(parsed.sources.map(({ source }) => source.metadata.name)).toEqual([name]);
    },
  );
});
