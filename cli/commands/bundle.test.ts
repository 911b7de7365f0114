import { randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import Bundle from "./bundle.js";

const repository = join(import.meta.dirname, "../..");
const ceilings = "hosts: { a.example.gov: { maxRequests: 7 } }\ndefault: { maxRequests: 4 }\n";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function policy(more: Readonly<Record<string, string>> = {}): void {
  write({
    "schemas/a.xsd": "<a/>",
    "schemas/deep/er/b.xsd": "<b/>",
    "rules/c.sch": "<c/>",
    "rules/fair-use.yaml": ceilings,
    ...more,
  });
}

interface Ran {
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** Runs the command on the folder of this test; `@` begins a path in it. */
async function bundle(...args: readonly string[]): Promise<Ran> {
  const written = { out: "", err: "" };
  const catchInto = (stream: "out" | "err") => (text: string | Uint8Array) => {
    written[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation((text) => catchInto("out")(`${String(text)}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => catchInto("err")(`${String(text)}\n`)),
    vi.spyOn(process.stdout, "write").mockImplementation(catchInto("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(catchInto("err")),
  ];
  process.exitCode = 0;
  try {
    const given = args.map((arg) => arg.replace(/^@/, `${folder}/`));
    const root = args.includes("--root") ? [] : ["--root", folder];
    await Bundle.run([...root, ...given], repository);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const { out, err } = written;
  return { code: process.exitCode, out: out.replaceAll(folder, "."), err: err.replaceAll(folder, ".") };
}

interface Written {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly binaryData: Readonly<Record<string, string>>;
}

function pathsIn({ binaryData }: Written): string[] {
  const document = gunzipSync(Buffer.from(binaryData["policy.json.gz"] ?? "", "base64")).toString();
  return (JSON.parse(document) as { files: { path: string }[] }).files.map(({ path }) => path);
}

describe("harvestctl bundle", () => {
  it("writes one ConfigMap to standard output and says on standard error what it is", async () => {
    policy({ "manifests/m.yaml": "not packed", "rules/.hidden": "", "schemas/.git/x": "" });
    const { code, out, err } = await bundle("--namespace", "harvest");
    const configMap = parse(out) as Written;
    expect(configMap).toMatchObject({
      kind: "ConfigMap",
      immutable: true,
      metadata: { namespace: "harvest" },
    });
    expect(pathsIn(configMap)).toEqual([
      "rules/c.sch",
      "rules/fair-use.yaml",
      "schemas/a.xsd",
      "schemas/deep/er/b.xsd",
    ]);
    expect(err).toMatch(
      /^harvest-policy-[0-9a-f]{12}: 4 files, 85 B, packed \d+ B \(0\.0 % of what a ConfigMap holds\)\n {2}digest {2}[0-9a-f]{64}\n$/,
    );
    expect(code).toBe(0);
  });

  it("writes the same bytes again, whatever the times of the files", async () => {
    policy();
    const first = await bundle("--fair-use", "--kustomize");
    execFileSync("touch", ["-d", "2001-01-01", join(folder, "rules/c.sch")]);
    expect(await bundle("--fair-use", "--kustomize")).toEqual(first);
  });

  it("writes ceilings and the pointer for kustomize beside it, as YAML or as a List", async () => {
    policy();
    expect((await bundle("--fair-use", "--kustomize", "--out", "@all.yaml")).out).toBe("");
    const [first, ...rest] = parseAllDocuments(readFileSync(join(folder, "all.yaml"), "utf8")).map(
      (document) => document.toJS() as Written,
    );
    expect(rest).toMatchObject([
      { metadata: { name: "harvest-fair-use" }, data: { "a.example.gov": "7", _default: "4" } },
      {
        metadata: {
          name: "harvest-policy-bundle",
          annotations: { "config.kubernetes.io/local-config": "true" },
        },
        data: { name: first?.metadata.name },
      },
    ]);
    const { out } = await bundle("--fair-use", "--format", "json");
    expect(JSON.parse(out)).toMatchObject({ kind: "List", items: [{ kind: "ConfigMap" }, rest[0]] });
  });

  it("--json tells the facts", async () => {
    policy();
    const { out } = await bundle("--json");
    expect(JSON.parse(out)).toMatchObject({
      files: [
        { path: "rules/c.sch", bytes: 4 },
        { path: "rules/fair-use.yaml" },
        { path: "schemas/a.xsd" },
        { path: "schemas/deep/er/b.xsd" },
      ],
      unpackedBytes: 85,
      percentOfLimit: 0,
      warnings: [],
      objects: [{ kind: "ConfigMap" }],
    });
  });

  it("warns of what is big and of what looks like no policy, and packs it", async () => {
    policy({ "schemas/big.xsd": "x".repeat(1_048_577), "rules/notes.docx": "", "rules/LICENSE": "" });
    const { err, out } = await bundle();
    expect(err).toContain("warning  rules/notes.docx looks like no schema and no rule set");
    expect(err).toContain("warning  schemas/big.xsd has 1048577 bytes, which is much");
    expect(err).not.toContain("LICENSE");
    expect(pathsIn(parse(out) as Written)).toContain("rules/notes.docx");
  });

  it("follows a link to a file inside", async () => {
    policy();
    symlinkSync("c.sch", join(folder, "rules/same.sch"));
    expect(pathsIn(parse((await bundle()).out) as Written)).toContain("rules/same.sch");
  });
});

describe("harvestctl bundle cannot", () => {
  const rows: readonly { name: string; given: () => void; args?: readonly string[]; says: string }[] = [
    {
      name: "a root that is not there",
      given: () => undefined,
      args: ["--root", "@none"],
      says: "The policy root ./none cannot be opened: there is no such file or folder.",
    },
    {
      name: "a root without policy",
      given: () => {
        write({ "manifests/a.yaml": "" });
      },
      says: "There is no file in schemas/ or rules/ of .",
    },
    {
      name: "a link that leads out",
      given: () => {
        policy();
        symlinkSync("/etc/passwd", join(folder, "rules/x.sch"));
      },
      says: "rules/x.sch is a link to a place outside the policy root.",
    },
    {
      name: "a link to a folder",
      given: () => {
        policy();
        symlinkSync("deep", join(folder, "schemas/other"));
      },
      says: "schemas/other is a link to a folder.",
    },
    {
      name: "a link to nothing",
      given: () => {
        policy();
        symlinkSync("none", join(folder, "rules/x.sch"));
      },
      says: "rules/x.sch is a link to nothing",
    },
    {
      name: "a file of 17 MB",
      given: () => {
        policy();
        truncateSync(join(folder, "schemas/a.xsd"), 17_000_000);
      },
      says: "schemas/a.xsd has 17000000 bytes; at most 16777216 are packed.",
    },
    {
      name: "more than a ConfigMap holds",
      given: () => {
        write({ "schemas/noise.txt": randomBytes(1_100_000) });
      },
      says: "The file packs to",
    },
    {
      name: "a name with a control character",
      given: () => {
        policy({ "rules/a\u0007.sch": "" });
      },
      says: 'The file "rules/a?.sch" cannot be in a bundle: its path has a control or another invisible character.',
    },
    {
      name: "ceilings that are not there",
      given: () => {
        write({ "schemas/a.xsd": "" });
      },
      args: ["--fair-use"],
      says: "There is no rules/fair-use.yaml, so there are no ceilings to write.",
    },
    {
      name: "ceilings that cannot be read",
      given: () => {
        policy({ "rules/fair-use.yaml": "default: 4\n" });
      },
      args: ["--fair-use"],
      says: "rules/fair-use.yaml:1: default must be object.",
    },
    {
      name: "a namespace that can be none",
      given: policy,
      args: ["--namespace", "No"],
      says: '"No" can be no namespace.',
    },
    {
      name: "a folder that is not there to write to",
      given: policy,
      args: ["--out", "@none/x.yaml"],
      says: "./none/x.yaml could not be written (ENOENT).",
    },
    {
      name: "a file to check that is not there",
      given: policy,
      args: ["--check", "@none.yaml"],
      says: "./none.yaml could not be read (ENOENT).",
    },
  ];

  it.each(rows)("$name: a sentence, a remedy, 2", async ({ given, args = [], says }) => {
    given();
    const { code, out, err } = await bundle(...args);
    expect(err).toContain(`error  ${says}`);
    expect(err.trim().split("\n").length).toBeGreaterThan(1);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });
});

describe("harvestctl bundle --check", () => {
  beforeEach(async () => {
    policy();
    await bundle("--namespace", "harvest", "--fair-use", "--kustomize", "--out", "@all.yaml");
  });
  const all = ["--namespace", "harvest", "--fair-use", "--kustomize", "--check", "@all.yaml"];

  it("0 when it is what would be written", async () => {
    const { code, out } = await bundle(...all);
    expect({ code, out }).toEqual({ code: 0, out: "./all.yaml is up to date.\n" });
  });

  it("0 also when another zlib packed it", async () => {
    const text = readFileSync(join(folder, "all.yaml"), "utf8");
    const old = (parseAllDocuments(text)[0]?.toJS() as Written).binaryData["policy.json.gz"] ?? "";
    const weaker = gzipSync(gunzipSync(Buffer.from(old, "base64")), { level: 1 }).toString("base64");
    write({ "all.yaml": text.replace(/policy\.json\.gz: \|\n( {4}.*\n)+/, `policy.json.gz: ${weaker}\n`) });
    expect(weaker).not.toBe(old.replaceAll("\n", ""));
    expect((await bundle(...all)).code).toBe(0);
  });

  it("1 with the files that were added, changed and removed", async () => {
    policy({ "schemas/new.xsd": "<n/>", "rules/c.sch": "<c2/>" });
    rmSync(join(folder, "schemas/a.xsd"));
    const { code, out } = await bundle(...all);
    expect(out).toBe(`./all.yaml is stale: 4 differences from the policy.
  ~ rules/c.sch
  - schemas/a.xsd
  + schemas/new.xsd
  ! The ConfigMap harvest-policy-bundle points to another bundle.
Write it anew with harvestctl bundle --out, and commit it together with the change.
`);
    expect(code).toBe(1);
  });

  it("1 for other ceilings, another namespace and what is missing", async () => {
    write({ "rules/fair-use.yaml": ceilings.replace("7", "8") });
    expect((await bundle(...all)).out).toContain(
      "! The ConfigMap harvest-fair-use has other ceilings than rules/fair-use.yaml.",
    );
    expect((await bundle("--namespace", "other", "--check", "@all.yaml")).out).toContain(
      "is for the namespace harvest, not other.",
    );
    await bundle("--out", "@plain.yaml");
    expect((await bundle("--fair-use", "--check", "@plain.yaml")).out).toContain(
      "! It lacks the ConfigMap harvest-fair-use.",
    );
  });

  it.each([
    ["nothing", "", "It is empty."],
    ["no YAML", "a: [b", "It is no YAML:"],
    ["other things", "kind: ConfigMap\nmetadata: { name: x }\n", "It holds no policy bundle."],
    ["a list of nothing", "- 1\n- 2\n", "It holds no policy bundle."],
    [
      "a lie",
      "kind: ConfigMap\nmetadata: { name: x, annotations: { ingest.geoportal.io/policy-digest: abc } }\nbinaryData: { policy.json.gz: AAAA }\n",
      "The ConfigMap x cannot be used.",
    ],
  ])("1 for a file that holds %s", async (_, text, says) => {
    write({ "all.yaml": text });
    const { code, out } = await bundle(...all);
    expect(out).toContain(`! ${says}`);
    expect(code).toBe(1);
  });

  it("--json has the differences as data", async () => {
    write({ "rules/c.sch": "<c2/>" });
    const { out } = await bundle("--json", "--check", "@all.yaml");
    expect(JSON.parse(out)).toMatchObject({
      check: { fresh: false, differences: [{ kind: "changed", path: "rules/c.sch" }] },
    });
  });
});
