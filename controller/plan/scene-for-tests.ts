/** What one decision is made from, for the tables of this room. */
import { packBundle } from "../../source/bundle/pack-bundle.js";
import { located } from "../located.js";
import type { KubeObject, LiveSource } from "../object.js";
import type { Observed } from "../observed.js";
import { liveSource } from "../render/inputs-for-tests.js";

const ceilings = "hosts:\n  metadata.state.example.gov: { maxRequests: 10 }\n";

/** A policy with one rule set, one schema and ceilings. */
const files = new Map([
  ["rules/fair-use.yaml", Buffer.from(ceilings)],
  ["rules/geo.sch", Buffer.from("<schema/>")],
  ["schemas/iso.xsd", Buffer.from("<schema/>")],
]);

/** An accepted source nothing of which is in the cluster yet. */
export function observed(source: LiveSource = liveSource(), more: Partial<Observed> = {}): Observed {
  const { sources, errors } = located(source);
  return {
    source,
    errors,
    neighbours: sources,
    bundle: { kind: "usable", digest: packBundle(files).digest, files, paths: [...files.keys()] },
    configMaps: [],
    jobs: [],
    pods: [],
    ...more,
  };
}

/** As the API server gives it back: uid, resource version, and us as the only owner of fields. */
export function asApplied(object: KubeObject, uid = `uid-${object.kind}`): KubeObject {
  const { apiVersion, kind, metadata, ...content } = object;
  const fieldsV1 = Object.fromEntries(Object.keys(content).map((field) => [`f:${field}`, {}]));
  return {
    ...object,
    metadata: {
      ...metadata,
      uid,
      resourceVersion: "7",
      managedFields: [
        { manager: "harvest-controller", operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1 },
      ],
    },
    kind,
  };
}

export function job(
  role: string,
  {
    end,
    name = "harvest-state-w1",
    deleting = false,
  }: { end?: string; name?: string; deleting?: boolean } = {},
): KubeObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: "geo",
      uid: `uid-${name}`,
      labels: { "ingest.geoportal.io/role": role },
      ...(deleting && { deletionTimestamp: "2026-11-30T12:00:00Z" }),
    },
    status: { conditions: end === undefined ? [] : [{ type: end, status: "True" }] },
  };
}
