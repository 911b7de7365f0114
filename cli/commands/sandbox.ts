import { writeFile } from "node:fs/promises";
import { Flags } from "@oclif/core";
import { BaseCommand } from "../base-command.js";
import { sandboxOptions, type SandboxFlags } from "../sandbox/from-flags.js";
import { announcement } from "../sandbox/announcement.js";
import { startSandbox, type Sandbox as Running } from "../sandbox/sandbox.js";
import { Fault } from "../../harvester/fault.js";

const VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"];

export default class Sandbox extends BaseCommand {
  static override summary =
    "Serve an OAI-PMH repository on this machine, to harvest from without bothering anybody.";

  static override description =
    "The records come from a folder, or are generated: the same seed gives the same records, whatever their number. " +
    "The server keeps strictly to the protocol until it is told to make a mistake: POST /_control changes records and " +
    "switches faults on (docs/sandbox.md lists them). It runs until Ctrl-C.\n\n" +
    "Exit codes: 0 ended by SIGINT or SIGTERM; 2 it could not start (folder, certificate, port, option).";

  static override examples = [
    {
      description: "300 records, 12 of them faulty",
      command: "<%= config.bin %> sandbox --generate 300 --faulty 12",
    },
    { description: "your own records", command: "<%= config.bin %> sandbox --records ./records --port 8080" },
    {
      description: "a server that keeps tokens for a minute and dates by day",
      command: "<%= config.bin %> sandbox --generate 1000 --token-lifetime 60 --granularity day",
    },
  ];

  static override flags = {
    records: Flags.string({
      summary: "Folder of ISO 19139 or oai_dc files, one record a file; sub-folders are sets.",
      exactlyOne: ["records", "generate"],
    }),
    generate: Flags.integer({
      summary: "Generate this many records, up to 1,000,000.",
      min: 0,
      max: 1_000_000,
      exactlyOne: ["records", "generate"],
    }),
    seed: Flags.string({
      summary: "Another seed, other records: a number or a word.",
      default: "1",
    }),
    faulty: Flags.string({
      summary: "How many generated records are faulty: a number, or a share such as 0.04.",
      exclusive: ["records"],
    }),
    fault: Flags.string({
      summary: "Only this record fault (may be given several times).",
      multiple: true,
      exclusive: ["records"],
    }),
    deleted: Flags.string({
      summary: "How many generated records are deleted from the start: a number or a share.",
      exclusive: ["records"],
    }),
    host: Flags.string({ summary: "Address to listen on.", default: "127.0.0.1" }),
    port: Flags.integer({ summary: "Port to listen on; 0 = any free one.", min: 0, max: 65_535, default: 0 }),
    "port-file": Flags.string({ summary: "Write the port into this file once the server listens." }),
    "page-size": Flags.integer({ summary: "Records a page.", min: 1, max: 10_000, default: 100 }),
    granularity: Flags.string({
      summary: "Granularity of datestamps.",
      options: ["second", "day"],
      default: "second",
    }),
    "deleted-record": Flags.string({
      summary: "What becomes of deleted records.",
      options: ["no", "transient", "persistent"],
      default: "persistent",
    }),
    format: Flags.string({
      summary: "Serve only this format (may be given several times).",
      options: ["oai_dc", "iso19139"],
      multiple: true,
    }),
    sets: Flags.boolean({ summary: "Have sets.", default: true, allowNo: true }),
    gzip: Flags.boolean({ summary: "Compress for clients that accept it.", default: true, allowNo: true }),
    "list-size": Flags.boolean({
      summary: "Tell completeListSize and cursor.",
      default: true,
      allowNo: true,
    }),
    provenance: Flags.boolean({ summary: "Give every fifth record a provenance container." }),
    "token-lifetime": Flags.integer({
      summary: "Keep tokens in memory and forget them after so many seconds; default: tokens never expire.",
      min: 1,
    }),
    cert: Flags.string({
      summary: "Serve https with this certificate (PEM).",
      dependsOn: ["key"],
    }),
    key: Flags.string({ summary: "Private key of the certificate (PEM).", dependsOn: ["cert"] }),
    ca: Flags.string({ summary: "Authority of client certificates (PEM).", dependsOn: ["cert"] }),
    "client-cert": Flags.string({
      summary: "What happens to clients without a certificate of that authority.",
      options: ["none", "require", "answer-403"],
      default: "none",
    }),
    "min-tls": Flags.string({
      summary: "Oldest TLS version offered.",
      options: VERSIONS,
      dependsOn: ["cert"],
    }),
    "max-tls": Flags.string({
      summary: "Newest TLS version offered.",
      options: VERSIONS,
      dependsOn: ["cert"],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Sandbox);
    const running = await this.start(flags as SandboxFlags);
    if (flags["port-file"] !== undefined) await writeFile(flags["port-file"], `${String(running.port)}\n`);
    const facts = announcement(running);
    process.stdout.write(this.jsonEnabled() ? `${JSON.stringify(facts.json)}\n` : facts.text);
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const)
        process.once(signal, () => {
          resolve();
        });
    });
    await running.close();
    this.finish(0);
  }

  /** oclif prints what run() returns as a second JSON document; the one line above is the whole answer. */
  protected override logJson(): void {
    return;
  }

  private async start(flags: SandboxFlags): Promise<Running> {
    try {
      return await startSandbox(sandboxOptions(flags));
    } catch (error) {
      throw new Fault("config", {
        code: "SandboxNotStarted",
        sentence: error instanceof Error ? error.message : String(error),
        cause: error,
      });
    }
  }
}
