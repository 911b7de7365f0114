import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { instantOf } from "../bounded-text.js";
import { readRuns } from "../runs/read-runs.js";
import { decideStatus } from "./decide-status.js";
import { acceptedVerdict, liveSource, statusInput } from "./inputs-for-tests.js";

const root = join(import.meta.dirname, "../..");
const crd = parse(readFileSync(join(root, "crds/ingest.geoportal.io_harvestsources.yaml"), "utf8")) as {
  spec: { versions: [{ schema: { openAPIV3Schema: { properties: { status: object } } } }] };
};
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addFormat("date-time", (text: string) => instantOf(text) !== undefined);
ajv.addFormat("int32", true);
ajv.addFormat("int64", true);
const valid = ajv.compile(crd.spec.versions[0].schema.openAPIV3Schema.properties.status);

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.integer({ min: 0, max: 6000 }).map((n) => "🗺".repeat(n)),
  fc.integer({ min: 0, max: 6000 }).map((n) => `${"x".repeat(n)}\ud83d\u0000\u001b[2J`),
);

describe("a status", () => {
  it("is one the CRD takes, whatever pods and people say", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 12, maxLength: 12 }), fc.jsonValue(), (texts, json) => {
        const text = (index: number) => texts[index] ?? "";
        const message = JSON.stringify({
          runId: text(0),
          outcome: "failed",
          code: text(1),
          message: text(2).slice(0, 3000),
          remedy: text(3).slice(0, 3000),
          policyDigest: text(4),
          notBefore: text(5),
          counts: json,
          totals: json,
          watermarks: [{ set: "", before: json, after: text(6) }],
        });
        const job = {
          apiVersion: "batch/v1",
          kind: "Job",
          metadata: { name: "harvest-county-1", uid: "j" },
          status: {
            conditions: [{ type: "Failed", status: "True", lastTransitionTime: "2026-11-30T06:00:00Z" }],
          },
        };
        const pod = {
          apiVersion: "v1",
          kind: "Pod",
          metadata: {
            name: "p",
            ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: "j" }],
          },
          status: {
            phase: "Failed",
            containerStatuses: [{ state: { terminated: { exitCode: 75, message } } }],
          },
        };
        const now = new Date("2026-11-30T12:00:00Z");
        const field = { field: text(7), delivered: text(8), live: text(9) };
        const fields = Array.from({ length: 40 }, (_, i) => ({
          ...field,
          field: `${String(i)}${field.field}`,
        }));
        const status = decideStatus(
          statusInput({
            source: liveSource(),
            runs: readRuns({ jobs: [job], pods: [pod], status: undefined, now }),
            verdict: { ...acceptedVerdict, childrenInPlace: false, childTrouble: text(10) },
            paused: { reason: text(10), problem: text(11) },
            delivery: { manager: text(0), revision: text(1), contentHash: text(2), configMapName: text(3) },
            drift: { manager: text(4), fields: [...fields, ...fields], moreFields: 3 },
            handledRequestedAt: text(5),
            nextRunTime: text(6),
          }),
        );
        expect([valid(status), valid.errors]).toEqual([true, null]);
        expect(status.drift?.fields).toHaveLength(32);
        expect(status.drift?.moreFields).toBe(11);
        expect(JSON.stringify(status)).not.toMatch(/\\u00[01]|\\ud83d/);
      }),
      { numRuns: 50 },
    );
  });
});
