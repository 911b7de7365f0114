import { plannedRuns } from "../../source/planned-runs.js";
import { againstBaseline, renewBaseline } from "./against-baseline.js";
import type { FixedFile } from "./fix-files.js";
import type { GatheredManifests } from "./gather-manifests.js";
import type { JudgedManifests } from "./judge-manifests.js";
import type { LintFlags } from "./lint-flags.js";
import { countsOf, type LintReport } from "./lint-report.js";

export interface Linted {
  readonly gathered: GatheredManifests;
  readonly judged: JudgedManifests;
  readonly flags: Pick<LintFlags, "baseline" | "write-baseline">;
  /** As they were named. */
  readonly paths: readonly string[];
  readonly now: Date;
  /** Name of a file in findings → path from the top of the repository. */
  readonly path: (file: string) => string;
  /** With --fix: what was mended, or would be. */
  readonly fixed: readonly FixedFile[] | undefined;
}

/** What is told: without what the baseline knows, which is written first where that is asked for. Throws Fault `config`. */
export async function makeReport(linted: Linted): Promise<LintReport> {
  const { gathered, judged, now, fixed } = linted;
  const { findings, known } = await withoutKnown(linted);
  const all = gathered.sets.flatMap(({ sources }) => sources);
  const counts = countsOf({ findings, known, suppressed: judged.suppressed, sources: all.length });
  const sources = all.flatMap(({ source }) => plannedRuns(source, now) ?? []);
  return { findings, suppressed: judged.suppressed, known, sources, counts, ...mendedOf(fixed) };
}

function mendedOf(fixed: readonly FixedFile[] | undefined): Pick<LintReport, "mended"> {
  return fixed === undefined ? {} : { mended: fixed.flatMap(({ mended }) => mended) };
}

async function withoutKnown({
  judged,
  flags,
  paths,
  path,
}: Linted): Promise<Pick<LintReport, "findings" | "known">> {
  const { findings, texts } = judged;
  const input = { findings, texts, path };
  const under = paths.map(path);
  const written = flags["write-baseline"];
  if (written !== undefined) await renewBaseline(input, { file: written, under });
  const file = written ?? flags.baseline;
  return file === undefined ? { findings, known: [] } : againstBaseline(input, { file, under });
}
