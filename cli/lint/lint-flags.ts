import { Flags, type Interfaces } from "@oclif/core";
import { rootFlag } from "../base-command.js";

const FORMATS = ["text", "json", "sarif", "github", "junit"] as const;

/** What `harvestctl lint` can be told. */
export const lintFlags = {
  ...rootFlag,
  strict: Flags.boolean({ summary: "Warnings fail too." }),
  format: Flags.option({ options: FORMATS, default: "text" as const })({
    summary: "For people, programs, code scanning, pull requests, or CI servers.",
  }),
  verbose: Flags.boolean({ summary: "Show what manifests hold back and the baseline knows, too." }),
  baseline: Flags.string({ summary: "File of known findings, which do not count.", helpValue: "FILE" }),
  "write-baseline": Flags.string({
    summary: "Write what is found now as known findings.",
    helpValue: "FILE",
    exclusive: ["fix", "stdin"],
  }),
  stdin: Flags.boolean({ summary: "Read a manifest from standard input, as an editor holds it." }),
  "stdin-filename": Flags.string({
    summary: "Name of that manifest; in a folder that is named too, it takes the place of its file.",
    helpValue: "FILE",
    dependsOn: ["stdin"],
  }),
  fix: Flags.boolean({ summary: "Mend what can mean only one thing.", exclusive: ["stdin"] }),
  diff: Flags.boolean({ summary: "Show what --fix would do, and write nothing.", dependsOn: ["fix"] }),
};

export type LintFlags = Interfaces.InferredFlags<typeof lintFlags>;
