import { Flags } from "@oclif/core";
import type { LogLevel } from "../harvester/report/log.js";

/** What `run`, `dry-run` and `quarantine replay` have in common. */
export const runFlags = {
  secrets: Flags.string({
    summary:
      "Folder with one folder a secret (tls.crt, tls.key, ca.crt), laid out as Kubernetes mounts them.",
  }),
  threads: Flags.integer({
    summary: "Gate threads; as many as the processor has cores unless told.",
    min: 1,
    max: 64,
  }),
  "log-level": Flags.custom<LogLevel>({
    summary: "Write JSON log lines with the run id to standard error instead of a progress line.",
    options: ["debug", "info", "warn", "error"],
  })(),
};
