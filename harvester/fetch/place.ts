/** Where a request went: what a sentence about its failure may name. No secret in it. */
import type { MinTls } from "./tls-context.js";

export interface Place {
  /** Redacted address. */
  readonly url: string;
  /** Host, with the port where it is not the usual one. */
  readonly authority: string;
  readonly host: string;
  readonly minTlsVersion: MinTls;
  /** Where the client certificate presented here came from; absent when none was. */
  readonly clientCertificate?: string | undefined;
  /** Host and port of the proxy in between. */
  readonly proxy?: string | undefined;
}
