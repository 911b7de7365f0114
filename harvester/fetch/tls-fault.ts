/** TLS failures in sentences (cases C88, C89, C90). Pure: what a probe saw is handed in. */
import { Fault, type FaultDetail, type FaultKind } from "../fault.js";
import type { Place } from "./place.js";
import type { TlsSight } from "./tls-probe.js";

type Group = "untrusted" | "wrong-name" | "old" | "not-tls" | "client" | "handshake";

const groups: readonly (readonly [RegExp, Group])[] = [
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, "wrong-name"],
  [
    /^(CERT_(?!.*ALERT)|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|CA_MD_TOO_WEAK|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/,
    "untrusted",
  ],
  [/(EE|CA)_KEY_TOO_SMALL|_MD_TOO_WEAK|DH_KEY_TOO_SMALL/, "untrusted"],
  [
    /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|WRONG_SSL_VERSION|VERSION_TOO_LOW|NO_PROTOCOLS_AVAILABLE/,
    "old",
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE|BAD_RECORD_TYPE|RECORD_LAYER_FAILURE|RECORD_TOO_SMALL/,
    "not-tls",
  ],
  [
    /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|NO_CERTIFICATE|ACCESS_DENIED)|ALERT_CERTIFICATE/,
    "client",
  ],
  [/^(ERR_SSL_|EPROTO$|ERR_TLS_|UND_ERR_PRX_TLS)/, "handshake"],
];

/** Undefined: the code is none of TLS. */
export function tlsGroup(code: string): Group | undefined {
  return groups.find(([pattern]) => pattern.test(code))?.[1];
}

/** Would a look at what the server offers make the sentence better? */
export function wantsProbe(code: string): boolean {
  const group = tlsGroup(code);
  return group === "untrusted" || group === "wrong-name" || group === "old" || group === "handshake";
}

interface Told {
  readonly kind: FaultKind;
  readonly code: string;
  readonly sentence: string;
  readonly remedy: string;
}

export function tlsFault(
  error: { readonly code: string; readonly cause: unknown },
  place: Place,
  sight: TlsSight,
): Fault {
  const told = tellers[tlsGroup(error.code) ?? "handshake"](error.code, place, sight);
  const detail: FaultDetail = {
    code: told.code,
    sentence: told.sentence,
    remedy: told.remedy,
    cause: error.cause,
  };
  return new Fault(told.kind, detail);
}

const tellers: Readonly<Record<Group, (code: string, place: Place, sight: TlsSight) => Told>> = {
  untrusted,
  "wrong-name": wrongName,
  old,
  "not-tls": (_code, place) => ({
    kind: "unavailable",
    code: "NotTls",
    sentence: `${place.authority} does not speak TLS on this port, although the address says https.`,
    remedy: `Check the port; if the source really has no TLS, write http:// in spec.baseUrl.`,
  }),
  client: (_code, place) => clientCertificate(place),
  handshake,
};

/** The server wanted a client certificate, or another one. */
export function clientCertificateFault(place: Place, cause?: unknown): Fault {
  const told = clientCertificate(place);
  return new Fault(told.kind, { code: told.code, sentence: told.sentence, remedy: told.remedy, cause });
}

function clientCertificate(place: Place): Told {
  const shown = place.clientCertificate;
  return {
    kind: "denied",
    code: "ClientCertRejected",
    sentence:
      shown === undefined
        ? `${place.authority} wants a client certificate, and none was presented.`
        : `${place.authority} does not accept the client certificate that was presented (${shown}).`,
    remedy:
      shown === undefined
        ? "Set spec.transport.mtls: true and provide the certificate."
        : "Check that it is valid, is the one registered with the agency, and comes with its chain.",
  };
}

function untrusted(code: string, place: Place, sight: TlsSight): Told {
  const seen = sight.certificate;
  const issued =
    seen === undefined ? "" : ` (issued by ${seen.issuer} for ${seen.subject}, valid until ${seen.notAfter})`;
  const [why, remedy] = reasons.find(([pattern]) => pattern.test(code))?.slice(1) ?? [
    "is not trusted",
    "Tell the operator of the repository.",
  ];
  return {
    kind: "unavailable",
    code: "TlsUntrusted",
    sentence: `The TLS certificate of ${place.authority} ${String(why)}${issued}.`,
    remedy: String(remedy),
  };
}

const bundle =
  "If you trust it, put its authority's certificate (ca.crt) into the secret named by spec.transport.caSecretName. Verification is never switched off.";

const reasons: readonly (readonly [RegExp, string, string])[] = [
  [/CERT_HAS_EXPIRED/, "has expired", "The operator of the repository must renew it."],
  [
    /CERT_NOT_YET_VALID/,
    "is not valid yet",
    "Check the clock of this machine, then ask the operator of the repository.",
  ],
  [/CERT_REVOKED/, "was revoked", "The operator of the repository must replace it."],
  [/DEPTH_ZERO_SELF_SIGNED/, "is self-signed", bundle],
  [/SELF_SIGNED_CERT_IN_CHAIN/, "comes from an authority this program does not know", bundle],
  [
    /UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/,
    "comes without its intermediate certificate, or from an authority this program does not know",
    `The operator should serve the full chain. ${bundle}`,
  ],
  [
    /TOO_SMALL|TOO_WEAK/,
    "uses a key or signature too weak to be trusted",
    "The operator of the repository must replace it.",
  ],
];

function wrongName(_code: string, place: Place, sight: TlsSight): Told {
  const names = sight.certificate?.names ?? "";
  const other = names === "" ? "another name" : names;
  return {
    kind: "unavailable",
    code: "TlsWrongName",
    sentence: `The TLS certificate ${place.authority} shows is not made out to ${place.host}, but to ${other}.`,
    remedy: "Use one of those names in spec.baseUrl, or tell the operator of the repository.",
  };
}

function old(_code: string, place: Place, sight: TlsSight): Told {
  const offered =
    sight.version === undefined
      ? "only an older version"
      : `at most ${sight.version.replace("TLSv", "TLS ").replace(/ 1$/, " 1.0")}`;
  const fixable = sight.version === "TLSv1.2";
  return {
    kind: "unavailable",
    code: "TlsTooOld",
    sentence: `${place.authority} offers ${offered}; the manifest requires TLS ${place.minTlsVersion} (spec.transport.minTlsVersion).`,
    remedy: fixable
      ? 'Set spec.transport.minTlsVersion: "1.2" for this source, or ask the operator to offer TLS 1.3.'
      : "Ask the operator of the repository to offer TLS 1.2 or 1.3; older versions are broken and never spoken.",
  };
}

function handshake(code: string, place: Place, sight: TlsSight): Told {
  // TLS 1.2 servers that insist on a certificate break off with this alert alone; one that merely has no common cipher
  // would have answered the probe, which offers them all.
  if (/ALERT_HANDSHAKE_FAILURE/.test(code) && sight.version === undefined) return clientCertificate(place);
  return {
    kind: "unavailable",
    code: "TlsHandshakeFailed",
    sentence: `The TLS handshake with ${place.authority} failed (${code}).`,
    remedy:
      "If the source wants a client certificate, set spec.transport.mtls: true; else show this code to the operator of the repository.",
  };
}
