import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseFairUse, type FairUse } from "../fair-use.js";
import { parseManifests } from "../parse.js";
import { lint, lintRules } from "./index.js";
import type { LintContext } from "./lint-rule.js";

const root = join(import.meta.dirname, "../..");

/** One source; fields given replace the usual ones. Line 2 is apiVersion's, spec begins on line 5. */
function source(fields: Readonly<Record<string, string>> = {}, name = "t"): string {
  const spec = {
    baseUrl: "https://a.example.gov/oai",
    metadataPrefix: "iso19139",
    schedule: '"0 3 * * *"',
    ...fields,
  };
  const lines = Object.entries(spec).map(([key, value]) => `  ${key}: ${value}\n`);
  return `---\napiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: { name: ${name} }\nspec:\n${lines.join("")}`;
}

const ceilings = parseFairUse(
  "hosts:\n  a.example.gov: { maxRequests: 10 }\n  b.example.gov: { maxRequests: 2 }\n",
  "rules/fair-use.yaml",
).fairUse as FairUse;

const context: LintContext = {
  fairUse: {
    ...ceilings,
    default: { maxRequests: 4, place: { file: "rules/fair-use.yaml", line: 5, column: 1, length: 1 } },
  },
  prefixes: ["iso19139", "oai_dc"],
  checkPolicyFile: (path) => {
    if (path.includes("missing"))
      return { ok: false, problem: "missing", sentence: `There is no ${path}.`, remedy: "Look." };
    if (path.includes("broken"))
      return { ok: false, problem: "broken", sentence: `${path} does not load.`, remedy: "Mend." };
    return { ok: true };
  },
  now: new Date("2026-11-30T12:00:00Z"),
};

interface Case {
  readonly name: string;
  readonly text: string;
  /** `severity rule line:column+length` */
  readonly expect: readonly string[];
  readonly says?: string;
  readonly context?: Partial<LintContext>;
}

function table(cases: readonly Case[]): void {
  it.each(cases)("$name", (given) => {
    const parsed = parseManifests(given.text, { file: "a.yaml", named: true });
    expect(parsed.findings).toEqual([]);
    const findings = lint(parsed.sources, { ...context, ...given.context });
    expect(
      findings.map(
        ({ severity, rule, place }) =>
          `${severity} ${rule} ${String(place.line)}:${String(place.column)}+${String(place.length)}`,
      ),
    ).toEqual(given.expect);
    if (given.says !== undefined)
      expect(findings.map(({ sentence, remedy }) => `${sentence} ${remedy ?? ""}`).join("\n")).toContain(
        given.says,
      );
  });
}

describe("a source without fault", () => {
  table([{ name: "says nothing", text: source(), expect: [] }]);
});

describe("the address", () => {
  const address = "error endpoint/address 6:12";
  table([
    {
      name: "without scheme",
      text: source({ baseUrl: "a.example.gov/oai" }),
      expect: [`${address}+17`],
      says: "http or https",
    },
    { name: "of FTP", text: source({ baseUrl: "ftp://a.example.gov/" }), expect: [`${address}+20`] },
    { name: "in capitals", text: source({ baseUrl: "HTTPS://a.example.gov/" }), expect: [`${address}+22`] },
    {
      name: "with a space",
      text: source({ baseUrl: "https://a.example.gov/a b" }),
      expect: [`${address}+25`],
    },
    {
      name: "with a wrong escape",
      text: source({ baseUrl: "https://a.example.gov/%zz" }),
      expect: [`${address}+25`],
    },
    {
      name: "with a port too high",
      text: source({ baseUrl: "https://a.example.gov:99999/" }),
      expect: [`${address}+28`],
    },
    {
      name: "with a password",
      text: source({ baseUrl: "https://u:p@a.example.gov/" }),
      expect: ["error endpoint/user-info 6:12+26"],
      says: "change that password",
    },
    {
      name: "with a fragment",
      text: source({ baseUrl: "https://a.example.gov/#oai" }),
      expect: ["error endpoint/fragment 6:12+26"],
    },
    {
      name: "copied with its verb",
      text: source({ baseUrl: "https://a.example.gov/oai?verb=Identify" }),
      expect: ["error endpoint/oai-arguments 6:12+39"],
    },
    {
      name: "with a query that must be kept",
      text: source({ baseUrl: "https://a.example.gov/oai?map=/a@b&verbose=1" }),
      expect: [],
    },
    {
      name: "without TLS",
      text: source({ baseUrl: "http://a.example.gov/oai" }),
      expect: ["warning transport/cleartext 6:12+24"],
    },
    {
      name: "without TLS on this machine",
      text: source({ baseUrl: "http://127.0.0.1:8080/oai" }),
      expect: [],
    },
  ]);
});

describe("fields that must fit each other", () => {
  const http = { baseUrl: "http://127.0.0.1/oai" };
  table([
    { name: "a name of 44", text: source({}, "a".repeat(44)), expect: [] },
    {
      name: "a name of 45",
      text: source({}, "a".repeat(45)),
      expect: ["error name/too-long 4:19+45"],
      says: "harvest-<name>",
    },
    {
      name: "mtls over http",
      text: source({ ...http, transport: "{ mtls: true }" }),
      expect: ["error transport/mtls-needs-https 9:22+4"],
    },
    {
      name: "a private authority over http",
      text: source({ ...http, transport: "{ caSecretName: ca }" }),
      expect: ["error transport/ca-needs-https 9:30+2"],
    },
    {
      name: "secret headers over http",
      text: source({ ...http, transport: "{ headersSecretName: h }" }),
      expect: ["error transport/headers-need-https 9:35+1"],
      says: "in the clear",
    },
    {
      name: "a certificate without mtls",
      text: source({ transport: "{ clientCertificate: { secretName: c } }" }),
      expect: ["error transport/certificate-needs-mtls 9:16+17"],
    },
    {
      name: "a certificate with mtls",
      text: source({ transport: "{ mtls: true, clientCertificate: { secretName: c } }" }),
      expect: [],
    },
    {
      name: "a proxy with a password",
      text: source({ transport: "{ proxyUrl: 'http://u:p@proxy:3128' }" }),
      expect: ["error transport/proxy-url 9:26+23"],
    },
    {
      name: "a proxy",
      text: source({ transport: "{ proxyUrl: 'http://proxy.example.gov:3128' }" }),
      expect: [],
    },
    {
      name: "a timeout longer than the request",
      text: source({ transport: "{ timeouts: { requestSeconds: 30 } }" }),
      expect: ["error transport/timeout-order 9:44+2"],
    },
    {
      name: "tombstones in snapshots",
      text: source({ delta: "{ mode: snapshot }", deletions: "{ policy: tombstones }" }),
      expect: ["error deletions/no-tombstones-in-snapshot 10:24+10"],
    },
    {
      name: "a first wait over the longest",
      text: source({ backoff: "{ initialMs: 70000 }" }),
      expect: ["error backoff/initial-over-max 9:25+5"],
    },
    {
      name: "a record over the page",
      text: source({ limits: "{ maxPageBytes: 2048 }" }),
      expect: ["error limits/record-over-page 9:3+6"],
    },
    {
      name: "a phase without rules",
      text: source({ validation: "{ phase: fast }" }),
      expect: ["error policy/phase-without-rules 9:24+4"],
    },
  ]);
});

describe("the schedule", () => {
  table([
    {
      name: "31 February",
      text: source({ schedule: '"0 0 31 2 *"' }),
      expect: ["error schedule/never-runs 8:13+12"],
      says: "There is no 31 February",
    },
    {
      name: "the 31st of short months",
      text: source({ schedule: '"0 0 31 4,6,9,11 *"' }),
      expect: ["error schedule/never-runs 8:13+19"],
      says: "No such date",
    },
    { name: "29 February comes", text: source({ schedule: '"0 0 29 2 *"' }), expect: [] },
    { name: "31 February or a Monday", text: source({ schedule: '"0 0 31 2 MON"' }), expect: [] },
    {
      name: "a wrong field, pointed to inside the quotes",
      text: source({ schedule: '"0 25 * * *"' }),
      expect: ["error schedule/syntax 8:16+2"],
      says: "hour field 25",
    },
    {
      name: "a wrong field without quotes",
      text: source({ schedule: "0 25 * * *" }),
      expect: ["error schedule/syntax 8:15+2"],
    },
    {
      name: "seven as Sunday",
      text: source({ schedule: '"0 3 * * 7"' }),
      expect: ["error schedule/syntax 8:22+1"],
      says: "Sunday is 0",
    },
    {
      name: "six fields",
      text: source({ schedule: '"0 0 3 * * *"' }),
      expect: ["error schedule/syntax 8:14+11"],
    },
    {
      name: "a zone in the schedule",
      text: source({ schedule: "'TZ=UTC 0 3 * * *'" }),
      expect: ["error schedule/syntax 8:14+16"],
      says: "spec.timeZone",
    },
    {
      name: "every five minutes",
      text: source({ schedule: '"*/5 * * * *"' }),
      expect: ["warning schedule/too-often 8:13+13"],
      says: "every 5 min",
    },
    {
      name: "every ten seconds",
      text: source({ schedule: '"@every 10s"' }),
      expect: ["warning schedule/too-often 8:13+12"],
      says: "more than once a minute",
    },
    { name: "a quarter of an hour", text: source({ schedule: '"*/15 * * * *"' }), expect: [] },
    {
      name: "an unknown zone",
      text: source({ timeZone: "Europe/Berlinn" }),
      expect: ["error schedule/time-zone 9:13+14"],
      says: "Did you mean Europe/Berlin?",
    },
    {
      name: "a zone in small letters",
      text: source({ timeZone: "europe/berlin" }),
      expect: ["error schedule/time-zone 9:13+13"],
      says: "Did you mean Europe/Berlin?",
    },
    { name: "Local", text: source({ timeZone: "Local" }), expect: ["error schedule/time-zone 9:13+5"] },
  ]);
});

describe("the policy", () => {
  table([
    {
      name: "a schema that is not there",
      text: source({ validation: "{ xsd: schemas/missing.xsd }" }),
      expect: ["error policy/missing-file 9:22+19"],
    },
    {
      name: "the second rule set does not load",
      text: source({ validation: "{ schematron: [a.sch, broken.sch] }" }),
      expect: ["error policy/broken-file 9:37+10"],
      says: "broken.sch does not load",
    },
    {
      name: "a prefix nobody maps",
      text: source({ metadataPrefix: "iso19193" }),
      expect: ["error prefix/no-transform 7:19+8"],
      says: "Did you mean iso19139?",
    },
    {
      name: "a prefix like none",
      text: source({ metadataPrefix: "marc21" }),
      expect: ["error prefix/no-transform 7:19+6"],
      says: "Known are iso19139, oai_dc",
    },
    {
      name: "no overlap",
      text: source({ delta: "{ overlapSeconds: 0 }" }),
      expect: ["warning delta/no-overlap 9:28+1"],
    },
    {
      name: "no overlap in full mode",
      text: source({ delta: "{ mode: full, overlapSeconds: 0 }" }),
      expect: [],
    },
  ]);
});

describe("fair use", () => {
  const asks = (n: number, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    concurrency: `{ maxRequests: ${String(n)} }`,
    ...more,
  });
  table([
    { name: "at the ceiling", text: source(asks(10)), expect: [] },
    {
      name: "over the ceiling alone",
      text: source(asks(11)),
      expect: ["error fair-use/over-ceiling 9:31+2"],
      says: "t asks for 11 requests in flight from a.example.gov; its ceiling is 10 (rules/fair-use.yaml:2).",
    },
    {
      name: "over the ceiling together, told at the smaller",
      text: source(asks(4), "county") + source(asks(8, { metadataPrefix: "oai_dc" }), "state"),
      expect: ["error fair-use/over-ceiling 9:31+1"],
      says: "county and state together ask for 12",
    },
    {
      name: "another port and case is the same host",
      text: source(asks(6)) + source(asks(6, { baseUrl: "https://A.EXAMPLE.gov:8443/x" }), "u"),
      expect: ["error fair-use/over-ceiling 18:31+1"],
    },
    {
      name: "a paused source asks for nothing",
      text: source(asks(6)) + source(asks(6, { metadataPrefix: "oai_dc", suspend: "true" }), "u"),
      expect: [],
    },
    {
      name: "another host has its own",
      text: source(asks(10)) + source(asks(2, { baseUrl: "https://b.example.gov/oai" }), "u"),
      expect: [],
    },
    {
      name: "the default",
      text: source(asks(5, { baseUrl: "https://c.example.gov/oai" })),
      expect: ["error fair-use/over-ceiling 9:31+1"],
      says: "its ceiling is 4 (rules/fair-use.yaml:5)",
    },
    {
      name: "nothing written down",
      text: source({ baseUrl: "https://c.example.gov/oai" }),
      context: { fairUse: ceilings },
      expect: ["warning fair-use/no-ceiling 6:12+25"],
    },
    {
      name: "a default where the field was not written",
      text:
        source({ baseUrl: "https://b.example.gov/1" }, "a") +
        source({ baseUrl: "https://b.example.gov/2" }, "b") +
        source({ baseUrl: "https://b.example.gov/3" }, "c"),
      expect: ["error fair-use/over-ceiling 21:1+4"],
      says: "a, b and c together ask for 3",
    },
  ]);
});

describe("what must not be twice", () => {
  table([
    {
      name: "a name",
      text: source() + source({ metadataPrefix: "oai_dc" }),
      expect: ["error source/duplicate-name 12:19+1"],
      says: "(a.yaml:4)",
    },
    {
      name: "the whole repository",
      text: source() + source({}, "u"),
      expect: ["error source/duplicate-endpoint 14:12+25"],
      says: "t (a.yaml:6) already harvests the whole repository as iso19139",
    },
    {
      name: "written with the default port",
      text: source() + source({ baseUrl: "https://A.example.gov:443/oai" }, "u"),
      expect: ["error source/duplicate-endpoint 14:12+29"],
    },
    {
      name: "one set of several",
      text: source({ sets: "[p, q]" }) + source({ sets: "[r, q]" }, "u"),
      expect: ["error source/duplicate-endpoint 18:13+1"],
      says: "set q",
    },
    {
      name: "another prefix is another list",
      text: source() + source({ metadataPrefix: "oai_dc" }, "u"),
      expect: [],
    },
    {
      name: "another set is another list",
      text: source({ sets: "[p]" }) + source({ sets: "[q]" }, "u"),
      expect: [],
    },
  ]);

  it("is a name in its namespace", () => {
    const inNamespace = (namespace: string): string =>
      source({ metadataPrefix: namespace === "a" ? "oai_dc" : "iso19139" }).replace(
        "{ name: t }",
        `{ name: t, namespace: ${namespace} }`,
      );
    const { sources } = parseManifests(inNamespace("a") + inNamespace("b"), { file: "a.yaml", named: true });
    expect(lint(sources, context)).toEqual([]);
  });
});

describe("the whole", () => {
  it("tells findings from top to bottom", () => {
    const text = source({ metadataPrefix: "marc21", schedule: '"x"', baseUrl: "ftp://x/" });
    const { sources } = parseManifests(text, { file: "a.yaml", named: true });
    expect(lint(sources, context).map(({ place }) => place.line)).toEqual([6, 7, 8]);
  });

  it("has a rule in every file of the folder", () => {
    expect(lintRules).toHaveLength(11);
  });

  it("finds nothing in the manifest of the pipeline's author, given its ceiling of 50", () => {
    const read = (file: string): Buffer => readFileSync(join(root, file));
    const file = "manifests/sources/state-gis-clearinghouse.yaml";
    const parsed = parseManifests(read(file), { file, named: true });
    const { fairUse } = parseFairUse(read("rules/fair-use.yaml"), "rules/fair-use.yaml");
    const world: LintContext = { ...context, ...(fairUse === undefined ? {} : { fairUse }) };
    expect([...parsed.findings, ...lint(parsed.sources, world)]).toEqual([]);
    expect(parsed.sources).toHaveLength(1);
  });
});
