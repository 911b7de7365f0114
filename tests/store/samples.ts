/** Small, readable values for tests of the store. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { CanonicalRecord } from "../../harvester/canonical.js";
import type { CursorKey } from "../../harvester/record.js";
import type { Batch, RecordChange, Refusal, RunEnd, RunStart } from "../../harvester/persist/store.js";

export const key: CursorKey = { endpoint: "https://repo.example/oai", set: "", prefix: "oai_dc" };

export function runStart(over: Partial<RunStart> = {}): RunStart {
  return {
    runId: "run-1",
    source: "county",
    endpoint: key.endpoint,
    prefix: key.prefix,
    policyDigest: "policy-1",
    holder: "pod-uid-1",
    manifest: { kind: "HarvestSource" },
    startedAt: "2026-11-30T00:00:00Z",
    ...over,
  };
}

export function runEnd(over: Partial<RunEnd> = {}): RunEnd {
  const counts = {
    requests: 2,
    bytes: 9,
    read: 1,
    inserted: 1,
    updated: 0,
    withdrawn: 0,
    unchanged: 0,
    quarantined: 0,
  };
  return {
    outcome: "complete",
    exitCode: 0,
    message: "Done.",
    counts,
    endedAt: "2026-11-30T00:01:00Z",
    summary: {},
    ...over,
  };
}

export function sha(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

export function canonical(title: string): CanonicalRecord {
  return {
    schema: 1,
    format: "oai_dc",
    title,
    otherIdentifiers: [],
    alternateTitles: [],
    dates: [],
    boundingBoxes: [],
    places: [],
    temporal: [],
    keywords: [],
    topics: [],
    contacts: [],
    links: [],
    formats: [],
    constraints: { access: [], use: [], texts: [] },
    languages: [],
    referenceSystems: [],
  };
}

/** A change whose body, title and checksums all follow from `content`. */
export function change(identifier: string, content: string, over: Partial<RecordChange> = {}): RecordChange {
  return {
    action: "insert",
    identifier,
    checksum: sha(content),
    rawChecksum: sha(`raw ${content}`),
    set: "",
    packed: gzipSync(`<r>${content}</r>`, { level: 1 }),
    canonical: canonical(content),
    about: [],
    remarks: [],
    ...over,
  };
}

export function refusal(identifier: string, over: Partial<Refusal> = {}): Refusal {
  return {
    identifier,
    set: "",
    violations: [
      {
        gate: "schematron",
        rule: "bbox-order",
        severity: "error",
        message: "West lies east of east.",
        xpath: "/r/b[1]",
        line: 112,
      },
      { gate: "schematron", rule: "no-abstract", severity: "warning", message: "There is no abstract." },
    ],
    packed: gzipSync(`<r>bad ${identifier}</r>`, { level: 1 }),
    rawChecksum: sha(`bad ${identifier}`),
    header: { datestamp: "2026-11-01T00:00:00Z", sets: ["a"] },
    ...over,
  };
}

export function batch(over: Partial<Batch> = {}): Batch {
  return { key, changes: [], touches: [], withdrawals: [], refusals: [], healed: [], ...over };
}

export function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("hex");
}
