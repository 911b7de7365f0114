import { Args, Flags } from "@oclif/core";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { Fault } from "../../harvester/fault.js";
import { ClusterCommand, clusterFlags, type ClusterFlags } from "../cluster-command.js";
import { rootFlag } from "../base-command.js";
import { exitCode } from "../exit-codes.js";
import {
  reviewFormats,
  reviewReport,
  type ReportPage,
  type ReviewFormat,
} from "../format/review/review-report.js";
import { shownReview, type ShownReview } from "../format/review/shown-review.js";
import { verdict } from "../format/review/verdict.js";
import { liveFacts } from "../review/live-facts.js";
import { joinFacts } from "../review/join-facts.js";
import { reviewCommand } from "../review/review-command.js";
import { reviewPage } from "../review/review-page.js";
import { runReview, type FactsOf, type Reviewed } from "../review/run-review.js";
import { storeFacts } from "../review/store-facts.js";

export default class Diff extends ClusterCommand {
  static override summary = "Tell what a change of policy will do, before it is merged.";
  static override description = `Compares two states of manifests, rules, schemas and ceilings (commits, the working tree, folders) and tells what merging one will do to records, agencies and clusters. Where both are in Git the base is the commit at which the head left REF, as a pull request shows it.

With a store (DATABASE_URL, or .harvest/ in the policy root) figures are real; with --live the cluster is asked too.

Exit codes: 0 it could be told, also when much differs; 1 a consequence or a new finding is an error, or with --exit-code something differs; 2 it could not be done.`;
  static override examples = [
    "<%= config.bin %> diff --base origin/main",
    "<%= config.bin %> diff --base origin/main --out diff-report.md",
    "<%= config.bin %> diff --base v1.4 --head v1.5 harvest/endpoints --format json",
    "<%= config.bin %> diff --base ../policy-as-it-was --head . --exit-code",
  ];
  static override strict = false;
  static override args = {
    path: Args.string({
      description:
        "A manifest, or a folder of manifests; several may be named. Without any: all below --root.",
    }),
  };
  static override flags = {
    ...rootFlag,
    ...clusterFlags,
    base: Flags.string({ summary: "What it was: a commit, or a folder.", required: true }),
    head: Flags.string({ summary: "What it will be: a commit, or a folder; without it the working tree." }),
    out: Flags.string({ summary: "Write the report to this file." }),
    format: Flags.option({ options: reviewFormats })({
      summary: "Form of the report; without it by the name of --out, else text.",
    }),
    live: Flags.boolean({ summary: "Ask the cluster: edits nobody reviewed, and its verdict on the head." }),
    store: Flags.string({ summary: "Folder of the embedded store.", helpGroup: "GLOBAL" }),
    "exit-code": Flags.boolean({ summary: "End with 1 when something differs." }),
  };

  async run(): Promise<ShownReview> {
    const { argv, flags } = await this.parse(Diff);
    const paths = argv.map(String);
    const reviewed = await runReview({
      cwd: process.cwd(),
      base: flags.base,
      head: flags.head,
      manifests: paths,
      root: flags.root,
      now: new Date(),
      factsOf: this.factsOf(flags),
    });
    const shown = shownReview(reviewed);
    const format = flags.format ?? formatOf(flags.out);
    const page = reviewPage(reviewed, {
      theme: this.theme(),
      width: this.width(),
      version: this.config.version,
      command: reviewCommand(flags, paths),
    });
    await this.write(shown, { page, format, out: flags.out });
    this.finish(exitCodeOf(shown, { reviewed, demanding: flags["exit-code"] }));
    return shown;
  }

  private factsOf(
    flags: ClusterFlags & {
      readonly root: string;
      readonly store?: string | undefined;
      readonly live: boolean;
    },
  ): FactsOf {
    return async (trees, roots) => {
      const wish = { url: process.env["DATABASE_URL"], root: flags.root, directory: flags.store };
      const stored = await storeFacts(wish, trees, roots);
      if (!flags.live) return stored;
      const live = await this.withCluster(flags, (cluster) => liveFacts(cluster, trees));
      return joinFacts(stored, live);
    };
  }

  private async write(
    shown: ShownReview,
    {
      page,
      format,
      out,
    }: { readonly page: ReportPage; readonly format: ReviewFormat; readonly out?: string | undefined },
  ): Promise<void> {
    const text = reviewReport(shown, format, page);
    if (out === undefined) {
      this.log(text.trimEnd());
      return;
    }
    await writeFile(out, text).catch((cause: unknown) => {
      throw new Fault("config", {
        code: "NotWritten",
        sentence: `${out} could not be written: ${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}.`,
        remedy: "Check that its folder exists and may be written to.",
        cause,
      });
    });
    this.log(`${out}: ${verdict(shown)}`);
  }
}

function formatOf(out: string | undefined): ReviewFormat {
  if (out === undefined) return "text";
  const known: Readonly<Record<string, ReviewFormat>> = {
    ".json": "json",
    ".sarif": "sarif",
    ".txt": "text",
  };
  return known[extname(out).toLowerCase()] ?? "md";
}

function exitCodeOf(
  { counts, consequences }: ShownReview,
  { reviewed, demanding }: { readonly reviewed: Reviewed; readonly demanding: boolean },
): number {
  if (counts.errors > 0) return exitCode.findings;
  const { added, changed, renamed, removed } = counts;
  const differs = added + changed + renamed + removed > 0 || consequences.length > 0 || otherRules(reviewed);
  return demanding && differs ? exitCode.findings : exitCode.clean;
}

function otherRules({ base, head }: Reviewed): boolean {
  return JSON.stringify([...base.policyFiles].sort()) !== JSON.stringify([...head.policyFiles].sort());
}
