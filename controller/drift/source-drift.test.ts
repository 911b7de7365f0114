import { describe, expect, it } from "vitest";
import { contentHash } from "./content-hash.js";
import { sourceDrift, type DeliveredSpec, type SourceDrift } from "./source-drift.js";
import type { HarvestSource, HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { JsonObject, LiveSource, ManagedFieldsEntry } from "../object.js";
import type { DriftMode } from "../settings.js";

type Fields = Readonly<Record<string, unknown>>;
type Spec = HarvestSource["spec"];

const now = new Date("2026-12-01T02:00:00Z");
const DELIVERED_AT = "2026-12-01T00:52:29Z";
const EDITED_AT = "2026-12-01T00:52:34Z";

function spec(more: Fields = {}): Spec {
  return {
    baseUrl: "https://a.example/oai",
    metadataPrefix: "oai_dc",
    schedule: "0 * * * *",
    concurrency: { maxRequests: 2 },
    ...more,
  } as unknown as Spec;
}

function entry(
  manager: string,
  fieldsV1: JsonObject,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry {
  return { manager, operation: "Update", time: EDITED_AT, fieldsType: "FieldsV1", fieldsV1, ...more };
}

// managedFields as a kube-apiserver 1.37 has them for spec with x-kubernetes-map-type: atomic: whoever wrote it last owns
// it whole, and the manager before keeps an entry only for what else it owns.
const LABELS: JsonObject = { "f:metadata": { "f:labels": { "f:team": {} } } };
const SPEC: JsonObject = { "f:spec": {} };

/** As the delivery left it: applied server-side with a label. */
function applied(manager: string): ManagedFieldsEntry[] {
  return [entry(manager, { ...LABELS, ...SPEC }, { operation: "Apply", time: DELIVERED_AT })];
}

/** After somebody else wrote spec. */
function edited(manager: string, by: string): ManagedFieldsEntry[] {
  return [entry(manager, LABELS, { operation: "Apply", time: DELIVERED_AT }), entry(by, SPEC)];
}

interface Given {
  readonly spec?: Fields;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly status?: HarvestSourceStatus;
}

function live({ spec: more, managedFields, annotations, labels, status }: Given): LiveSource {
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: {
      name: "a",
      namespace: "default",
      uid: "u1",
      resourceVersion: "255",
      labels: { team: "a", ...labels },
      ...(annotations === undefined ? {} : { annotations }),
      ...(managedFields === undefined ? {} : { managedFields }),
    },
    spec: spec(more),
    ...(status === undefined ? {} : { status }),
  };
}

const kept: DeliveredSpec = {
  spec: spec(),
  revision: "main@sha1:abc",
  configMapName: "harvest-a-0011223344",
};
const fluxLabels = { "kustomize.toolkit.fluxcd.io/name": "apps" };
const stampOf = (more: Fields = {}) => ({ "ingest.geoportal.io/content-hash": contentHash(spec(more)) });

function look(
  given: Given,
  more: { delivered?: DeliveredSpec; mode?: DriftMode; managers?: string[] } = {},
): SourceDrift {
  const { delivered, mode = "revert", managers = ["deploy-bot"] } = more;
  const settings = { mode, deliveryManagers: managers };
  return sourceDrift({ live: live(given), ...(delivered === undefined ? {} : { delivered }), settings, now });
}

describe("twelve kinds of hand edit on what deploy-bot delivered", () => {
  const table: {
    name: string;
    given: Given;
    expected:
      | { kind: "delivered" }
      | { kind: "untracked" }
      | { kind: "drifted"; manager?: string; fields: { field: string; delivered?: string; live?: string }[] };
  }[] = [
    {
      name: "1 schedule changed by kubectl patch",
      given: { spec: { schedule: "5 * * * *" }, managedFields: edited("deploy-bot", "kubectl-patch") },
      expected: {
        kind: "drifted",
        manager: "kubectl-patch",
        fields: [{ field: "spec.schedule", delivered: '"0 * * * *"', live: '"5 * * * *"' }],
      },
    },
    {
      name: "2 suspend added by kubectl edit",
      given: { spec: { suspend: true }, managedFields: edited("deploy-bot", "kubectl-edit") },
      expected: {
        kind: "drifted",
        manager: "kubectl-edit",
        fields: [{ field: "spec.suspend", delivered: "false", live: "true" }],
      },
    },
    {
      name: "3 sets added by kubectl replace",
      given: { spec: { sets: ["water"] }, managedFields: edited("deploy-bot", "kubectl-replace") },
      expected: {
        kind: "drifted",
        manager: "kubectl-replace",
        fields: [{ field: "spec.sets", live: '["water"]' }],
      },
    },
    {
      name: "4 a value removed, so that its default holds",
      given: { spec: { concurrency: {} }, managedFields: edited("deploy-bot", "kubectl-patch") },
      expected: {
        kind: "drifted",
        manager: "kubectl-patch",
        fields: [{ field: "spec.concurrency.maxRequests", delivered: "2", live: "1" }],
      },
    },
    {
      name: "5 a nested value changed by a tool with a name of its own",
      given: { spec: { concurrency: { maxRequests: 9 } }, managedFields: edited("deploy-bot", "node-fetch") },
      expected: {
        kind: "drifted",
        manager: "node-fetch",
        fields: [{ field: "spec.concurrency.maxRequests", delivered: "2", live: "9" }],
      },
    },
    {
      name: "6 baseUrl changed by another server-side apply",
      given: {
        spec: { baseUrl: "https://b.example/oai" },
        managedFields: [
          entry("deploy-bot", LABELS, { operation: "Apply", time: DELIVERED_AT }),
          entry("other", { ...LABELS, ...SPEC }, { operation: "Apply" }),
        ],
      },
      expected: {
        kind: "drifted",
        manager: "other",
        fields: [
          { field: "spec.baseUrl", delivered: '"https://a.example/oai"', live: '"https://b.example/oai"' },
        ],
      },
    },
    {
      name: "7 another manifest by kubectl apply",
      given: {
        spec: { schedule: "5 * * * *", suspend: true, concurrency: { maxRequests: 2 } },
        managedFields: [
          entry("deploy-bot", LABELS, { operation: "Apply", time: DELIVERED_AT }),
          entry("kubectl-client-side-apply", {
            "f:metadata": {
              "f:annotations": { ".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {} },
            },
            ...SPEC,
          }),
        ],
      },
      expected: {
        kind: "drifted",
        manager: "kubectl-client-side-apply",
        fields: [
          { field: "spec.schedule", delivered: '"0 * * * *"', live: '"5 * * * *"' },
          { field: "spec.suspend", delivered: "false", live: "true" },
        ],
      },
    },
    {
      name: "8 labels, annotations, the brake and a run asked for",
      given: {
        labels: { x: "y" },
        annotations: {
          note: "hello",
          "ingest.geoportal.io/paused": "server move",
          "ingest.geoportal.io/requestedAt": "2026-12-01T01:00:00Z",
        },
        managedFields: [
          ...applied("deploy-bot"),
          entry("kubectl-annotate", { "f:metadata": { "f:annotations": { ".": {}, "f:note": {} } } }),
          entry("harvest-controller", { "f:metadata": { "f:finalizers": { ".": {} } } }),
        ],
      },
      expected: { kind: "delivered" },
    },
    {
      name: "9 a status written by hand",
      given: {
        managedFields: [
          ...applied("deploy-bot"),
          entry("kubectl-patch", { "f:status": { "f:summary": {} } }, { subresource: "status" }),
        ],
      },
      expected: { kind: "delivered" },
    },
    {
      name: "10 an edit that was edited back",
      given: { spec: { suspend: false }, managedFields: edited("deploy-bot", "kubectl-patch") },
      expected: { kind: "delivered" },
    },
    {
      name: "11 deleted and made anew by hand, with another spec",
      given: { spec: { suspend: true }, managedFields: [entry("kubectl-create", { ...LABELS, ...SPEC })] },
      expected: { kind: "untracked" },
    },
    {
      name: "12 changed by two managers, one after the other: the last owns spec",
      given: {
        spec: { suspend: true, schedule: "5 * * * *" },
        managedFields: [
          ...edited("deploy-bot", "kubectl-edit").slice(0, 1),
          entry("kubectl-annotate", { "f:metadata": { "f:annotations": { "f:x": {} } } }),
          entry("kubectl-edit", SPEC, { time: "2026-12-01T01:30:00Z" }),
        ],
      },
      expected: {
        kind: "drifted",
        manager: "kubectl-edit",
        fields: [
          { field: "spec.schedule", delivered: '"0 * * * *"', live: '"5 * * * *"' },
          { field: "spec.suspend", delivered: "false", live: "true" },
        ],
      },
    },
  ];
  it.each(table)("$name", ({ given, expected }) => {
    expect(look(given, { delivered: kept })).toMatchObject(expected);
  });
});

describe("what is delivered", () => {
  it("says by whom, which hash, and where it is kept", () => {
    expect(look({ managedFields: applied("deploy-bot") }, { delivered: kept })).toEqual({
      kind: "delivered",
      delivery: {
        engine: "managers",
        manager: "deploy-bot",
        revision: "main@sha1:abc",
        contentHash: contentHash(spec()),
        configMapName: "harvest-a-0011223344",
      },
    });
  });

  const table: { name: string; given: Given; delivered?: DeliveredSpec }[] = [
    {
      name: "a new spec by the delivery",
      given: { spec: { suspend: true }, managedFields: applied("deploy-bot") },
      delivered: kept,
    },
    { name: "the first look, nothing kept", given: { managedFields: applied("deploy-bot") } },
    {
      name: "a spec two managers agree on",
      given: { spec: { suspend: true }, managedFields: [...applied("deploy-bot"), ...applied("other")] },
      delivered: kept,
    },
    {
      name: "a spec we put back",
      given: { managedFields: edited("deploy-bot", "harvest-gitops") },
      delivered: kept,
    },
    {
      name: "a stamped spec, whoever wrote it",
      given: { annotations: stampOf(), managedFields: [entry("kubectl-client-side-apply", SPEC)] },
    },
    {
      name: "a spec stamped by an older version with fewer defaults, as noted when it came",
      given: {
        annotations: { "ingest.geoportal.io/content-hash": "sha256:older" },
        status: { delivery: { engine: "annotation", contentHash: "sha256:older" } },
      },
      delivered: kept,
    },
    {
      name: "the remembered spec, its traces wiped",
      given: { status: { delivery: { engine: "annotation", contentHash: contentHash(spec()) } } },
    },
    { name: "an object without managedFields that Flux labelled", given: { labels: fluxLabels } },
  ];
  it.each(table)("$name", ({ given, delivered }) => {
    expect(look(given, delivered === undefined ? {} : { delivered })).toMatchObject({ kind: "delivered" });
  });

  it("names the kept spec no more when another was delivered", () => {
    const found = look(
      { spec: { suspend: true }, managedFields: applied("deploy-bot") },
      { delivered: kept },
    );
    expect(found).toMatchObject({ delivery: { contentHash: contentHash(spec({ suspend: true })) } });
    expect(found.kind === "delivered" && "configMapName" in found.delivery).toBe(false);
  });

  it("is nobody's business where nobody delivers", () => {
    expect(look({ managedFields: applied("me") }, { delivered: kept })).toEqual({ kind: "untracked" });
  });
});

describe("what has drifted", () => {
  const byHand: Given = { spec: { suspend: true }, managedFields: edited("deploy-bot", "kubectl-edit") };
  const fluxByHand: Given = {
    spec: { suspend: true },
    labels: fluxLabels,
    managedFields: edited("kustomize-controller", "kubectl-edit"),
  };

  const actions: {
    name: string;
    given: Given;
    mode: DriftMode;
    delivered?: DeliveredSpec;
    action: DriftMode;
  }[] = [
    { name: "is put back", given: byHand, mode: "revert", delivered: kept, action: "revert" },
    { name: "is told", given: byHand, mode: "warn", delivered: kept, action: "warn" },
    { name: "is let be", given: byHand, mode: "off", delivered: kept, action: "off" },
    { name: "is left to Flux", given: fluxByHand, mode: "revert", delivered: kept, action: "warn" },
    {
      name: "is left to Argo CD",
      given: {
        ...byHand,
        annotations: { "argocd.argoproj.io/tracking-id": "x" },
      },
      mode: "revert",
      delivered: kept,
      action: "warn",
    },
    {
      name: "follows the annotation",
      given: { ...byHand, annotations: { "ingest.geoportal.io/drift": "off" } },
      mode: "revert",
      delivered: kept,
      action: "off",
    },
    {
      name: "follows the annotation the other way",
      given: { ...byHand, annotations: { "ingest.geoportal.io/drift": "revert" } },
      mode: "off",
      delivered: kept,
      action: "revert",
    },
    {
      name: "does not let the annotation fight Flux",
      given: { ...fluxByHand, annotations: { "ingest.geoportal.io/drift": "revert" } },
      mode: "warn",
      delivered: kept,
      action: "warn",
    },
    {
      name: "cannot be put back when nobody knows to what",
      given: { ...fluxByHand, labels: {}, annotations: stampOf() },
      mode: "revert",
      action: "warn",
    },
    {
      name: "is not put back to a spec from before the stamped one",
      given: { ...byHand, annotations: stampOf({ schedule: "7 * * * *" }) },
      mode: "revert",
      delivered: kept,
      action: "warn",
    },
    {
      name: "is put back to the stamped spec",
      given: { ...byHand, annotations: stampOf() },
      mode: "revert",
      delivered: kept,
      action: "revert",
    },
    {
      name: "is put back although its stamp was made to fit, where the hand counts",
      given: { ...byHand, annotations: stampOf({ suspend: true }) },
      mode: "revert",
      delivered: kept,
      action: "revert",
    },
  ];
  it.each(actions)("$name", ({ given, mode, delivered, action }) => {
    expect(look(given, delivered === undefined ? { mode } : { mode, delivered })).toMatchObject({
      kind: "drifted",
      action,
    });
  });

  it("says what, by whom, when, and what happens next", () => {
    expect(look(byHand, { delivered: kept })).toEqual({
      kind: "drifted",
      delivery: {
        engine: "managers",
        manager: "deploy-bot",
        revision: "main@sha1:abc",
        contentHash: contentHash(spec()),
        configMapName: "harvest-a-0011223344",
      },
      fields: [{ field: "spec.suspend", delivered: "false", live: "true" }],
      moreFields: 0,
      manager: "kubectl-edit",
      time: "2026-12-01T00:52:34Z",
      action: "revert",
      sentence:
        "spec is not what was delivered (main@sha1:abc): spec.suspend false → true. Last written by kubectl-edit at 2026-12-01T00:52:34Z. It is put back. To keep the change, commit it to Git.",
    });
  });

  const sentences: {
    name: string;
    given: Given;
    delivered?: DeliveredSpec;
    mode?: DriftMode;
    sentence: string;
  }[] = [
    {
      name: "Flux, and more than three fields",
      given: {
        ...fluxByHand,
        spec: {
          suspend: true,
          schedule: "5 * * * *",
          timeZone: "Europe/Paris",
          sets: ["a"],
          concurrency: {},
        },
      },
      delivered: { spec: spec() },
      sentence:
        'spec is not what Flux delivered: spec.concurrency.maxRequests 2 → 1, spec.schedule "0 * * * *" → "5 * * * *", spec.sets absent → ["a"], and 2 more. Last written by kubectl-edit at 2026-12-01T00:52:34Z. It is left to Flux to put back. To keep the change, commit it to Git.',
    },
    {
      name: "nobody knows what was delivered",
      given: fluxByHand,
      sentence:
        "spec is not what Flux delivered: somebody else wrote it last, and the delivered spec is not known, so the fields cannot be named. Last written by kubectl-edit at 2026-12-01T00:52:34Z. It is left to Flux to put back. To keep the change, commit it to Git.",
    },
    {
      name: "a stamp that fits nothing, and a misspelt mode",
      given: {
        annotations: { "ingest.geoportal.io/content-hash": "mine", "ingest.geoportal.io/drift": "of" },
        managedFields: [entry("kubectl-edit", SPEC)],
      },
      mode: "warn",
      sentence:
        'spec is not what was delivered: its content hash is another, and the delivered spec is not known, so the fields cannot be named. Last written by kubectl-edit at 2026-12-01T00:52:34Z. It stays until the next delivery: deliver again, or commit the change to Git. The annotation ingest.geoportal.io/drift must be revert, warn or off; it is "of" and was ignored.',
    },
    {
      name: "a time that has not come yet is not repeated",
      given: {
        spec: { suspend: true },
        managedFields: [
          entry("deploy-bot", LABELS),
          entry("kubectl-edit", SPEC, { time: "2999-01-01T00:00:00Z" }),
        ],
      },
      delivered: { spec: spec() },
      mode: "off",
      sentence:
        "spec is not what was delivered: spec.suspend false → true. Last written by kubectl-edit. It stays: drift is off for this source.",
    },
  ];
  it.each(sentences)("$name", ({ given, delivered, mode = "revert", sentence }) => {
    const found = look(given, delivered === undefined ? { mode } : { mode, delivered });
    expect(found.kind === "drifted" && found.sentence).toBe(sentence);
  });

  it("keeps what it tells within the bounds of the status", () => {
    const sets = Array.from({ length: 256 }, (_, i) => `${"s".repeat(250)}${String(i)}`);
    const found = look(
      {
        spec: { sets },
        annotations: { "ingest.geoportal.io/git-revision": "r".repeat(1000) },
        managedFields: [entry("deploy-bot", LABELS), entry("k".repeat(500), SPEC)],
      },
      { delivered: { spec: spec({ sets: ["other"] }) } },
    );
    expect(found).toMatchObject({ kind: "drifted", moreFields: 257 - 32 });
    if (found.kind !== "drifted") return;
    expect(found.fields).toHaveLength(32);
    expect(Math.max(...found.fields.map(({ field }) => field.length))).toBeLessThanOrEqual(512);
    expect(found.manager).toHaveLength(128);
    expect(found.delivery.revision).toHaveLength(256);
    expect(found.sentence.length).toBeLessThanOrEqual(1024);
  });
});
