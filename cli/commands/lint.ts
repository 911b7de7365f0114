import { Args } from "@oclif/core";
import { stat } from "node:fs/promises";
import { Fault } from "../../harvester/fault.js";
import { BaseCommand } from "../base-command.js";
import { exitCode } from "../exit-codes.js";
import { lintWriters } from "../format/lint-report.js";
import type { FixedFile } from "../lint/fix-files.js";
import { gatherManifests, type Unsaved } from "../lint/gather-manifests.js";
import { judgeManifests } from "../lint/judge-manifests.js";
import { lintFlags, type LintFlags } from "../lint/lint-flags.js";
import type { LintReport } from "../lint/lint-report.js";
import { makeReport, type Linted } from "../lint/make-report.js";
import { readStdin } from "../lint/read-stdin.js";
import { repositoryPaths } from "../lint/repository-path.js";

export default class Lint extends BaseCommand {
  static override summary = "Check manifests before anybody runs them.";
  static override description = `Reads every HarvestSource in the files and folders named, and checks schema, fields that must fit each other, schedule, the schemas and rule sets it names, transform, and the fair-use ceilings summed over all sources of a host. What each rule means: harvestctl rules explain ID, docs/lint-rules.md.

Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> lint manifests/sources",
    "<%= config.bin %> lint manifests/sources/state-gis-clearinghouse.yaml --json",
    "<%= config.bin %> lint harvest/endpoints/ --root policy --strict",
    "<%= config.bin %> lint harvest/endpoints/ --format sarif > lint.sarif",
    "<%= config.bin %> lint harvest/endpoints/ --fix --diff",
    "<%= config.bin %> lint --stdin --stdin-filename sources/a.yaml --format json < sources/a.yaml",
  ];
  static override strict = false;
  static override args = {
    path: Args.string({
      description: "A manifest, or a folder of manifests; several may be named.",
      // A path is never read from standard input: there the manifest itself stands.
      ignoreStdin: true,
    }),
  };
  static override flags = lintFlags;

  async run(): Promise<LintReport> {
    const { argv, flags } = await this.parse(Lint);
    const paths = argv.map(String);
    await mustBeFolder(flags.root);
    if (paths.length === 0 && !flags.stdin) throw noPath();
    const fixed = await fixWhereAsked(paths, flags);
    const now = new Date();
    const path = repositoryPaths(process.cwd());
    const gathered = await gatherManifests(paths, await unsavedOf(flags));
    const judged = await judgeManifests(gathered, { root: flags.root, now, quick: flags.stdin });
    const report = await makeReport({ gathered, judged, flags, paths, now, path, fixed });
    await this.print(report, { gathered, judged, flags, now, path, fixed });
    const { errors, warnings } = report.counts;
    this.finish(errors > 0 || (flags.strict && warnings > 0) ? exitCode.findings : exitCode.clean);
    return report;
  }

  /** `--format json` is `--json`. */
  override jsonEnabled(): boolean {
    const format = this.argv.indexOf("--format");
    const asked = format >= 0 && this.argv[format + 1] === "json";
    return super.jsonEnabled() || asked || this.argv.includes("--format=json");
  }

  private async print(
    report: LintReport,
    { gathered, judged, flags, now, path, fixed }: Printed,
  ): Promise<void> {
    if (flags.format === "json") return;
    const page = { theme: this.theme(), width: this.width(), texts: judged.texts, now, path };
    if (fixed !== undefined && flags.format === "text") {
      const { fixesText } = await import("../format/fixed-files.js");
      this.log(fixesText(fixed, flags.diff, page.theme));
    }
    const { strict, verbose } = flags;
    const files = gathered.files.map((file) => file.path);
    const write = lintWriters[flags.format];
    this.log(write(report, { ...page, files, strict, verbose, version: this.config.version }));
  }
}

type Printed = Omit<Linted, "flags" | "paths"> & { readonly flags: LintFlags };

/** Writes what can be mended before anything is judged; with --diff it is only told. */
async function fixWhereAsked(
  paths: readonly string[],
  flags: LintFlags,
): Promise<readonly FixedFile[] | undefined> {
  if (!flags.fix) return undefined;
  const { planFixes, writeFixes } = await import("../lint/fix-files.js");
  const fixed = await planFixes(paths);
  if (!flags.diff) await writeFixes(fixed, paths);
  return fixed;
}

async function unsavedOf(flags: LintFlags): Promise<Unsaved | undefined> {
  if (!flags.stdin) return undefined;
  return { name: flags["stdin-filename"] ?? "stdin.yaml", bytes: await readStdin(process.stdin) };
}

function noPath(): Fault {
  return new Fault("config", {
    code: "NoPath",
    sentence: "No manifest and no folder was named.",
    remedy: "Name one, e.g. harvestctl lint manifests/sources, or use --stdin.",
  });
}

async function mustBeFolder(root: string): Promise<void> {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new Fault("config", {
    code: "NoRoot",
    sentence: `The policy root ${root} is not a folder.`,
    remedy: "Name with --root the folder that holds schemas/ and rules/.",
  });
}
