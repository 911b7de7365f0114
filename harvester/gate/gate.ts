/** What the gates need and answer. The work happens in worker threads (pool.ts); this is what crosses the boundary. */
import type { Verdict } from "../record.js";

/** One file of the policy bundle: path relative to the policy root, and its bytes. */
export interface PolicyFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Everything a worker compiles once. */
export interface GatePolicy {
  readonly prefix: string;
  /** Entry schemas, routed by the namespace of the record's root element; their imports lie in `files`. */
  readonly xsd: readonly string[];
  readonly schematron: readonly string[];
  readonly phase?: string;
  /** All files reachable from the entries, closed under import and include. */
  readonly files: readonly PolicyFile[];
  readonly limits: {
    readonly maxRecordBytes: number;
    readonly deadlineMs: number;
    readonly maxViolations: number;
  };
}

export interface GateJob {
  /** The payload, exactly one element, UTF-8. */
  readonly body: Uint8Array;
  /** Content checksum in the store: when equal the gates are not asked again. */
  readonly knownChecksum?: Uint8Array;
}

export interface Gates {
  /** Never rejects because of the record: a record that crashes or stalls the engine is refused with gate `engine`. */
  check(job: GateJob): Promise<Verdict>;
  close(): Promise<void>;
}
