import { Args, Flags } from "@oclif/core";
import { stat } from "node:fs/promises";
import { Fault } from "../../harvester/fault.js";
import { compareFindings, type Finding } from "../../source/finding.js";
import { lint } from "../../source/lint/index.js";
import type { LocatedSource } from "../../source/located-source.js";
import { parseManifests } from "../../source/parse.js";
import { plannedRuns, type PlannedRuns } from "../../source/planned-runs.js";
import { BaseCommand, rootFlag } from "../base-command.js";
import { exitCode } from "../exit-codes.js";
import { countsText, findingsText } from "../format/findings.js";
import { plannedRunsText } from "../format/planned-runs.js";
import { gatherLintContext } from "../lint-context.js";
import { readManifestFiles, type ManifestFile } from "../manifest-files.js";

interface LintResult {
  readonly findings: readonly Finding[];
  readonly sources: readonly PlannedRuns[];
  readonly counts: {
    readonly sources: number;
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
  };
}

export default class Lint extends BaseCommand {
  static override summary = "Check manifests before anybody runs them.";
  static override description = `Reads every HarvestSource in the files and folders named, and checks schema, fields that must fit each other, schedule, the schemas and rule sets it names, transform, and the fair-use ceilings summed over all sources of a host.

Exit codes: 0 no errors, 1 errors (with --strict also warnings), 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> lint manifests/sources",
    "<%= config.bin %> lint manifests/sources/state-gis-clearinghouse.yaml --json",
    "<%= config.bin %> lint harvest/endpoints/ --root policy --strict",
  ];
  static override strict = false;
  static override args = {
    path: Args.string({
      description: "A manifest, or a folder of manifests; several may be named.",
      required: true,
    }),
  };
  static override flags = {
    ...rootFlag,
    strict: Flags.boolean({ summary: "Warnings fail too." }),
  };

  async run(): Promise<LintResult> {
    const { argv, flags } = await this.parse(Lint);
    await mustBeFolder(flags.root);
    const now = new Date();
    const files = await readManifestFiles(argv.map(String));
    const { sources, findings: parsing } = parseAll(files);
    const gathered = await gatherLintContext(flags.root, sources, now);
    const findings = [...parsing, ...gathered.findings, ...lint(sources, gathered.context)].sort(
      compareFindings,
    );
    const plans = sources.flatMap(({ source }) => plannedRuns(source, now) ?? []);
    const result = { findings, sources: plans, counts: countsOf(sources, findings) };
    this.print(result, new Map([...gathered.texts, ...textsOf(files, findings)]), now);
    const { errors, warnings } = result.counts;
    this.finish(errors > 0 || (flags.strict && warnings > 0) ? exitCode.findings : exitCode.clean);
    return result;
  }

  private print(result: LintResult, texts: ReadonlyMap<string, string>, now: Date): void {
    const context = { theme: this.theme(), width: this.width(), texts };
    if (result.findings.length > 0) this.log(`${findingsText(result.findings, context)}\n`);
    this.log(countsText(result.counts.sources, result.findings));
    if (result.sources.length > 0) this.log(plannedRunsText(result.sources, now));
  }
}

function parseAll(files: readonly ManifestFile[]): {
  readonly sources: readonly LocatedSource[];
  readonly findings: readonly Finding[];
} {
  const parsed = files.map(({ path, bytes, named }) => parseManifests(bytes, { file: path, named }));
  return {
    sources: parsed.flatMap(({ sources }) => sources),
    findings: parsed.flatMap(({ findings }) => findings),
  };
}

function countsOf(sources: readonly LocatedSource[], findings: readonly Finding[]): LintResult["counts"] {
  const count = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) count[severity] += 1;
  return { sources: sources.length, errors: count.error, warnings: count.warning, infos: count.info };
}

/** Only the files that are quoted. */
function textsOf(
  files: readonly ManifestFile[],
  findings: readonly Finding[],
): readonly (readonly [string, string])[] {
  const quoted = new Set(findings.map(({ place }) => place.file));
  return files
    .filter(({ path }) => quoted.has(path))
    .map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)] as const);
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
