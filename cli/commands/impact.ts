import { Args, Flags } from "@oclif/core";
import { faultTable, type Fault } from "../../harvester/fault.js";
import type { Impact } from "../../harvester/impact/impact.js";
import type { ImpactProgress } from "../../harvester/impact/replay-group.js";
import { stopSignal } from "../../harvester/stop-signal.js";
import { exitCode } from "../exit-codes.js";
import { impactProgressLine, impactText } from "../format/impact.js";
import { openRecords, type OpenRecords } from "../impact/open-records.js";
import { replayChange } from "../impact/replay-change.js";
import { startLiveLine } from "../live-line.js";
import { BaseCommand } from "../base-command.js";
import { storeFlags } from "../store-command.js";

interface ImpactOutput extends Impact {
  readonly base: string;
  readonly head: string;
  readonly strangers: number;
}

const DAY = 86_400;

export default class ImpactCommand extends BaseCommand {
  static override summary = "Replay changed rules and schemas over records that are there.";
  static override description = `Judges the stored records (and those in quarantine) of every source whose rules or schemas change, under the base and under the head: which would be refused that pass today, which would pass that are refused today, by rule and source, with three examples each. Reads the store of DATABASE_URL, else .harvest below the policy root, or with --records a folder of XML files. Writes nothing.

Exit codes: 0 nothing would be newly quarantined, 1 something would be, 2 it could not be replayed.`;
  static override examples = [
    "<%= config.bin %> impact --base origin/main",
    "<%= config.bin %> impact --base origin/main --sample 2000",
    "<%= config.bin %> impact --base policy-before --head policy-after --records refused/",
  ];
  static override args = {
    manifests: Args.string({
      description: "Manifests or folders of manifests; all below the policy root unless named.",
      required: false,
    }),
  };
  static override strict = false;
  static override flags = {
    ...storeFlags,
    base: Flags.string({ summary: "A commit, or a folder.", required: true }),
    head: Flags.string({ summary: "A commit, or a folder; the working tree unless told." }),
    records: Flags.string({ summary: "Judge the XML files of this folder instead of the store." }),
    sample: Flags.integer({
      summary: "Judge only so many records, chosen at random.",
      min: 1,
      max: 1_000_000,
    }),
    seed: Flags.string({ summary: "Another seed gives another sample.", default: "harvestctl" }),
    threads: Flags.integer({ summary: "Gate threads; as many as cores unless told.", min: 1, max: 64 }),
  };

  async run(): Promise<ImpactOutput> {
    const { flags, argv } = await this.parse(ImpactCommand);
    const { root, records, store } = flags;
    const opened = await openRecords({ root, records, store, databaseUrl: process.env["DATABASE_URL"] });
    try {
      const { base, head, sample: size, seed, threads } = flags;
      const sample = size === undefined ? undefined : { size, seed };
      const sides = { cwd: process.cwd(), base, head, root, manifests: argv.map(String) };
      const report = await this.replay(opened, { ...sides, sample, threads });
      this.log(impactText(report, { theme: this.theme(), width: this.width() }));
      const { impact, ...rest } = report;
      this.finish(codeOf(impact));
      return { ...rest, ...impact };
    } finally {
      await opened.close();
    }
  }

  private async replay(
    opened: OpenRecords,
    wish: Omit<Parameters<typeof replayChange>[0], "records" | "signal" | "onProgress">,
  ): Promise<Awaited<ReturnType<typeof replayChange>> & { strangers: number }> {
    const stop = stopSignal(DAY);
    const started = Date.now();
    let progress: ImpactProgress = { judged: 0, total: 0, newlyQuarantined: 0, released: 0 };
    const line = startLiveLine(() => impactProgressLine(progress, (Date.now() - started) / 1000));
    try {
      const done = await replayChange({
        ...wish,
        records: opened.records,
        signal: stop.signal,
        onProgress: (now) => {
          progress = now;
        },
      });
      return { ...done, strangers: opened.strangers() };
    } finally {
      line.end();
      stop.end();
    }
  }

  protected override faultExitCode(fault: Fault): number {
    return faultTable[fault.kind].exitCode === 70 ? 70 : exitCode.failed;
  }
}

function codeOf({ newlyQuarantined, notReplayed }: Impact): number {
  if (newlyQuarantined > 0) return exitCode.findings;
  return notReplayed.some(({ reason }) => reason === "unusable") ? exitCode.failed : exitCode.clean;
}
