import type { HarvestSource } from "../../harvest-source.generated.js";
import type { Consequence } from "../consequence.js";
import { addressText, duration, list, valueText } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

/** The connection to the source. Secrets are named, never shown. */
export const transport: ConsequenceRule = eachChanged((compared) => [
  ...tlsFloor(compared),
  ...mtls(compared),
  ...privateNetwork(compared),
  ...redirects(compared),
  ...proxy(compared),
  ...timeouts(compared),
]);

function tlsFloor(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.transport.minTlsVersion, after.transport.minTlsVersion];
  if (old === now) return [];
  const lowered = now < old;
  return [
    tell(compared, ["spec", "transport", "minTlsVersion"], {
      id: lowered ? "tls-floor-lowered" : "tls-floor-raised",
      sentence: lowered
        ? `${change.key} may be asked over TLS ${now}; until now ${old} was the oldest.`
        : `${change.key} refuses TLS older than ${now}: a server that speaks only ${old} cannot be harvested any more.`,
    }),
  ];
}

function mtls(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.transport.mtls === after.transport.mtls) return [];
  const at = ["spec", "transport", "mtls"];
  if (!after.transport.mtls)
    return [
      tell(compared, at, {
        id: "mtls-off",
        sentence: `${change.key} no longer shows a client certificate: a server that demands one refuses every run.`,
      }),
    ];
  return [
    tell(compared, at, {
      id: "mtls-on",
      sentence: `${change.key} shows the client certificate of secret ${certificateOf(change.head.source)}, which must be in its namespace before the next run.`,
    }),
  ];
}

function privateNetwork(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.transport.allowPrivateNetwork === after.transport.allowPrivateNetwork) return [];
  const opened = after.transport.allowPrivateNetwork;
  return [
    tell(compared, ["spec", "transport", "allowPrivateNetwork"], {
      id: opened ? "private-network-allowed" : "private-network-closed",
      sentence: opened
        ? `${change.key} may be harvested from private, loopback and link-local addresses: its name, or a redirect, may lead into our own network.`
        : `${change.key} is no longer harvested from private, loopback and link-local addresses.`,
      ...(opened ? { remedy: "Only for a source that really stands inside." } : {}),
    }),
  ];
}

function redirects(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const old = before.transport.allowedRedirectOrigins ?? [];
  const now = after.transport.allowedRedirectOrigins ?? [];
  const fresh = now.filter((origin) => !old.includes(origin));
  const gone = old.filter((origin) => !now.includes(origin));
  const at = ["spec", "transport", "allowedRedirectOrigins"];
  return [
    ...(fresh.length === 0
      ? []
      : [
          tell(compared, at, {
            id: "redirect-origins-widened",
            sentence: `Redirects of ${change.key} may lead to ${origins(fresh)}: whoever holds that can answer for the agency.`,
          }),
        ]),
    ...(gone.length === 0
      ? []
      : [
          tell(compared, at, {
            id: "redirect-origins-narrowed",
            sentence: `Redirects of ${change.key} may no longer lead to ${origins(gone)}.`,
          }),
        ]),
  ];
}

function origins(all: readonly string[]): string {
  return list(all.map((origin) => valueText(origin)));
}

function proxy(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const [old, now] = [before.transport.proxyUrl, after.transport.proxyUrl];
  if (old === now) return [];
  return [
    tell(compared, ["spec", "transport", "proxyUrl"], {
      id: "proxy-changed",
      sentence: `${change.key} is asked ${way(now)} instead of ${way(old)}: the agency sees another address of ours.`,
      remedy: "Tell the agency the new address, if it has an allow-list.",
    }),
  ];
}

function way(proxyUrl: string | undefined): string {
  return proxyUrl === undefined ? "directly" : `through ${addressText(proxyUrl).replace(/\/$/, "")}`;
}

/** As harvest pods name it (docs/harvest-source.md). */
export function certificateOf({ metadata, spec }: HarvestSource): string {
  return valueText(spec.transport.clientCertificate?.secretName ?? `${metadata.name}-client-cert`);
}

const TIMEOUTS = {
  connectSeconds: "to connect",
  firstByteSeconds: "to the first byte",
  idleSeconds: "without a byte",
  requestSeconds: "for a request",
} as const;

function timeouts(compared: Compared): readonly Consequence[] {
  const [old, now] = [compared.before.transport.timeouts, compared.after.transport.timeouts];
  const names = ["connectSeconds", "firstByteSeconds", "idleSeconds", "requestSeconds"] as const;
  const differing = names.filter((name) => old[name] !== now[name]);
  const [first] = differing;
  if (first === undefined) return [];
  const said = differing.map(
    (name) => `${duration(now[name])} ${TIMEOUTS[name]} instead of ${duration(old[name])}`,
  );
  return [
    tell(compared, ["spec", "transport", "timeouts", first], {
      id: "timeouts-changed",
      sentence: `${compared.change.key} is given ${list(said)}.`,
    }),
  ];
}
