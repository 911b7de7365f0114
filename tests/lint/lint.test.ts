/** harvestctl lint as a program: formats, exceptions, the baseline, mending, and what an editor asks. */
import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { manifest, PolicyFolder } from "./policy-folder.js";

let folder = new PolicyFolder();
afterEach(() => {
  folder.remove();
});

function policy(files: Readonly<Record<string, string>>): PolicyFolder {
  folder.remove();
  folder = new PolicyFolder(files);
  return folder;
}

const plain = manifest("plain").replace("https:", "http:");
const never = manifest("never").replace("0 3 * * *", "0 0 31 2 *");

describe("formats", () => {
  it("writes SARIF with paths from the top of the repository, wherever it is asked from", () => {
    const { code, out } = policy({ "team a/m/never.yaml": never }).ask(
      ["lint", "m", "--format", "sarif", "--root", ".."],
      { cwd: "team a" },
    );
    const log = JSON.parse(out) as {
      runs: { results: { locations: { physicalLocation: { artifactLocation: object } }[] }[] }[];
    };
    expect(
      log.runs[0]?.results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation),
    ).toEqual([{ uri: "team%20a/m/never.yaml", uriBaseId: "%SRCROOT%" }]);
    expect(code).toBe(1);
  });

  it("writes annotations, then the sum", () => {
    const { code, out } = policy({ "m/never.yaml": never, "m/plain.yaml": plain }).ask([
      "lint",
      "m",
      "--format=github",
    ]);
    const lines = out.trim().split("\n");
    expect(lines.map((line) => line.slice(0, 46))).toEqual([
      "::error file=m/never.yaml,line=8,endLine=8,col",
      "::warning file=m/plain.yaml,line=6,endLine=6,c",
      "2 sources, 1 error, 1 warning.",
    ]);
    expect(code).toBe(1);
  });

  it("writes XML for CI servers, whatever a manifest holds", () => {
    const hostile = manifest("x", '  sets: ["a\\u0007<&]]>", "a\\u0007<&]]>"]\n');
    const { code, out } = policy({
      "m/a&b.yaml": hostile,
      "m/good.yaml": manifest("good"),
      "m/plain.yaml": plain,
    }).ask(["lint", "m", "--format", "junit"]);
    expect(out).toContain(
      '<testsuites name="harvestctl lint" tests="3" failures="1" errors="0" skipped="0" time="0">',
    );
    expect(out).toContain('<testsuite name="m/a&amp;b.yaml" tests="1" failures="1"');
    expect(out).toContain('<testcase name="no finding" classname="m/good.yaml" time="0"/>');
    expect(out).toContain("<system-out>m/plain.yaml:6:12 warning transport/cleartext");
    expect(out).not.toContain("\u0007");
    expect(code).toBe(1);
  });

  it("writes the same JSON for --json and --format json", () => {
    policy({ "m/plain.yaml": plain });
    const one = folder.ask(["lint", "m", "--json"]);
    const other = folder.ask(["lint", "m", "--format", "json"]);
    expect(JSON.parse(one.out)).toEqual(JSON.parse(other.out));
    expect(one.code).toBe(0);
  });
});

describe("exceptions in a manifest", () => {
  const ignore =
    '  annotations:\n    ingest.geoportal.io/lint-ignore: "transport/cleartext until 2099-03-01: no TLS yet"\n';

  it("do not count, are counted, and are shown when asked for", () => {
    policy({ "m/plain.yaml": plain.replace("spec:", `${ignore}spec:`) });
    const { code, out } = folder.ask(["lint", "m", "--strict"]);
    expect(out).toContain(
      "1 source, 0 errors, 0 warnings. 1 finding is held back by annotations (--verbose shows them).",
    );
    expect(code).toBe(0);
    expect(folder.ask(["lint", "m", "--verbose"]).out).toContain("Held back until 2099-03-01: no TLS yet");
    const json = JSON.parse(folder.ask(["lint", "m", "--json"]).out) as { suppressed: unknown[] };
    expect(json.suppressed).toEqual([
      {
        finding: expect.objectContaining({ rule: "transport/cleartext" }) as object,
        reason: "no TLS yet",
        until: "2099-03-01",
      },
    ]);
    expect(folder.ask(["lint", "m", "--format", "sarif"]).out).toContain(
      '"justification": "Until 2099-03-01: no TLS yet"',
    );
  });
});

describe("a baseline", () => {
  it("knows old debt, wherever its lines go, tells new debt and debt that was paid", () => {
    policy({ "m/never.yaml": never, "m/plain.yaml": plain });
    const written = folder.ask(["lint", "m", "--write-baseline", "debt.json"]);
    expect(written.out).toContain("2 sources, 0 errors, 0 warnings. 2 findings are known by the baseline");
    expect(written.code).toBe(0);
    const bytes = folder.read("debt.json");
    expect(
      (JSON.parse(bytes) as { findings: { file: string; rule: string }[] }).findings.map(
        ({ file, rule }) => `${file} ${rule}`,
      ),
    ).toEqual(["m/never.yaml schedule/never-runs", "m/plain.yaml transport/cleartext"]);

    folder.write({
      "m/never.yaml": `# moved\n\n${never}`,
      "m/plain.yaml": manifest("plain"),
      "m/new.yaml": never.replace("name: never", "name: new").replace("never.example", "new.example"),
    });
    const { code, out } = folder.ask(["lint", "m", "--baseline", "debt.json"]);
    expect(out).toContain("debt.json:5:1  info  baseline/gone");
    expect(out).toContain("m/new.yaml:8:13  error  schedule/never-runs");
    expect(out).not.toContain("m/never.yaml:10");
    expect(code).toBe(1);

    folder.ask(["lint", "m/plain.yaml", "--write-baseline", "debt.json"]);
    const [first, last] = [bytes.split("\n")[3], folder.read("debt.json").split("\n")[3]];
    expect(last).toBe(first?.replace(/,$/, ""));
    expect(folder.ask(["lint", "m/plain.yaml", "--baseline", "debt.json"]).out).not.toContain(
      "baseline/gone",
    );
  });

  it.each<{ name: string; files: Record<string, string>; says: string }>([
    { name: "is not there", files: {}, says: "There is no baseline debt.json." },
    { name: "is none", files: { "debt.json": '{"findings": 3}' }, says: "debt.json is no baseline" },
  ])("ends with 2 when it $name", ({ files, says }) => {
    const { code, err } = policy({ "m/plain.yaml": plain, ...files }).ask([
      "lint",
      "m",
      "--baseline",
      "debt.json",
    ]);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe("mending", () => {
  const broken = manifest("broken", "  suspend: yes # why\n  timeZone:\n");

  it("shows what it would do, and writes nothing", () => {
    const { out } = policy({ "m/broken.yaml": broken }).ask(["lint", "m", "--fix", "--diff"]);
    expect(out).toContain("-  suspend: yes # why\n-  timeZone:\n+  suspend: true # why\n");
    expect(out).toContain("--fix would mend 2 findings in 1 file. Nothing was written.");
    expect(folder.read("m/broken.yaml")).toBe(broken);
  });

  it("writes the files named alone, keeps their rights, and judges what is left", () => {
    policy({ "m/broken.yaml": broken, "n/broken.yaml": broken });
    chmodSync(join(folder.path, "m/broken.yaml"), 0o640);
    const { code, out } = folder.ask(["lint", "m", "--fix"]);
    expect(out).toContain("mended  m/broken.yaml:9  schema/type\n");
    expect(out).toContain("1 source, 0 errors, 0 warnings.");
    expect(code).toBe(0);
    expect(folder.read("m/broken.yaml")).toBe(manifest("broken", "  suspend: true # why\n"));
    expect(statSync(join(folder.path, "m/broken.yaml")).mode & 0o777).toBe(0o640);
    expect(folder.read("n/broken.yaml")).toBe(broken);
    expect(readdirSync(join(folder.path, "m"))).toEqual(["broken.yaml"]);
  });

  it("follows a link within the repository, and refuses one that leads out of it", () => {
    policy({ "real/broken.yaml": broken, "m/good.yaml": manifest("good") });
    symlinkSync("../real/broken.yaml", join(folder.path, "m/link.yaml"));
    expect(folder.ask(["lint", "m", "--fix"]).code).toBe(0);
    expect(folder.read("real/broken.yaml")).toContain("suspend: true");
    expect(lstatSync(join(folder.path, "m/link.yaml")).isSymbolicLink()).toBe(true);

    const outside = new PolicyFolder({ "broken.yaml": broken });
    symlinkSync(join(outside.path, "broken.yaml"), join(folder.path, "m/out.yaml"));
    const { code, err } = folder.ask(["lint", "m", "--fix"]);
    expect([code, err]).toEqual([2, expect.stringContaining("m/out.yaml is a link that leads out")]);
    expect(outside.read("broken.yaml")).toBe(broken);
    outside.remove();
  });
});

describe("an editor", () => {
  it("asks about a text that is not saved, beside its neighbours", () => {
    policy({ "m/a.yaml": manifest("a"), "m/b.yaml": manifest("b") });
    const input = manifest("a", "  concurrency: { maxRequests: 9 }\n");
    const args = ["lint", "m", "--stdin", "--stdin-filename", "m/b.yaml", "--format", "json"];
    const { code, out } = folder.ask(args, { input });
    const { findings, counts } = JSON.parse(out) as {
      findings: { rule: string; place: { file: string } }[];
      counts: { sources: number };
    };
    expect(findings.map(({ rule, place }) => `${place.file} ${rule}`)).toEqual([
      "m/b.yaml source/duplicate-name",
      "m/b.yaml source/duplicate-endpoint",
      "m/b.yaml fair-use/over-ceiling",
    ]);
    expect(counts.sources).toBe(2);
    expect(code).toBe(1);
  });

  it("asks about a text alone, under a name of its choice", () => {
    const { out } = policy({}).ask(["lint", "--stdin"], { input: "a: [" });
    expect(out).toContain("stdin.yaml:1:4  error  yaml/syntax");
  });
});

describe("rules", () => {
  it("are listed by topic, and explained", () => {
    const { out } = policy({}).ask(["rules", "list", "--topic", "schedule"]);
    expect(out).toContain("schedule/time-zone   error     some");
    expect(folder.ask(["rules", "explain", "schedule/never-runs"]).out).toContain(
      '  Wrong  spec:\n           schedule: "0 0 31 2 *"',
    );
    expect(folder.ask(["rules", "explain", "source-renamed"]).out).toContain(
      "A name change is a new source.",
    );
  });

  it("that do not exist are guessed at", () => {
    const { code, err } = policy({}).ask(["rules", "explain", "schedule/never-run"]);
    expect([code, err]).toEqual([2, expect.stringContaining("Did you mean schedule/never-runs?")]);
    expect(folder.ask(["rules", "list", "--topic", "shedule"]).err).toContain("Did you mean schedule?");
  });
});

describe("a save in an editor", () => {
  it("waits for no engine, no database and no client that it does not need", () => {
    const hook = `export async function load(url, context, next) { process._rawDebug(url); return next(url, context); }`;
    const register = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hook)}");`;
    const { err, code } = policy({}).ask(["lint", "--stdin", "--format", "json"], {
      input: manifest("a", "  validation: { xsd: schemas/none.xsd }\n"),
      node: ["--import", `data:text/javascript,${encodeURIComponent(register)}`],
    });
    expect(code).toBe(1);
    expect(err).toContain("dist/cli/commands/lint.js");
    expect(err).not.toMatch(
      /libxml2-wasm|\/pg\/|pglite|client-node|undici|prom-client|gate\/|persist\/|node_modules\/diff\//,
    );
  });
});
