import { Args, Flags } from "@oclif/core";
import { listRecords, type RecordRow } from "../../../harvester/persist/reading.js";
import { table } from "../../format/table.js";
import { plural, time } from "../../format/words.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

export default class RecordsList extends StoreCommand {
  static override summary = "List harvested records, by source and identifier.";
  static override description = "Exit codes: 0 shown, 2 the store could not be read.";
  static override examples = [
    "<%= config.bin %> records list --source state-gis-clearinghouse",
    "<%= config.bin %> records list parcels --limit 10",
  ];
  static override args = {
    text: Args.string({ description: "Part of a title or an identifier." }),
  };
  static override flags = {
    ...storeFlags,
    source: Flags.string({ summary: "Only this source." }),
    deleted: Flags.boolean({ summary: "Withdrawn records too.", default: false }),
    limit: Flags.integer({ summary: "At most this many.", default: 50, min: 1, max: 10_000 }),
    offset: Flags.integer({ summary: "Begin after this many.", default: 0, min: 0 }),
  };

  async run(): Promise<{ records: readonly RecordRow[] }> {
    const { args, flags } = await this.parse(RecordsList);
    const { source, deleted: withDeleted, limit, offset } = flags;
    const records = await this.withDatabase(flags, (db) =>
      listRecords(db, { source, text: args.text, withDeleted, limit, offset }),
    );
    this.log(records.length === 0 ? "No records match." : this.text(records));
    if (records.length === limit)
      this.logToStderr(`The first ${plural(limit, "record")}; more with --offset or --limit.`);
    return { records };
  }

  private text(records: readonly RecordRow[]): string {
    return table(
      records,
      [
        { title: "source", cell: (r) => r.source, shrinks: true },
        { title: "identifier", cell: (r) => r.identifier },
        { title: "changed", cell: (r) => time(r.changedAt) },
        {
          title: "title",
          cell: (r) => (r.deleted ? `(withdrawn: ${r.deletedReason ?? ""}) ${r.title}` : r.title),
          shrinks: true,
        },
      ],
      this.width(),
    );
  }
}
