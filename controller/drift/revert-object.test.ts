import { describe, expect, it } from "vitest";
import { revertObject } from "./revert-object.js";
import type { HarvestSource } from "../../source/harvest-source.generated.js";
import type { JsonObject, LiveSource, ManagedFieldsEntry } from "../object.js";

function spec(more: object = {}): HarvestSource["spec"] {
  const fields = {
    baseUrl: "https://a.example/oai",
    metadataPrefix: "oai_dc",
    schedule: "0 * * * *",
    ...more,
  };
  return fields as unknown as HarvestSource["spec"];
}

function entry(
  manager: string,
  fieldsV1: JsonObject,
  operation: "Apply" | "Update" = "Update",
): ManagedFieldsEntry {
  return { manager, operation, fieldsType: "FieldsV1", fieldsV1 };
}

function live(
  annotations: Readonly<Record<string, string>>,
  managedFields: ManagedFieldsEntry[],
): LiveSource {
  const metadata = { name: "a", namespace: "default", uid: "u1", resourceVersion: "255" };
  return {
    apiVersion: "ingest.geoportal.io/v1",
    kind: "HarvestSource",
    metadata: { ...metadata, labels: { team: "a", mine: "no" }, annotations, managedFields },
    spec: spec({ suspend: true }),
  };
}

describe("revertObject", () => {
  it("is the delivered spec and what makes sure that it meets the object that was looked at", () => {
    const source = live({}, [entry("kubectl-edit", { "f:spec": {} })]);
    expect(revertObject(source, spec())).toEqual({
      apiVersion: "ingest.geoportal.io/v1",
      kind: "HarvestSource",
      metadata: { name: "a", namespace: "default", uid: "u1", resourceVersion: "255" },
      spec: spec(),
    });
  });

  it("repeats what the manager it is written under applied, and nothing of others", () => {
    const source = live({ note: "of the delivery" }, [
      entry("ci", { "f:metadata": { "f:annotations": { "f:note": {} } } }, "Apply"),
      entry("harvest-gitops", { "f:metadata": { "f:labels": { "f:team": {} } } }, "Apply"),
    ]);
    expect(revertObject(source, spec(), "ci").metadata).toEqual({
      ...{ name: "a", namespace: "default", uid: "u1", resourceVersion: "255" },
      annotations: { note: "of the delivery" },
    });
  });

  it("repeats what the own sync applied beside spec, or the server would remove it", () => {
    const revision = "ingest.geoportal.io/git-revision";
    const source = live({ [revision]: "main@sha1:abc", note: "not ours" }, [
      entry(
        "harvest-gitops",
        { "f:metadata": { "f:labels": { "f:team": {} }, "f:annotations": { [`f:${revision}`]: {} } } },
        "Apply",
      ),
      entry("kubectl-edit", { "f:spec": {} }),
    ]);
    expect(revertObject(source, spec()).metadata).toEqual({
      name: "a",
      namespace: "default",
      uid: "u1",
      resourceVersion: "255",
      labels: { team: "a" },
      annotations: { [revision]: "main@sha1:abc" },
    });
  });
});
