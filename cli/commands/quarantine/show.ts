import { Args, Flags } from "@oclif/core";
import { Fault } from "../../../harvester/fault.js";
import { getQuarantine, type QuarantineEntry } from "../../../harvester/persist/quarantine-reading.js";
import { quarantineText } from "../../format/quarantine.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

type Shown = Omit<QuarantineEntry, "body" | "rawChecksum"> & { readonly rawChecksum: string };

export default class QuarantineShow extends StoreCommand {
  static override summary = "Show why a record was refused: rule, sentence, place, and what to do.";
  static override description = "Exit codes: 0 shown, 1 no such entry, 2 the store could not be read.";
  static override examples = [
    "<%= config.bin %> quarantine show oai:demo:42",
    "<%= config.bin %> quarantine show oai:demo:42 --xml > refused.xml",
  ];
  static override args = {
    identifier: Args.string({ description: "Identifier as the source gives it.", required: true }),
  };
  static override flags = {
    ...storeFlags,
    source: Flags.string({ summary: "Only of this source." }),
    xml: Flags.boolean({ summary: "Print the bytes exactly as received.", default: false }),
  };

  async run(): Promise<Shown> {
    const { args, flags } = await this.parse(QuarantineShow);
    const entry = await this.withDatabase(flags, (db) => getQuarantine(db, args.identifier, flags.source));
    if (entry === undefined) {
      process.exitCode = 1;
      throw new Fault("config", {
        code: "NotQuarantined",
        sentence: `No quarantine entry of ${args.identifier} is in the store.`,
        remedy: "See what is there with harvestctl quarantine list.",
      });
    }
    const { body, rawChecksum, ...rest } = entry;
    if (flags.xml && !this.jsonEnabled()) process.stdout.write(body);
    else this.log(quarantineText(entry, this.theme()));
    return { ...rest, rawChecksum: Buffer.from(rawChecksum).toString("hex") };
  }
}
