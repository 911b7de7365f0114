import { describe, expect, it } from "vitest";
import { annotations, labels, managedBy } from "../../controller/names.js";
import { bundleConfigMap, bundleKey, bundleNames, type BundleConfigMap } from "./bundle-config-map.js";
import { packBundle } from "./pack-bundle.js";
import { readBundle, type ConfigMapFacts } from "./read-bundle.js";

const digest = "d1d45c592a80de9409899d349bdf36930d6f48f4baab251d0cde23fdc3861851";
const files = new Map<string, Uint8Array>([
  ["schemas/b.bin", Uint8Array.of(0xff, 0xfe)],
  ["rules/a.sch", Buffer.from("hello\n")],
]);

function made(namespace?: string): BundleConfigMap {
  const { kind, ...rest } = bundleConfigMap({ packed: packBundle(files), namespace });
  if (kind !== "made" || !("configMap" in rest)) throw new Error("too big");
  return rest.configMap;
}

describe("bundleConfigMap", () => {
  it("is immutable, named by content, and nobody's child", () => {
    const { binaryData, ...configMap } = made("harvest");
    expect(Object.keys(binaryData)).toEqual(["policy.json.gz"]);
    expect(configMap).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      immutable: true,
      metadata: {
        name: "harvest-policy-d1d45c592a80",
        namespace: "harvest",
        labels: {
          "app.kubernetes.io/name": "harvest-policy",
          "app.kubernetes.io/managed-by": "harvestctl",
          "ingest.geoportal.io/policy-bundle": "true",
        },
        annotations: {
          "ingest.geoportal.io/policy-digest": digest,
          "ingest.geoportal.io/policy-files": "2",
        },
      },
    });
  });

  it("speaks of labels and annotations as the controller does", () => {
    const { label, digest: annotation, managedBy: manager } = bundleNames;
    expect([label, annotation, manager]).toEqual([
      labels.policyBundle,
      annotations.bundleDigest,
      labels.managedBy,
    ]);
    expect(made().metadata.labels[managedBy.key]).not.toBe(managedBy.value);
  });

  it("is refused above 1 MiB, with by how much and what is biggest", () => {
    const big = { bytes: new Uint8Array(1_048_577), digest, files: 3, unpackedBytes: 9_000_000 };
    const biggest = [
      { path: "schemas/a.xsd", bytes: 8_000_000 },
      { path: "rules/b.sch", bytes: 1_000_000 },
    ];
    expect(bundleConfigMap({ packed: { ...big, biggest } })).toEqual({
      kind: "too-big",
      sentence: "The 3 files pack to 1048577 bytes, 1 more than the 1048576 a ConfigMap holds.",
      remedy:
        "Drop what no source names; the biggest files are schemas/a.xsd (8000000 bytes), rules/b.sch (1000000 bytes).",
    });
    const fits = { ...big, bytes: new Uint8Array(1_048_576), biggest };
    expect(bundleConfigMap({ packed: fits }).kind).toBe("made");
  });
});

type Change = (configMap: BundleConfigMap) => ConfigMapFacts;

const { metadata, binaryData } = made();
const packed = binaryData[bundleKey]!;

const unusable: readonly { name: string; given: Change; reason: string; says: readonly string[] }[] = [
  {
    name: "no data at all",
    given: () => ({ metadata }),
    reason: "BundleMissingData",
    says: ["has no binaryData.policy.json.gz"],
  },
  {
    name: "data of another kind",
    given: () => ({ metadata, binaryData: { [bundleKey]: 7 } }),
    reason: "BundleMissingData",
    says: ["has no binaryData.policy.json.gz"],
  },
  {
    name: "no annotation",
    given: (c) => ({ ...c, metadata: { name: metadata.name } }),
    reason: "BundleMissingData",
    says: ["has no annotation ingest.geoportal.io/policy-digest"],
  },
  {
    name: "an annotation that lies",
    given: (c) => ({
      ...c,
      metadata: { ...metadata, annotations: { [bundleNames.digest]: "f".repeat(64) } },
    }),
    reason: "BundleUntrue",
    says: [`its annotation says ${"f".repeat(64)}`, `its files have the digest ${digest}`],
  },
  {
    name: "a name that lies",
    given: (c) => ({ ...c, metadata: { ...metadata, name: "harvest-policy-0123456789ab" } }),
    reason: "BundleUntrue",
    says: ["its name says 0123456789ab", digest],
  },
  {
    name: "bytes that are no gzip",
    given: (c) => ({ ...c, binaryData: { [bundleKey]: "AAAA" } }),
    reason: "BundleUnreadable",
    says: ["The ConfigMap harvest-policy-d1d45c592a80 cannot be used. The bundle is no gzip"],
  },
  {
    name: "more than a ConfigMap can hold",
    given: (c) => ({ ...c, binaryData: { [bundleKey]: "A".repeat(1_800_000) } }),
    reason: "BundleTooBig",
    says: ["more than the 1048576 bytes"],
  },
];

describe("readBundle", () => {
  it("gives files and sorted paths of a true bundle", () => {
    expect(readBundle({ ...made() })).toEqual({
      kind: "usable",
      digest,
      files: new Map([
        ["rules/a.sch", Buffer.from("hello\n")],
        ["schemas/b.bin", Buffer.from([0xff, 0xfe])],
      ]),
      paths: ["rules/a.sch", "schemas/b.bin"],
    });
  });

  it("reads base64 in lines, and a name that promises no digest", () => {
    const lines = `${packed.replace(/.{20}/g, "$&\n")}\n`;
    const given = { metadata: { ...metadata, name: "policy" }, binaryData: { [bundleKey]: lines } };
    expect(readBundle(given)).toMatchObject({ kind: "usable", digest });
  });

  it.each(unusable)("$name", ({ given, reason, says }) => {
    const read = readBundle(given(made()));
    expect(read).toMatchObject({ kind: "unusable", reason });
    for (const text of says) expect(read).toHaveProperty("sentence", expect.stringContaining(text));
  });
});
