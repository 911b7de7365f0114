/** What lint takes kustomize to build, against what `kubectl kustomize` builds. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { Build } from "../../cli/lint/kustomize/build.js";
import { diskBelow } from "../../cli/lint/kustomize/disk.js";
import { KustomizeFiles } from "../../cli/lint/kustomize/kustomize-files.js";
import { findAssets, noCluster } from "../setup/cluster-assets.js";
import { manifest, PolicyFolder } from "./policy-folder.js";

const assets = findAssets(["kubectl"]);
if (assets === undefined) noCluster("there is no kubectl");
const kubectl = join(assets ?? "", "kubectl");

let folder = new PolicyFolder();
afterEach(() => {
  folder.remove();
});

type Files = Readonly<Record<string, string>>;

function policy(files: Files): PolicyFolder {
  folder.remove();
  folder = new PolicyFolder(files);
  return folder;
}

function byKubectl(path: string): unknown {
  const out = execFileSync(kubectl, ["kustomize", join(folder.path, path)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return sorted(parseAllDocuments(out).map((document): unknown => document.toJS()));
}

function byLint(path: string): unknown {
  const files = new KustomizeFiles(diskBelow(folder.path));
  return sorted(new Build(files).run(join(folder.path, path)).map(({ value }) => value));
}

function sorted(objects: readonly unknown[]): readonly unknown[] {
  const ours = objects.filter((object) => (object as { kind?: string }).kind === "HarvestSource");
  return [...ours].sort((a, b) => (JSON.stringify(idOf(a)) < JSON.stringify(idOf(b)) ? -1 : 1));
}

function idOf(object: unknown): unknown {
  const { name, namespace } = (object as { metadata: Record<string, unknown> }).metadata;
  return [namespace, name];
}

const base: Files = {
  "base/a.yaml": manifest(
    "a",
    "  sets: [w, x]\n  delta: { mode: full, overlapSeconds: 5 }\n",
    "  labels: { tier: gold }\n",
  ),
  "base/b.yaml": `${manifest("b")}---\n${manifest("c")}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n`,
  "base/kustomization.yaml": "resources: [a.yaml, b.yaml]\nnamePrefix: b-\n",
};

function overlay(...lines: readonly string[]): Files {
  return { ...base, "top/kustomization.yaml": ["resources: [../base]", ...lines, ""].join("\n") };
}

const cases: readonly { readonly name: string; readonly files: Files }[] = [
  { name: "nothing but resources", files: overlay() },
  {
    name: "namespace, prefix and suffix",
    files: overlay("namespace: prod", "namePrefix: p-", "nameSuffix: -s"),
  },
  {
    name: "labels and annotations",
    files: overlay("labels:", "- pairs: { tier: silver, x: '1' }", "commonAnnotations: { note: hello }"),
  },
  { name: "common labels", files: overlay("commonLabels: { team: maps }") },
  {
    name: "a patch that names its source by its first name",
    files: overlay(
      "patches:",
      "- patch: |-",
      "    apiVersion: ingest.geoportal.io/v1",
      "    kind: HarvestSource",
      "    metadata: { name: a, labels: { tier: null, new: x } }",
      "    spec: { sets: [z], delta: { mode: null }, backoff: { jitter: none } }",
    ),
  },
  {
    name: "a patch that names its source by its last name, from a file",
    files: {
      ...overlay("patches: [{ path: p.yaml }]"),
      "top/p.yaml":
        "apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: { name: b-a }\nspec:\n  delta:\n    $patch: replace\n    mode: snapshot\n",
    },
  },
  {
    name: "a patch for all that a target fits",
    files: overlay(
      "patches:",
      "- target: { kind: HarvestSource, name: 'b-[ab]' }",
      "  patch: |-",
      "    apiVersion: x/v1",
      "    kind: Other",
      "    metadata: { name: whatever }",
      "    spec: { suspend: true }",
    ),
  },
  {
    name: "a patch by label",
    files: overlay(
      "patches:",
      "- target: { labelSelector: 'tier in (gold, silver)' }",
      "  patch: |-",
      "    - { op: add, path: /spec/timeZone, value: Europe/Vienna }",
    ),
  },
  {
    name: "a patch whose target fits nothing",
    files: overlay(
      "patches:",
      "- target: { name: zz }",
      '  patch: \'[{"op": "remove", "path": "/spec/nothing"}]\'',
    ),
  },
  {
    name: "operations on fields and lists",
    files: {
      ...overlay("patches:", "- path: ops.yaml", "  target: { kind: HarvestSource, name: a }"),
      "top/ops.yaml": `- { op: test, path: /spec/metadataPrefix, value: oai_dc }
- { op: replace, path: /spec/schedule, value: "@daily" }
- { op: add, path: /spec/sets/0, value: first }
- { op: add, path: /spec/sets/-, value: last }
- { op: remove, path: /spec/sets/1 }
- { op: copy, from: /spec/sets/0, path: /spec/sets/- }
- { op: move, from: /spec/delta/mode, path: /metadata/labels/mode }
- { op: add, path: /metadata/annotations, value: { a~b: x } }
- { op: add, path: /metadata/annotations/c~1d, value: z }
`,
    },
  },
  {
    name: "a source taken away",
    files: overlay(
      "patches:",
      "- patch: |-",
      "    apiVersion: ingest.geoportal.io/v1",
      "    kind: HarvestSource",
      "    metadata: { name: c }",
      "    $patch: delete",
    ),
  },
  {
    name: "the older fields for patches",
    files: {
      ...overlay(
        "patchesStrategicMerge:",
        "- s.yaml",
        "patchesJson6902:",
        "- target: { group: ingest.geoportal.io, version: v1, kind: HarvestSource, name: a }",
        "  patch: |-",
        "    - { op: add, path: /spec/sets/-, value: w }",
      ),
      "top/s.yaml":
        "apiVersion: ingest.geoportal.io/v1\nkind: HarvestSource\nmetadata: { name: a }\nspec: { sets: [v] }\n",
    },
  },
  {
    name: "a component",
    files: {
      ...overlay("namePrefix: o-", "components: [../strict]"),
      "strict/kustomization.yaml":
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [d.yaml]\nnameSuffix: -k\npatches:\n- target: { kind: HarvestSource }\n  patch: \'[{"op": "add", "path": "/spec/suspend", "value": true}]\'\n',
      "strict/d.yaml": manifest("d"),
    },
  },
  {
    name: "a name that may change",
    files: overlay(
      "patches:",
      "- target: { kind: HarvestSource, name: a }",
      "  options: { allowNameChange: true }",
      "  patch: |-",
      "    apiVersion: ingest.geoportal.io/v1",
      "    kind: HarvestSource",
      "    metadata: { name: new }",
    ),
  },
  {
    name: "three layers",
    files: {
      ...overlay(
        "namePrefix: t-",
        "patches:",
        "- target: { kind: HarvestSource, name: a }",
        '  patch: \'[{"op": "replace", "path": "/spec/sets", "value": ["middle"]}]\'',
      ),
      "all/kustomization.yml":
        "resources: [../top]\nnamespace: north\npatches:\n- patch: |\n    apiVersion: ingest.geoportal.io/v1\n    kind: HarvestSource\n    metadata: { name: t-b-a }\n    spec: { limits: { maxPageBytes: 5 } }\n",
      "top/kustomization.yaml": "resources: [../base]\nnamePrefix: t-\n",
    },
  },
];

describe.skipIf(assets === undefined)("a kustomization with", () => {
  it.each(cases)("$name is built as kubectl builds it", ({ files }) => {
    policy(files);
    const path = "all/kustomization.yml" in files ? "all" : "top";
    expect(byLint(path)).toEqual(byKubectl(path));
  });

  it.each([
    { name: "a file that is not there", files: overlay("patches: [{ path: none.yaml }]") },
    {
      name: "a folder that is not there",
      files: { ...base, "top/kustomization.yaml": "resources: [../nothing]\n" },
    },
    {
      name: "a circle",
      files: {
        "top/kustomization.yaml": "resources: [../other]\n",
        "other/kustomization.yaml": "resources: [../top]\n",
      },
    },
    {
      name: "a patch for nobody",
      files: overlay(
        "patches:",
        "- patch: |-",
        "    apiVersion: ingest.geoportal.io/v1",
        "    kind: HarvestSource",
        "    metadata: { name: zz }",
      ),
    },
    {
      name: "an operation that cannot be done",
      files: overlay(
        "patches:",
        "- target: { kind: HarvestSource, name: a }",
        '  patch: \'[{"op": "remove", "path": "/spec/nothing"}]\'',
      ),
    },
    {
      name: "operations that are no JSON",
      files: overlay("patches:", "- target: { name: zz }", "  patch: '[{ op: remove, path: /spec/a }]'"),
    },
    { name: "a field that does not exist", files: overlay("namespaces: prod") },
  ])("$name fails in both", ({ files }) => {
    policy(files);
    expect(() => byKubectl("top")).toThrow();
    expect(() => byLint("top")).toThrow();
  });
});

describe("lint of a folder with kustomizations", () => {
  function told(...args: readonly string[]): readonly string[] {
    const { out } = folder.ask(["lint", ...args, "--json"]);
    const { findings } = JSON.parse(out) as {
      findings: { rule: string; place: { file: string; line: number; column: number } }[];
    };
    return findings.map(
      ({ rule, place }) => `${place.file}:${String(place.line)}:${String(place.column)} ${rule}`,
    );
  }

  it("points to the line where a value was written: in the base, a patch, or the kustomization", () => {
    policy({
      ...overlay(
        "commonAnnotations:",
        "  ingest.geoportal.io/lint-ignore: nonsense",
        "patches:",
        "- patch: |-",
        "    apiVersion: ingest.geoportal.io/v1",
        "    kind: HarvestSource",
        "    metadata: { name: a }",
        "    spec:",
        '      schedule: "0 0 31 2 *"',
        "      wrong: 1",
        "- target: { name: b }",
        "  path: p.yaml",
      ),
      "top/p.yaml": "- op: replace\n  path: /spec/metadataPrefix\n  value: marc\n",
    });
    expect(told("top")).toEqual([
      "top/kustomization.yaml:3:36 suppression/incomplete",
      "top/kustomization.yaml:11:7 schema/unknown-field",
      "top/p.yaml:3:10 prefix/no-transform",
    ]);
  });

  it("does not look twice at a base, nor call two overlays of it duplicates", () => {
    policy({
      ...base,
      "base/a.yaml": base["base/a.yaml"]!.replace("https:", "http:"),
      "prod/kustomization.yaml": "resources: [../base]\n",
      "test/kustomization.yaml": "resources: [../base]\n",
    });
    expect(told("base", "prod", "test")).toEqual(["base/a.yaml:7:12 transport/cleartext"]);
    expect(told("base")).toEqual(["base/a.yaml:7:12 transport/cleartext"]);
  });

  it("reads no file outside the repository, and fetches nothing", () => {
    const outside = new PolicyFolder({ "x.yaml": manifest("x") });
    policy({
      "top/kustomization.yaml": `resources:\n- https://user:secret@example.org/base?ref=v1\n- github.com/org/repo//base\n- ${join("../..", outside.path.split("/").at(-1)!, "x.yaml")}\n`,
    });
    const { out, code } = folder.ask(["lint", "top"]);
    outside.remove();
    expect(out).toContain("https://example.org/base lies elsewhere and is not fetched");
    expect(out).toContain("x.yaml lies outside the repository, and is not read.");
    expect(out.replace(/^ +\d+ \|.*$/gm, "")).not.toContain("secret");
    expect(code).toBe(1);
  });

  it("says where it does not follow, and what kustomize would refuse", () => {
    policy({
      "top/kustomization.yaml": "resources: [a.yaml]\nreplacements: []\nnamespaces: x\n",
      "top/a.yaml": manifest("a"),
    });
    expect(told("top").slice(0, 2)).toEqual([
      "top/kustomization.yaml:2:1 kustomize/not-followed",
      "top/kustomization.yaml:3:1 kustomize/build",
    ]);
  });

  it("lets an overlay hold back what a base breaks, for itself alone", () => {
    const ignore = "ingest.geoportal.io/lint-ignore: 'transport/cleartext until 2099-01-31: no TLS yet'";
    policy({
      "base/a.yaml": manifest("a").replace("https:", "http:"),
      "base/kustomization.yaml": "resources: [a.yaml]\n",
      "prod/kustomization.yaml": `resources: [../base]\ncommonAnnotations:\n  ${ignore}\n`,
    });
    expect(told("prod")).toEqual([]);
    folder.write({ "test/kustomization.yaml": "resources: [../base]\n" });
    expect(told("prod", "test")).toEqual(["base/a.yaml:6:12 transport/cleartext"]);
  });
});
