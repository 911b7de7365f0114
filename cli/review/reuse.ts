import { createHash } from "node:crypto";
import type { PolicyCheck } from "../../source/lint/lint-rule.js";
import type { Parsed } from "../../source/located-source.js";

/** What was worked out for one side and holds for the other, by what it was worked out from: cost follows the change. */
export interface Reuse {
  /** Manifests, by name and content. */
  readonly parsed: Map<string, Parsed>;
  /** Compiled policy files, by kind, entry and content of all they read. */
  readonly checks: Map<string, PolicyCheck>;
  /** What a policy file refers to, by content. */
  readonly references: Map<string, readonly string[]>;
}

export function emptyReuse(): Reuse {
  return { parsed: new Map(), checks: new Map(), references: new Map() };
}

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The value kept under this key; made, and kept, when there is none. */
export function remember<T>(kept: Map<string, T>, key: string, make: () => T): T {
  const found = kept.get(key);
  if (found !== undefined) return found;
  const made = make();
  kept.set(key, made);
  return made;
}
