import { ruleCatalogue } from "../../source/lint/rule-catalogue.js";
import type { LintReport } from "../lint/lint-report.js";
import type { Theme } from "./colour.js";
import { countsText, findingsText } from "./findings.js";
import { githubAnnotations } from "./github-annotations.js";
import { junitText } from "./junit.js";
import { plannedRunsText } from "./planned-runs.js";
import { sarifText, type SuppressedFinding } from "./sarif/sarif-log.js";
import { plural } from "./words.js";

export interface ReportPage {
  readonly theme: Theme;
  /** Columns. */
  readonly width: number;
  /** Texts of the files that findings point to. */
  readonly texts: ReadonlyMap<string, string>;
  readonly now: Date;
  /** Every file that was looked at. */
  readonly files: readonly string[];
  /** Name of a file in findings → path from the top of the repository. */
  readonly path: (file: string) => string;
  readonly strict: boolean;
  /** True: what is held back or known is shown too. */
  readonly verbose: boolean;
  /** Of harvestctl. */
  readonly version: string;
  /** Where a rule is explained, if it is anywhere. */
  readonly helpUri?: string;
}

type Writer = (report: LintReport, page: ReportPage) => string;

/** The formats of `harvestctl lint`; JSON is the report itself. */
export const lintWriters: Readonly<Record<"text" | "sarif" | "github" | "junit", Writer>> = {
  text,
  sarif: (report, page) => sarif(report, page).trimEnd(),
  github: (report, { path, width, theme, texts }) =>
    [githubAnnotations(report.findings, { path }), summary(report, { width, theme, texts })]
      .filter((part) => part !== "")
      .join("\n"),
  junit: ({ findings, suppressed }, { files, strict, path }) =>
    junitText({ findings, suppressed, files, strict, path }).trimEnd(),
};

function text(report: LintReport, page: ReportPage): string {
  const parts = [
    findingsText(report.findings, page),
    ...(page.verbose ? [heldBack(report, page), known(report, page)] : []),
    [summary(report, page), plannedRunsText(report.sources, page.now)]
      .filter((part) => part !== "")
      .join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** "3 sources, 0 errors, 1 warning. 2 findings are held back (--verbose shows them)." */
function summary(
  { counts, findings }: LintReport,
  page: Pick<ReportPage, "width" | "theme" | "texts"> & { readonly verbose?: boolean },
): string {
  const hint = page.verbose === true ? "" : " (--verbose shows them)";
  const extra = [
    counts.suppressed > 0 ? `${are(counts.suppressed)} held back by annotations` : "",
    counts.known > 0 ? `${are(counts.known)} known by the baseline` : "",
  ].filter((part) => part !== "");
  const more = extra.length === 0 ? "" : ` ${extra.join(", ")}${hint}.`;
  return `${countsText(counts.sources, findings)}${more}`;
}

function are(n: number): string {
  return `${plural(n, "finding")} ${n === 1 ? "is" : "are"}`;
}

function heldBack({ suppressed }: LintReport, page: ReportPage): string {
  const shown = suppressed.map(({ finding, reason, until }) => ({
    ...finding,
    severity: "info" as const,
    remedy: `Held back until ${until}: ${reason}`,
  }));
  return findingsText(shown, page);
}

function known({ known: findings }: LintReport, page: ReportPage): string {
  const shown = findings.map((finding) => ({
    ...finding,
    severity: "info" as const,
    remedy: "Known by the baseline.",
  }));
  return findingsText(shown, page);
}

function sarif(report: LintReport, { version, texts, path, helpUri }: ReportPage): string {
  const rules = ruleCatalogue.map((rule) => (helpUri === undefined ? rule : { ...rule, helpUri }));
  const suppressed: readonly SuppressedFinding[] = [
    ...report.suppressed.map(({ finding, reason, until }) => ({
      finding,
      by: "manifest" as const,
      justification: `Until ${until}: ${reason}`,
    })),
    ...report.known.map((finding) => ({
      finding,
      by: "baseline" as const,
      justification: "Known by the baseline.",
    })),
  ];
  return sarifText({
    version,
    category: "lint",
    rules,
    findings: report.findings,
    suppressed,
    texts,
    path,
  });
}
