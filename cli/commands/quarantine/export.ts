import { Flags } from "@oclif/core";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { iterateQuarantine, type QuarantineEntry } from "../../../harvester/persist/quarantine-reading.js";
import { plural } from "../../format/words.js";
import { StoreCommand, storeFlags } from "../../store-command.js";

export default class QuarantineExport extends StoreCommand {
  static override summary = "Write refused records to files, with an index a publisher can work through.";
  static override description =
    "Each record becomes one XML file with the bytes exactly as received; index.ndjson has a line a record: identifier, file, rule, sentence, place.\nExit codes: 0 written, 2 the store could not be read or the files not written.";
  static override examples = [
    "<%= config.bin %> quarantine export --out refused/ --source state-gis-clearinghouse",
  ];
  static override flags = {
    ...storeFlags,
    out: Flags.string({ summary: "Folder to write to; made if missing.", required: true }),
    source: Flags.string({ summary: "Only this source." }),
    rule: Flags.string({ summary: "Only what this rule stopped." }),
    run: Flags.string({ summary: "Only what this run quarantined." }),
  };

  async run(): Promise<{ exported: number; folder: string }> {
    const { flags } = await this.parse(QuarantineExport);
    const { source, rule, run, out } = flags;
    await mkdir(out, { recursive: true });
    const index: string[] = [];
    await this.withDatabase(flags, async (db) => {
      for await (const entry of iterateQuarantine(db, { source, rule, run }))
        index.push(await exportEntry(entry, out));
    });
    await writeFile(join(out, "index.ndjson"), index.map((line) => `${line}\n`).join(""));
    this.log(`Wrote ${plural(index.length, "record")} and index.ndjson to ${out}.`);
    return { exported: index.length, folder: out };
  }
}

async function exportEntry(entry: QuarantineEntry, folder: string): Promise<string> {
  const file = fileName(entry);
  await writeFile(join(folder, file), entry.body);
  const { source, identifier, gate, rule, message, xpath, line, violations, firstSeen, lastSeen, runId } =
    entry;
  return JSON.stringify({
    source,
    identifier,
    file,
    gate,
    rule,
    message,
    xpath,
    line,
    violations,
    firstSeen,
    lastSeen,
    runId,
  });
}

/** An identifier is a stranger's text: only harmless letters become part of a name, and a hash keeps names apart. */
function fileName({ identifier, source }: QuarantineEntry): string {
  const readable = identifier.replace(/[^A-Za-z0-9-]+/g, "_").slice(0, 60);
  const hash = createHash("sha256").update(`${source}\n${identifier}`).digest("hex").slice(0, 8);
  return `${readable}-${hash}.xml`;
}
