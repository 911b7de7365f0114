/** What a sandbox is started with. */
import type { Format } from "./content/format.js";
import type { GeneratedOptions } from "./content/generated-content.js";
import type { Granularity } from "./oai/datestamp.js";
import type { TokenKind } from "./oai/tokens.js";
import type { DeletedRecord } from "./repository/repository.js";

export type TlsVersion = "TLSv1" | "TLSv1.1" | "TLSv1.2" | "TLSv1.3";

/** Paths of PEM files. */
export interface TlsOptions {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities whose client certificates are accepted. */
  readonly caFile?: string;
  /** `require`: no handshake without a good one. `answer-403`: the handshake succeeds and every request gets 403. */
  readonly clientCertificate?: "none" | "require" | "answer-403";
  readonly minVersion?: TlsVersion;
  readonly maxVersion?: TlsVersion;
}

export type SandboxSource =
  | ({ readonly kind: "generated" } & GeneratedOptions)
  | { readonly kind: "folder"; readonly directory: string };

export interface SandboxOptions {
  readonly source: SandboxSource;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly granularity?: Granularity;
  /** Default persistent. */
  readonly deletedRecord?: DeletedRecord;
  /** Records a page; default 100. */
  readonly pageSize?: number;
  /** False: noSetHierarchy. */
  readonly sets?: boolean;
  /** Restricts what the source could serve. */
  readonly formats?: readonly Format[];
  readonly tokens?: TokenKind;
  /** False: tokens carry neither completeListSize nor cursor. */
  readonly listSize?: boolean;
  /** False: never compresses, whatever the client accepts. */
  readonly gzip?: boolean;
  /** True: every fifth record carries a provenance container (case C98). */
  readonly provenance?: boolean;
  readonly tls?: TlsOptions;
  readonly repositoryName?: string;
  /** Milliseconds of the epoch; default the clock of the machine. */
  readonly clock?: () => number;
}
