/** Exit codes of harvestctl; `run` uses the codes of a run instead (harvester/fault.ts, docs/exit-codes.md). */
export const exitCode = {
  /** Nothing to report. */
  clean: 0,
  /** Findings, differences, unexpected verdicts. */
  findings: 1,
  /** The command could not do it: a path is missing, the store is locked, an option is wrong. */
  failed: 2,
} as const;
