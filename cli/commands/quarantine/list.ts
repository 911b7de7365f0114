import { Flags } from "@oclif/core";
import { listQuarantine, type QuarantineRow } from "../../../harvester/persist/quarantine-reading.js";
import { quarantineTable } from "../../format/quarantine.js";
import { plural } from "../../format/words.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

export default class QuarantineList extends StoreCommand {
  static override summary = "List the records that did not pass, and the rule that stopped each.";
  static override description = "Exit codes: 0 shown, 2 the store could not be read.";
  static override examples = [
    "<%= config.bin %> quarantine list",
    "<%= config.bin %> quarantine list --rule bbox-order --json",
  ];
  static override flags = {
    ...storeFlags,
    source: Flags.string({ summary: "Only this source." }),
    rule: Flags.string({ summary: "Only what this rule stopped." }),
    run: Flags.string({ summary: "Only what this run quarantined." }),
    all: Flags.boolean({ summary: "Closed entries too.", default: false }),
    limit: Flags.integer({ summary: "At most this many.", default: 50, min: 1, max: 10_000 }),
    offset: Flags.integer({ summary: "Begin after this many.", default: 0, min: 0 }),
  };

  async run(): Promise<{ quarantine: readonly QuarantineRow[] }> {
    const { flags } = await this.parse(QuarantineList);
    const { source, rule, run, all: withResolved, limit, offset } = flags;
    const quarantine = await this.withDatabase(flags, (db) =>
      listQuarantine(db, { source, rule, run, withResolved, limit, offset }),
    );
    this.log(
      quarantine.length === 0
        ? "The quarantine is empty."
        : quarantineTable(quarantine, { width: this.width(), theme: this.theme() }),
    );
    if (quarantine.length === limit)
      this.logToStderr(`The first ${plural(limit, "entry", "entries")}; more with --offset or --limit.`);
    return { quarantine };
  }
}
