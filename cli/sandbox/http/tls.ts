import { readFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import type { TlsOptions } from "../options.js";

/** Options of node:https from PEM files; throws a sentence that names the file it cannot read. */
export function readTls(tls: TlsOptions): ServerOptions {
  const asks = tls.clientCertificate ?? "none";
  if (asks === "require" && tls.caFile === undefined) {
    throw new Error(
      "Client certificates cannot be required without the authority that signs them: name its file (caFile, --ca).",
    );
  }
  return {
    cert: read(tls.certFile, "certificate"),
    key: read(tls.keyFile, "private key"),
    ...(tls.caFile === undefined ? {} : { ca: read(tls.caFile, "certificate authority") }),
    requestCert: asks !== "none",
    rejectUnauthorized: asks === "require",
    ...(tls.minVersion === undefined ? {} : { minVersion: tls.minVersion }),
    ...(tls.maxVersion === undefined ? {} : { maxVersion: tls.maxVersion }),
    // OpenSSL 3 offers TLS 1.0 and 1.1 only below its default security level; here old versions are the point (case C89).
    ...(tls.maxVersion === "TLSv1" || tls.maxVersion === "TLSv1.1"
      ? { ciphers: "DEFAULT@SECLEVEL=0", minVersion: "TLSv1" as const }
      : {}),
  };
}

function read(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(
      `The ${what} file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}
