/**
 * compose-report.mjs FOLDER: from what the steps left, writes report.md (the comment) and summary.md (the job summary), and
 * prints the verdict: passed, refused (a rule is broken) or failed (something could not be done).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { marker } from "./sticky-comment.mjs";

const steps = [
  { name: "lint", title: "Lint" },
  { name: "dry-run", title: "Dry run against a sandbox" },
  { name: "fixtures", title: "Fixtures" },
  { name: "diff", title: "Review" },
];
/** Characters of a step's text: the comment has 65,536 in all, of which the review takes 60,000; a summary has 1 MiB. */
const inComment = 1200;
const inSummary = 150_000;

/** @typedef {{ name: string, title: string, code: number, text: string }} Step code -1 = it did not run */

/**
 * @param {{ steps: Step[], review: string, warnings: number, failOn: string }} found
 * @returns {{ verdict: "passed" | "refused" | "failed", report: string, summary: string }}
 */
export function composeReport({ steps: ran, review, warnings, failOn }) {
  const opening =
    review === "" ? `${marker}\n**The review could not be made.** Its step says why.` : review.trimEnd();
  function page(most) {
    const texts = ran.filter((step) => worthShowing(step, most)).map((step) => detailsOf(step, most));
    const [body, foot] = parted(opening);
    return `${[body, "### Checks", tableOf(ran), ...texts, ...foot].join("\n\n")}\n`;
  }
  return {
    verdict: verdictOf(ran, failOn === "warning" && warnings > 0),
    report: page(inComment),
    summary: page(inSummary),
  };
}

/** The review ends with a line on how to reproduce it: what is added comes before. */
function parted(text) {
  const at = text.lastIndexOf("\n\n<sub>");
  return at === -1 ? [text, []] : [text.slice(0, at), [text.slice(at + 2)]];
}

/** What the review says is the report itself, unless it could not be made. */
function worthShowing({ name, code }, most) {
  if (name === "diff") return code < 0 || code > 1;
  return code !== 0 || most === inSummary;
}

function verdictOf(ran, warned) {
  if (ran.some(({ code }) => code < 0 || code > 1)) return "failed";
  return warned || ran.some(({ code }) => code === 1) ? "refused" : "passed";
}

function tableOf(ran) {
  const rows = ran.map((step) => `| ${step.title} | ${wordOf(step.code)} | ${cell(closingOf(step))} |`);
  return ["| check | verdict | |", "|---|---|---|", ...rows].join("\n");
}

function wordOf(code) {
  if (code === 0) return "✅\u00a0passed";
  if (code === 1) return "❌\u00a0refused";
  return code < 0 ? "⚠️ did not run" : "⚠️ could not be done";
}

/**
 * The line in which a step sums itself up: of lint the one that counts, of the others the last. The review begins with the
 * path of its report, which is another one in each run.
 */
function closingOf({ name, text }) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const counting = name === "lint" ? lines.findLast((line) => /^[\d,]+ sources?, /.test(line)) : undefined;
  const line = (counting ?? lines.at(-1) ?? "").trim();
  return (name === "diff" ? line.replace(/^.*diff-report\.md: /, "") : line).slice(0, 300);
}

/** What is printed quotes manifests, and those are a stranger's: in a cell every character is only itself. */
function cell(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_{}[\]()#+!|~$^-]/g, "\\$&")
    .replaceAll("@", "@\u200b");
}

function detailsOf({ title, text }, most) {
  const shown = tail(text.trimEnd(), most);
  const longest = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `<details><summary>${title}: what was printed</summary>\n\n${fence}text\n${shown}\n${fence}\n\n</details>`;
}

/** The last lines that fit; whole lines, unless one alone is too long. */
function tail(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(-most);
  const line = cut.indexOf("\n");
  return `[…] the beginning is left out\n${line === -1 ? cut : cut.slice(line + 1)}`;
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return otherwise;
  }
}

function warningsIn(json) {
  try {
    return Number(JSON.parse(json).counts.warnings) || 0;
  } catch {
    return 0;
  }
}

function main(folder) {
  const ran = steps.map((step) => ({
    ...step,
    code: Number.parseInt(readOr(join(folder, `${step.name}.code`), "-1"), 10),
    text: readOr(join(folder, `${step.name}.txt`), ""),
  }));
  const { verdict, report, summary } = composeReport({
    steps: ran,
    review: readOr(join(folder, "diff-report.md"), ""),
    warnings: warningsIn(readOr(join(folder, "diff.json"), "")),
    failOn: process.env.GATE_FAIL_ON ?? "error",
  });
  writeFileSync(join(folder, "report.md"), report);
  writeFileSync(join(folder, "summary.md"), summary);
  process.stdout.write(`${verdict}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2] ?? "");
