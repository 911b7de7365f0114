import { Flags } from "@oclif/core";
import { redactUrl } from "../../harvester/fetch/redact.js";
import { listSources, type SourceRow } from "../../harvester/persist/reading.js";
import { statusText } from "../format/status.js";
import { StoreCommand, storeFlags } from "../store-command.js";

export default class Status extends StoreCommand {
  static override summary = "Show how fresh each source is, and what is wrong with it.";
  static override description = "Exit codes: 0 shown, 2 the store could not be read.";
  static override examples = ["<%= config.bin %> status", "<%= config.bin %> status --json"];
  static override flags = {
    ...storeFlags,
    source: Flags.string({ summary: "Only this source." }),
  };

  async run(): Promise<{ sources: readonly SourceRow[] }> {
    const { flags } = await this.parse(Status);
    const rows = await this.withDatabase(flags, (db) => listSources(db, flags.source));
    const sources = rows.map((row) => ({ ...row, endpoint: redactUrl(row.endpoint) }));
    this.log(statusText(sources, { now: new Date(), theme: this.theme(), width: this.width() }));
    return { sources };
  }
}
