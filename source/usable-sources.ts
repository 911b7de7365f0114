import type { Finding } from "./finding.js";
import { crossFieldFindings } from "./lint/cross-field.js";
import type { LocatedSource } from "./located-source.js";
import { parseManifests, type ParseOptions } from "./parse.js";

export interface UsableSources {
  readonly sources: readonly LocatedSource[];
  /** Findings of severity error: with one of them nothing of the file is to be run. */
  readonly errors: readonly Finding[];
}

/**
 * What a run accepts: the schema, and the rules between fields that admission would enforce. Whether the schedule and the
 * time zone mean something is lint's to say: a run that was started does not ask.
 */
export function usableSources(text: string | Uint8Array, options: ParseOptions): UsableSources {
  const { sources, findings } = parseManifests(text, options);
  const errors = [...findings, ...sources.flatMap(crossFieldFindings)].filter((f) => f.severity === "error");
  return { sources, errors };
}
