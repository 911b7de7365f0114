import { describe, expect, it } from "vitest";
import { recogniseDelivery, type RecognisedDelivery } from "./recognise-delivery.js";
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from "../object.js";

const spec = { "f:spec": {} };
const syncFields = {
  "f:metadata": { "f:annotations": { "f:ingest.geoportal.io/git-revision": {} } },
  "f:spec": {},
};

function by(manager: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return { manager, operation: "Apply", fieldsV1: spec, ...more };
}

describe("recogniseDelivery", () => {
  const table: {
    name: string;
    metadata: Partial<ObjectMeta>;
    deliveryManagers?: string[];
    expected: RecognisedDelivery | undefined;
  }[] = [
    { name: "nobody", metadata: { managedFields: [by("kubectl-create")] }, expected: undefined },
    {
      name: "Flux by its labels, its manager gone",
      metadata: {
        labels: { "kustomize.toolkit.fluxcd.io/name": "apps" },
        managedFields: [by("kubectl-replace", { operation: "Update" })],
      },
      expected: { engine: "flux" },
    },
    {
      name: "Flux by its manager",
      metadata: { managedFields: [by("kubectl-label", { fieldsV1: {} }), by("kustomize-controller")] },
      expected: { engine: "flux", manager: "kustomize-controller" },
    },
    {
      name: "Flux by a Helm release",
      metadata: {
        labels: { "helm.toolkit.fluxcd.io/name": "r" },
        managedFields: [by("helm-controller", { operation: "Update" })],
      },
      expected: { engine: "flux", manager: "helm-controller" },
    },
    {
      name: "Argo CD by its tracking id",
      metadata: {
        annotations: { "argocd.argoproj.io/tracking-id": "app:ingest.geoportal.io/HarvestSource:default/a" },
        managedFields: [by("argocd-controller")],
      },
      expected: { engine: "argocd", manager: "argocd-controller" },
    },
    {
      name: "Argo CD by its manager",
      metadata: { managedFields: [by("argocd-application-controller", { operation: "Update" })] },
      expected: { engine: "argocd", manager: "argocd-application-controller" },
    },
    {
      name: "not Argo CD by a label that Helm charts set too",
      metadata: { labels: { "app.kubernetes.io/instance": "a" } },
      expected: undefined,
    },
    {
      name: "the own sync, with its revision",
      metadata: {
        annotations: {
          "ingest.geoportal.io/git-revision": "main@sha1:abc",
          "ingest.geoportal.io/content-hash": "sha256:1",
        },
        managedFields: [by("harvest-gitops", { fieldsV1: syncFields })],
      },
      expected: { engine: "git-sync", manager: "harvest-gitops", revision: "main@sha1:abc" },
    },
    {
      name: "not the own sync where its manager only put spec back",
      metadata: { managedFields: [by("harvest-gitops")] },
      expected: undefined,
    },
    {
      name: "a pipeline by its stamp",
      metadata: {
        annotations: {
          "ingest.geoportal.io/content-hash": "sha256:1",
          "ingest.geoportal.io/git-revision": "main@sha1:abc",
        },
        managedFields: [by("kubectl-client-side-apply", { operation: "Update" })],
      },
      expected: { engine: "annotation", revision: "main@sha1:abc" },
    },
    {
      name: "a pipeline by its manager",
      metadata: { managedFields: [by("deploy-bot")] },
      deliveryManagers: ["deploy-bot"],
      expected: { engine: "managers", manager: "deploy-bot" },
    },
    {
      name: "a pipeline by its manager before its stamp",
      metadata: {
        annotations: { "ingest.geoportal.io/content-hash": "sha256:1" },
        managedFields: [by("deploy-bot", { fieldsV1: {} }), by("kubectl-edit")],
      },
      deliveryManagers: ["deploy-bot"],
      expected: { engine: "managers", manager: "deploy-bot" },
    },
    {
      name: "nobody by a status that a manager of theirs wrote",
      metadata: { managedFields: [by("deploy-bot", { subresource: "status" })] },
      deliveryManagers: ["deploy-bot"],
      expected: undefined,
    },
    {
      name: "Flux before the own sync",
      metadata: {
        labels: { "kustomize.toolkit.fluxcd.io/name": "apps" },
        managedFields: [by("harvest-gitops", { fieldsV1: syncFields })],
      },
      expected: { engine: "flux" },
    },
  ];
  it.each(table)("$name", ({ metadata, deliveryManagers = [], expected }) => {
    const live: KubeObject = { apiVersion: "v1", kind: "Any", metadata: { name: "a", ...metadata } };
    expect(recogniseDelivery(live, { deliveryManagers })).toEqual(expected);
  });
});
