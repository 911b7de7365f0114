/** The TLS side of a client: one context per material, so that bad files are found before anything is sent. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import { Fault } from "../fault.js";

export interface ClientCertificate {
  /** PEM, the chain included. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** File or variable it came from, for sentences. */
  readonly from: string;
}

export interface TlsMaterial {
  readonly clientCertificate?: ClientCertificate | undefined;
  /** PEM bundle of authorities trusted for this source. */
  readonly ca?: { readonly pem: string; readonly from: string } | undefined;
  /** Public authorities beside the bundle (the default), or the bundle alone. */
  readonly caMode?: "add" | "only" | undefined;
}

export type MinTls = HarvestSourceSpec["transport"]["minTlsVersion"];

export function secureContext(minTlsVersion: MinTls, material: TlsMaterial): SecureContext {
  const { clientCertificate, ca } = material;
  if (clientCertificate !== undefined) checkPair(clientCertificate);
  if (ca !== undefined) checkBundle(ca);
  const roots = material.caMode === "only" ? [] : rootCertificates;
  return createSecureContext({
    minVersion: `TLSv${minTlsVersion}`,
    // Without `ca` Node trusts its own list and NODE_EXTRA_CA_CERTS.
    ...(ca === undefined ? {} : { ca: [...roots, ca.pem] }),
    ...(clientCertificate === undefined ? {} : { cert: clientCertificate.cert, key: clientCertificate.key }),
  });
}

/** Throws Fault `config` unless both can be read and belong together. */
export function checkPair({ cert, key, from }: ClientCertificate): X509Certificate {
  const certificate = readCertificate(cert, from);
  let fits: boolean;
  try {
    fits = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (thrown) {
    throw new Fault("config", {
      code: "ClientKeyUnreadable",
      sentence: `The private key of the client certificate (${from}) cannot be read: it is no unencrypted PEM key.`,
      remedy: "Provide a PEM key (BEGIN PRIVATE KEY) without a passphrase.",
      cause: reasonOf(thrown),
    });
  }
  if (fits) return certificate;
  throw new Fault("config", {
    code: "ClientKeyMismatch",
    sentence: `The client certificate and its private key do not belong together (${from}).`,
    remedy: "Replace both files together.",
  });
}

/** The first certificate of a PEM text. */
export function readCertificate(pem: string, from: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (thrown) {
    throw new Fault("config", {
      code: "CertificateUnreadable",
      sentence: `The certificate in ${from} cannot be read: it is no PEM certificate.`,
      remedy: "Provide PEM text that begins with -----BEGIN CERTIFICATE-----.",
      cause: reasonOf(thrown),
    });
  }
}

/** OpenSSL skips what it cannot read in a bundle; an authority that silently is not trusted costs a night. */
function checkBundle({ pem, from }: { readonly pem: string; readonly from: string }): void {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [pem];
  for (const block of blocks) readCertificate(block, from);
}

/** The code alone: messages of OpenSSL may quote what they read. */
function reasonOf(thrown: unknown): string {
  return String((thrown as { code?: unknown } | null)?.code ?? "unreadable");
}
