/**
 * Looks at what a server offers after a handshake failed, so that the sentence can name it (cases C88, C89). It sends
 * nothing but the handshake, trusts nothing, presents no certificate, and hangs up.
 */
import { isIP, type LookupFunction } from "node:net";
import { connect, type PeerCertificate, type TLSSocket } from "node:tls";

export interface TlsSight {
  /** Highest version both sides could speak, "TLSv1" to "TLSv1.3". */
  readonly version?: string | undefined;
  readonly certificate?: SeenCertificate | undefined;
  /** Error code of an alert that came after the handshake, while nothing was asked. */
  readonly alert?: string | undefined;
}

export interface SeenCertificate {
  readonly issuer: string;
  readonly subject: string;
  /** Days, for sentences. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** The very moment it ends, in ms; NaN when the certificate's text is no time. */
  readonly endsAt: number;
  /** subjectAltName, as written. */
  readonly names: string;
}

const PROBE_MS = 5000;
/** Under TLS 1.3 the word about a missing client certificate comes after the handshake (RFC 8446 §4.4.2.4). */
const LINGER_MS = 1000;

export interface ProbeTarget {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
  /** Stay a second after the handshake and listen for an alert. */
  readonly linger?: boolean;
}

/** Never rejects: what could not be seen is absent. */
export function probeTls(target: ProbeTarget): Promise<TlsSight> {
  return new Promise((resolve) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      lookup: target.lookup,
      // A server name must not be an address (RFC 6066 §3).
      ...(isIP(target.host) === 0 ? { servername: target.host } : {}),
      minVersion: "TLSv1",
      ciphers: "DEFAULT:@SECLEVEL=0",
      rejectUnauthorized: false,
    });
    let seen: TlsSight = {};
    let timer = setTimeout(end, PROBE_MS);
    function end(): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(seen);
    }
    socket.once("secureConnect", () => {
      seen = { version: socket.getProtocol() ?? undefined, certificate: certificateOf(socket) };
      clearTimeout(timer);
      timer = setTimeout(end, target.linger === true ? LINGER_MS : 0);
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (seen.version !== undefined) seen = { ...seen, alert: error.code };
      end();
    });
    socket.on("close", end);
    socket.resume();
  });
}

/** What a connected socket was shown. */
export function certificateOf(socket: TLSSocket): SeenCertificate | undefined {
  const peer: Partial<PeerCertificate> | null = socket.getPeerCertificate();
  if (peer?.valid_to === undefined) return undefined;
  return {
    issuer: nameOf(peer.issuer),
    subject: nameOf(peer.subject),
    notBefore: day(peer.valid_from),
    notAfter: day(peer.valid_to),
    endsAt: Date.parse(peer.valid_to),
    names: shown(peer.subjectaltname ?? ""),
  };
}

function nameOf(name: unknown): string {
  const parts = (name ?? {}) as Readonly<Record<string, unknown>>;
  const best = parts["CN"] ?? parts["O"] ?? parts["OU"] ?? "(no name)";
  return shown(Array.isArray(best) ? best.join(", ") : String(best));
}

/** The server chose these characters: short, and harmless on a terminal. */
function shown(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, " ").slice(0, 120);
}

function day(text: string | undefined): string {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? shown(text ?? "") : new Date(at).toISOString().slice(0, 10);
}
