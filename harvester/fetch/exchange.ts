/** One request to one origin and the head of its answer; failures become sentences here. */
import type { Dispatcher } from "undici";
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { Fault } from "../fault.js";
import type { HttpRequest } from "../http.js";
import type { Warning } from "../record.js";
import type { AddressGuard } from "./address-guard.js";
import type { Connections } from "./connections.js";
import type { Deadlines } from "./deadlines.js";
import { expiryWarning } from "./expiry.js";
import { closedBeforeAnswer, codeOf, networkFault } from "./network-fault.js";
import type { Place } from "./place.js";
import { redactUrl } from "./redact.js";
import { joinHeaders } from "./request-headers.js";
import type { TlsMaterial } from "./tls-context.js";
import { clientCertificateFault, tlsGroup, wantsProbe } from "./tls-fault.js";
import { probeTls } from "./tls-probe.js";

export interface Hop {
  readonly url: URL;
  readonly method: HttpRequest["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly home: string;
  readonly transport: HarvestSourceSpec["transport"];
  readonly guard: AddressGuard;
  readonly connections: Connections;
  readonly material: TlsMaterial;
  readonly deadlines: Deadlines;
  /** Called before each time the request goes out; what it throws ends the exchange. */
  readonly onSend: () => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Dispatcher.ResponseData["body"];
  readonly warnings: readonly Warning[];
}

/** Under TLS 1.3 a refused client certificate looks like a dropped connection: this many in a row are no accident (case C90). */
const CLOSES_THAT_MEAN_NO = 2;
/** Kept connections that may turn out dead before it counts as a failure. */
const DEAD_KEPT = 5;

/** Rejects with a Fault. */
export async function exchange(hop: Hop): Promise<Answer> {
  const { origin } = hop.url;
  const place = placeOf(hop);
  if (place.proxy !== undefined) await hop.guard.judgeName(hop.url.hostname);
  let freshCloses = 0;
  for (let tries = 1; ; tries += 1) {
    const before = hop.connections.dialled(origin);
    hop.onSend();
    try {
      const answer = await hop.deadlines.head(request(hop));
      hop.connections.noteAnswer(origin);
      return {
        status: answer.statusCode,
        headers: joinHeaders(answer.headers),
        body: answer.body,
        warnings: certificateWarnings(hop),
      };
    } catch (thrown) {
      if (!closedBeforeAnswer(thrown) || place.proxy !== undefined) throw await explain(thrown, hop, place);
      // A kept connection that the server closed meanwhile says nothing: the same request on a fresh one.
      if (hop.connections.dialled(origin) === before && tries <= DEAD_KEPT) continue;
      freshCloses += 1;
      if (!mayBeCertificate(hop)) throw await explain(thrown, hop, place);
      if (freshCloses >= CLOSES_THAT_MEAN_NO) throw clientCertificateFault(place, thrown);
    }
  }
}

/** An origin that answered over these connections has accepted the certificate. */
function mayBeCertificate(hop: Hop): boolean {
  return (
    hop.url.protocol === "https:" &&
    certificateFor(hop) !== undefined &&
    !hop.connections.answered(hop.url.origin)
  );
}

function request(hop: Hop): Promise<Dispatcher.ResponseData> {
  return hop.connections.to(hop.url.origin).request({
    origin: hop.url.origin,
    path: `${hop.url.pathname}${hop.url.search}`,
    method: hop.method,
    headers: { ...hop.headers },
    ...(hop.body === undefined ? {} : { body: hop.body }),
    signal: hop.deadlines.signal,
  });
}

async function explain(thrown: unknown, hop: Hop, place: Place): Promise<Fault> {
  const hungUp = closedBeforeAnswer(thrown) && !hop.connections.answered(hop.url.origin);
  if (place.proxy !== undefined || hop.url.protocol !== "https:" || !(hungUp || wantsProbe(codeOf(thrown)))) {
    return networkFault(thrown, place);
  }
  const host = place.host.replace(/^\[|\]$/g, "");
  const port = Number(hop.url.port || 443);
  const sight = await probeTls({ host, port, lookup: hop.guard.lookup, linger: hungUp });
  if (isUnexplained(thrown) && tlsGroup(sight.alert ?? "") === "client")
    return clientCertificateFault(place, thrown);
  return networkFault(thrown, place, sight);
}

/** The look presents no certificate: the alert it gets explains a hang-up, but not what we refused ourselves. */
function isUnexplained(thrown: unknown): boolean {
  const group = tlsGroup(codeOf(thrown));
  return group === undefined || group === "handshake";
}

function placeOf(hop: Hop): Place {
  return {
    url: redactUrl(hop.url),
    authority: hop.url.host,
    host: hop.url.hostname,
    minTlsVersion: hop.transport.minTlsVersion,
    clientCertificate: certificateFor(hop)?.from,
    proxy: hop.transport.proxyUrl === undefined ? undefined : new URL(hop.transport.proxyUrl).host,
  };
}

function certificateFor(hop: Hop): TlsMaterial["clientCertificate"] {
  return hop.url.origin === hop.home ? hop.material.clientCertificate : undefined;
}

function certificateWarnings(hop: Hop): readonly Warning[] {
  const shown = hop.connections.certificate(hop.url.origin);
  if (shown === undefined) return [];
  const warning = expiryWarning({
    what: `The TLS certificate of ${hop.url.host} (issued by ${shown.issuer})`,
    code: "server-certificate-expires",
    notAfter: shown.endsAt,
    now: Date.now(),
  });
  return warning === undefined ? [] : [warning];
}
