/** From the flags of `harvestctl sandbox` to the options of a sandbox. */
import type { Format } from "./content/format.js";
import { mix } from "./content/random.js";
import { isRecordFault, recordFaults } from "./content/record-faults.js";
import type { Granularity } from "./oai/datestamp.js";
import type { SandboxOptions, SandboxSource, TlsOptions, TlsVersion } from "./options.js";
import type { DeletedRecord } from "./repository/repository.js";

export interface SandboxFlags {
  readonly records?: string;
  readonly generate?: number;
  readonly seed: string;
  readonly faulty?: string;
  readonly fault?: readonly string[];
  readonly deleted?: string;
  readonly host: string;
  readonly port: number;
  readonly "page-size": number;
  readonly granularity: Granularity;
  readonly "deleted-record": DeletedRecord;
  readonly format?: readonly Format[];
  readonly sets: boolean;
  readonly gzip: boolean;
  readonly "list-size": boolean;
  readonly provenance: boolean;
  readonly "token-lifetime"?: number;
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  readonly "client-cert": "none" | "require" | "answer-403";
  readonly "min-tls"?: TlsVersion;
  readonly "max-tls"?: TlsVersion;
}

/** Throws a sentence for a number that is none and a fault that does not exist. */
export function sandboxOptions(flags: SandboxFlags): SandboxOptions {
  const lifetime = flags["token-lifetime"];
  const tls = tlsOptions(flags);
  return {
    source: sourceOf(flags),
    host: flags.host,
    port: flags.port,
    pageSize: flags["page-size"],
    granularity: flags.granularity,
    deletedRecord: flags["deleted-record"],
    sets: flags.sets,
    gzip: flags.gzip,
    listSize: flags["list-size"],
    provenance: flags.provenance,
    tokens: lifetime === undefined ? { kind: "stateless" } : { kind: "expiring", lifetimeSeconds: lifetime },
    ...(flags.format === undefined ? {} : { formats: flags.format }),
    ...(tls === undefined ? {} : { tls }),
  };
}

function sourceOf(flags: SandboxFlags): SandboxSource {
  if (flags.records !== undefined) return { kind: "folder", directory: flags.records };
  const [faulty, deleted] = [amount("faulty", flags.faulty), amount("deleted", flags.deleted)];
  const names = flags.fault ?? [];
  const unknown = names.find((name) => !isRecordFault(name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no record fault ${unknown}. There are: ${recordFaults.map((fault) => fault.name).join(", ")}.`,
    );
  }
  return {
    kind: "generated",
    count: flags.generate ?? 0,
    seed: seedNumber(flags.seed),
    faultNames: names.filter(isRecordFault),
    // A fault that was named is wanted: without a number, in one record each.
    faulty: faulty ?? names.length,
    ...(deleted === undefined ? {} : { deleted }),
  };
}

/** Words make good seeds too. */
function seedNumber(seed: string): number {
  if (/^-?\d+$/.test(seed)) return Number(seed);
  return [...seed].reduce((sum, sign) => mix(sum, sign.codePointAt(0) ?? 0), seed.length);
}

function amount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  const isShare = value > 0 && value < 1;
  if (text.trim() === "" || !(isShare || (Number.isInteger(value) && value >= 0))) {
    throw new Error(`--${flag} takes a number of records or a share between 0 and 1, not "${text}".`);
  }
  return value;
}

function tlsOptions(flags: SandboxFlags): TlsOptions | undefined {
  if (flags.cert === undefined || flags.key === undefined) return undefined;
  return {
    certFile: flags.cert,
    keyFile: flags.key,
    clientCertificate: flags["client-cert"],
    ...(flags.ca === undefined ? {} : { caFile: flags.ca }),
    ...(flags["min-tls"] === undefined ? {} : { minVersion: flags["min-tls"] }),
    ...(flags["max-tls"] === undefined ? {} : { maxVersion: flags["max-tls"] }),
  };
}
