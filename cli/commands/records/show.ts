import { Args, Flags } from "@oclif/core";
import { Fault } from "../../../harvester/fault.js";
import { getRecord, type RecordDetail } from "../../../harvester/persist/reading.js";
import { recordText } from "../../format/record.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

type Shown = Omit<RecordDetail, "body" | "checksum"> & { readonly checksum: string };

export default class RecordsShow extends StoreCommand {
  static override summary = "Show one record: the canonical form, or the XML exactly as it was delivered.";
  static override description = "Exit codes: 0 shown, 1 no such record, 2 the store could not be read.";
  static override examples = [
    "<%= config.bin %> records show oai:demo:42",
    "<%= config.bin %> records show oai:demo:42 --xml > record.xml",
  ];
  static override args = {
    identifier: Args.string({ description: "Identifier as the source gives it.", required: true }),
  };
  static override flags = {
    ...storeFlags,
    source: Flags.string({ summary: "Only of this source." }),
    xml: Flags.boolean({ summary: "Print the untouched XML.", default: false }),
  };

  async run(): Promise<Shown> {
    const { args, flags } = await this.parse(RecordsShow);
    const [record] = await this.withDatabase(flags, (db) => getRecord(db, args.identifier, flags.source));
    if (record === undefined) {
      process.exitCode = 1;
      throw new Fault("config", {
        code: "NoSuchRecord",
        sentence: `No record ${args.identifier} is in the store.`,
        remedy:
          "See what is there with harvestctl records list, or what was refused with harvestctl quarantine list.",
      });
    }
    const { body, checksum, ...rest } = record;
    if (flags.xml && !this.jsonEnabled()) process.stdout.write(body);
    else this.log(recordText(record, this.theme()));
    return { ...rest, checksum: Buffer.from(checksum).toString("hex") };
  }
}
