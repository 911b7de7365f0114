import { describe, expect, it } from "vitest";
import { decideSync, type LiveFacts, type SyncQuestion } from "./decide.js";
import { appliedObject } from "./desired.js";
import type { GitManifest } from "./read.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";

const revision = "main@sha1:abc";
const HASH = "ingest.geoportal.io/content-hash";
const REVISION = "ingest.geoportal.io/git-revision";

/** Stands in for drift's hash: the schedule alone. */
function contentHash(spec: HarvestSource["spec"]): string {
  return `hash of ${spec.schedule}`;
}

interface Wish {
  readonly namespace?: string | undefined;
  readonly schedule?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly file?: string;
}

function manifest(name: string, wish: Wish = {}): GitManifest {
  const { schedule = "@daily", labels, annotations, file = `${name}.yaml` } = wish;
  const namespace = "namespace" in wish ? wish.namespace : "geo";
  const spec = { schedule } as HarvestSource["spec"];
  const metadata = { name, namespace, labels, annotations };
  return {
    source: { apiVersion: "ingest.geoportal.io/v1", kind: "HarvestSource", metadata, spec },
    file,
    line: 4,
  };
}

/** Hashes of the inventory, by hand from the first decision below. */
function hashOf(one: GitManifest): string {
  return decideSync(question({ manifests: [one] })).inventory[0]!.hash;
}

function live(
  one: GitManifest,
  more: { engine?: string | undefined; annotations?: object; labels?: object } = {},
): LiveFacts {
  const engine = "engine" in more ? more.engine : "git-sync";
  const spec = one.source.spec;
  const { metadata } = one.source;
  const annotations = {
    [HASH]: contentHash(spec),
    [REVISION]: "main@sha1:old",
    ...metadata.annotations,
    ...more.annotations,
  };
  return {
    object: {
      ...one.source,
      metadata: {
        ...metadata,
        uid: `uid-${metadata.name}`,
        annotations,
        labels: { ...metadata.labels, ...more.labels },
      },
    },
    engine,
    contentHash: contentHash(spec),
  };
}

function question(more: Partial<SyncQuestion>): SyncQuestion {
  return {
    manifests: [],
    contentHash,
    revision,
    inventory: [],
    live: new Map(),
    namespaces: ["geo", "geo2"],
    maxDeletePercent: 20,
    deletionsConfirmed: false,
    ...more,
  };
}

const names = ["a", "b", "c", "d", "e"];
const five = names.map((name) => manifest(name));
const inventory = five.map((one) => ({ key: `geo/${one.source.metadata.name}`, hash: hashOf(one) }));
const applied = new Map(five.map((one) => [`geo/${one.source.metadata.name}`, live(one)]));

function outcome(more: Partial<SyncQuestion>) {
  const { refused, refusals, apply, prune, unchanged } = decideSync(question(more));
  return {
    refused,
    codes: refusals.map(({ code }) => code),
    apply: apply.map(({ key }) => key),
    prune: prune.map(({ key }) => key),
    unchanged,
  };
}

describe("decideSync", () => {
  const table: {
    name: string;
    given: Partial<SyncQuestion>;
    expected: Partial<ReturnType<typeof outcome>>;
  }[] = [
    {
      name: "the first pass",
      given: { manifests: [manifest("b"), manifest("a", { namespace: "geo2" })] },
      expected: { refused: false, apply: ["geo/b", "geo2/a"], prune: [], unchanged: 0 },
    },
    {
      name: "a quiet pass, though the revision is a new one",
      given: { manifests: five, inventory, live: applied },
      expected: { apply: [], prune: [], unchanged: 5, codes: [] },
    },
    {
      name: "a change in Git",
      given: {
        manifests: [...five.slice(1), manifest("a", { schedule: "@hourly" })],
        inventory,
        live: applied,
      },
      expected: { apply: ["geo/a"], unchanged: 4 },
    },
    {
      name: "a label that is new in Git",
      given: {
        manifests: [...five.slice(1), manifest("a", { labels: { x: "y" } })],
        inventory,
        live: applied,
      },
      expected: { apply: ["geo/a"] },
    },
    {
      name: "a label that is gone from Git",
      given: {
        manifests: five,
        inventory: [
          { key: "geo/a", hash: hashOf(manifest("a", { labels: { x: "y" } })) },
          ...inventory.slice(1),
        ],
        live: new Map([...applied, ["geo/a", live(five[0]!, { labels: { x: "y" } })]]),
      },
      expected: { apply: ["geo/a"], unchanged: 4 },
    },
    {
      name: "a spec changed by hand",
      given: {
        manifests: five,
        inventory,
        live: new Map([...applied, ["geo/a", { ...live(five[0]!), contentHash: "another" }]]),
      },
      expected: { apply: ["geo/a"] },
    },
    {
      name: "a stamp changed by hand",
      given: {
        manifests: five,
        inventory,
        live: new Map([...applied, ["geo/a", live(five[0]!, { annotations: { [HASH]: "x" } })]]),
      },
      expected: { apply: ["geo/a"] },
    },
    {
      name: "a label and an annotation of other people",
      given: {
        manifests: five,
        inventory,
        live: new Map([
          ...applied,
          ["geo/a", live(five[0]!, { annotations: { n: "x" }, labels: { t: "u" } })],
        ]),
      },
      expected: { apply: [] },
    },
    {
      name: "made by hand before: adopted",
      given: {
        manifests: five,
        inventory,
        live: new Map([...applied, ["geo/a", live(five[0]!, { engine: undefined })]]),
      },
      expected: { apply: ["geo/a"] },
    },
    {
      name: "deleted by hand: made again",
      given: { manifests: five, inventory, live: new Map([...applied].slice(1)) },
      expected: { apply: ["geo/a"] },
    },
    {
      name: "a file that is gone",
      given: { manifests: five.slice(1), inventory, live: applied },
      expected: { refused: false, apply: [], prune: ["geo/a"] },
    },
    {
      name: "one of two: a set may be small",
      given: { manifests: five.slice(1, 2), inventory: inventory.slice(0, 2), live: applied },
      expected: { refused: false, prune: ["geo/a"] },
    },
    {
      name: "three of five are gone",
      given: { manifests: five.slice(3), inventory, live: applied },
      expected: { refused: true, codes: ["too-many-deletions"], apply: [], prune: [] },
    },
    {
      name: "three of five, confirmed",
      given: { manifests: five.slice(3), inventory, live: applied, deletionsConfirmed: true },
      expected: { refused: false, prune: ["geo/a", "geo/b", "geo/c"] },
    },
    {
      name: "nothing is left, even when confirmed",
      given: { manifests: [], inventory, live: applied, deletionsConfirmed: true },
      expected: { refused: true, codes: ["empty"], prune: [] },
    },
    { name: "nothing at all, ever", given: {}, expected: { refused: true, codes: ["empty"] } },
    {
      name: "gone from Git, and asked to stay",
      given: {
        manifests: five.slice(1),
        inventory,
        live: new Map([
          ...applied,
          ["geo/a", live(five[0]!, { annotations: { "ingest.geoportal.io/prune": "disabled" } })],
        ]),
      },
      expected: { refused: false, codes: ["prune-disabled"], prune: [] },
    },
    {
      name: "gone from Git, and made anew by hand",
      given: {
        manifests: five.slice(1),
        inventory,
        live: new Map([...applied, ["geo/a", live(five[0]!, { engine: undefined })]]),
      },
      expected: { codes: ["prune-not-ours"], prune: [] },
    },
    {
      name: "gone from Git, and taken over by Flux",
      given: {
        manifests: five.slice(1),
        inventory,
        live: new Map([...applied, ["geo/a", live(five[0]!, { engine: "flux" })]]),
      },
      expected: { codes: ["prune-not-ours"], prune: [] },
    },
    {
      name: "gone from Git and from the cluster",
      given: { manifests: five.slice(1), inventory, live: new Map([...applied].slice(1)) },
      expected: { codes: [], prune: [] },
    },
    {
      name: "gone from Git, in a namespace no longer allowed",
      given: {
        manifests: five.slice(1),
        inventory: [...inventory, { key: "old/x", hash: "0".repeat(16) }],
        live: applied,
      },
      expected: { codes: ["prune-namespace"], prune: ["geo/a"] },
    },
    {
      name: "delivered by Flux and by Argo CD",
      given: {
        manifests: five,
        inventory,
        live: new Map([
          ...applied,
          ["geo/a", live(five[0]!, { engine: "flux" })],
          ["geo/b", live(five[1]!, { engine: "argocd" })],
        ]),
      },
      expected: { refused: false, codes: ["owned-by-another", "owned-by-another"], apply: [], unchanged: 3 },
    },
    {
      name: "two manifests of one name",
      given: { manifests: [manifest("a"), manifest("a", { file: "again.yaml" })] },
      expected: { refused: true, codes: ["duplicate"], apply: [] },
    },
    {
      name: "two manifests of one name in two namespaces",
      given: { manifests: [manifest("a"), manifest("a", { namespace: "geo2" })] },
      expected: { refused: false, apply: ["geo/a", "geo2/a"] },
    },
    {
      name: "a namespace that is not allowed",
      given: { manifests: [manifest("a"), manifest("b", { namespace: "kube-system" })] },
      expected: { refused: true, codes: ["namespace-not-allowed"], apply: [] },
    },
    {
      name: "no namespace, where there are several",
      given: { manifests: [manifest("a", { namespace: undefined })] },
      expected: { refused: true, codes: ["namespace-missing"] },
    },
    {
      name: "no namespace, where there is one",
      given: { manifests: [manifest("a", { namespace: undefined })], namespaces: ["geo"] },
      expected: { refused: false, apply: ["geo/a"] },
    },
  ];
  it.each(table)("$name", ({ given, expected }) => {
    expect(outcome(given)).toMatchObject(expected);
  });

  it("says where, why, and what next", () => {
    const { refusals } = decideSync(question({ manifests: five.slice(3), inventory, live: applied }));
    expect(refusals).toEqual([
      {
        code: "too-many-deletions",
        sentence:
          "main@sha1:abc would delete 3 of 5 sources (geo/a, geo/b, geo/c); at most 20 % are deleted at once. Nothing was applied.",
        remedy:
          "If it is meant, annotate ConfigMap harvest-gitops-inventory with ingest.geoportal.io/confirm-deletions=<commit>.",
      },
    ]);
    const other = question({ manifests: [manifest("a"), manifest("b", { namespace: "kube-system" })] });
    expect(decideSync(other).refusals).toEqual([
      {
        code: "namespace-not-allowed",
        sentence: "b.yaml:4: the Git sync may not write to the namespace kube-system of b.",
        remedy: "It may write to geo, geo2.",
      },
    ]);
  });

  it("keeps in its inventory what it applied, and no more what others own or what was let go", () => {
    const { inventory: after } = decideSync(
      question({
        manifests: five.slice(1),
        inventory,
        live: new Map([...applied, ["geo/b", live(five[1]!, { engine: "flux" })]]),
      }),
    );
    expect(after.map(({ key }) => key)).toEqual(["geo/c", "geo/d", "geo/e"]);
  });
});

describe("appliedObject", () => {
  it("is the manifest with its traces, whatever traces it came with", () => {
    const one = manifest("a", {
      labels: { x: "y" },
      annotations: { note: "n", [HASH]: "forged", [REVISION]: "forged" },
    });
    const { apply } = decideSync(question({ manifests: [one] }));
    expect(appliedObject(apply[0]!, revision)).toEqual({
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: {
        name: "a",
        namespace: "geo",
        labels: { x: "y" },
        annotations: { note: "n", [HASH]: "hash of @daily", [REVISION]: revision },
      },
      spec: { schedule: "@daily" },
    });
  });
});
