/** Connection pools, one per origin. The client certificate exists only in the pool of the manifest's own origin. */
import type { Socket } from "node:net";
import { TLSSocket, type SecureContext } from "node:tls";
import { buildConnector, Pool, ProxyAgent, type Dispatcher } from "undici";
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { AddressGuard } from "./address-guard.js";
import { secureContext, type TlsMaterial } from "./tls-context.js";
import { certificateOf, type SeenCertificate } from "./tls-probe.js";

export interface ConnectionOptions {
  readonly home: string;
  readonly transport: HarvestSourceSpec["transport"];
  readonly material: TlsMaterial;
  readonly guard: AddressGuard;
  /** At most this many per origin; more requests at once wait for one another. */
  readonly perOrigin: number;
}

/** Happy eyeballs give each address this long before the next is tried as well (Node's 250 ms drops far servers). */
const NEXT_ADDRESS_MS = 2500;

export class Connections {
  readonly #options: ConnectionOptions;
  readonly #homeContext: SecureContext;
  #strangerContext: SecureContext | undefined;
  readonly #pools = new Map<string, Dispatcher>();
  readonly #dialled = new Map<string, number>();
  readonly #answered = new Set<string>();
  readonly #shown = new Map<string, SeenCertificate | undefined>();

  /** Throws Fault `config` when the material cannot be used. */
  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#homeContext = secureContext(options.transport.minTlsVersion, options.material);
  }

  to(origin: string): Dispatcher {
    const pool = this.#pools.get(origin) ?? this.#open(origin);
    this.#pools.set(origin, pool);
    return pool;
  }

  /** How many connections to an origin were begun so far: tells a fresh one from a kept one. */
  dialled(origin: string): number {
    return this.#dialled.get(origin) ?? 0;
  }

  /** Has the origin ever answered over these connections? */
  answered(origin: string): boolean {
    return this.#answered.has(origin);
  }

  noteAnswer(origin: string): void {
    this.#answered.add(origin);
  }

  /** What the origin showed last, where it speaks TLS and no proxy is in between. */
  certificate(origin: string): SeenCertificate | undefined {
    return this.#shown.get(origin);
  }

  /** Waits for nothing: what is under way fails. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  /** Lets what is under way finish. */
  async retire(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #open(origin: string): Dispatcher {
    const { transport, guard, perOrigin } = this.#options;
    const context = this.#contextFor(origin);
    const timeout = transport.timeouts.connectSeconds * 1000;
    if (transport.proxyUrl !== undefined) return proxied(transport.proxyUrl, { context, timeout, perOrigin });
    const connect = guardedConnector({
      context,
      timeout,
      guard,
      onDial: () => {
        this.#dialled.set(origin, this.dialled(origin) + 1);
      },
      onConnected: (socket) => {
        if (socket instanceof TLSSocket) this.#shown.set(origin, certificateOf(socket));
      },
    });
    return new Pool(origin, { connect, connections: perOrigin, ...ownClocks });
  }

  #contextFor(origin: string): SecureContext {
    const { home, material, transport } = this.#options;
    if (origin === home || material.clientCertificate === undefined) return this.#homeContext;
    this.#strangerContext ??= secureContext(transport.minTlsVersion, {
      ...material,
      clientCertificate: undefined,
    });
    return this.#strangerContext;
  }
}

/** deadlines.ts keeps the clocks: the library's are inactivity timers of about a second's precision. */
const ownClocks = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1 } as const;

interface ConnectorOptions {
  readonly context: SecureContext;
  readonly timeout: number;
  readonly guard: AddressGuard;
  readonly onDial: () => void;
  readonly onConnected: (socket: Socket) => void;
}

function guardedConnector({
  context,
  timeout,
  guard,
  onDial,
  onConnected,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guard.lookup,
    secureContext: context,
    timeout,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    onDial();
    const refusal = guard.refusalOf(target.hostname);
    if (refusal !== undefined) {
      callback(refusal, null);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      // The last word has the socket itself: whatever resolved the name, this is where the bytes would go.
      const late = guard.refusalOf(socket.remoteAddress ?? "");
      if (late !== undefined) {
        socket.destroy();
        callback(late, null);
        return;
      }
      onConnected(socket);
      callback(null, socket);
    });
  };
}

interface ProxyConnections {
  readonly context: SecureContext;
  readonly timeout: number;
  readonly perOrigin: number;
}

/** http goes to the proxy as a whole address, https through a tunnel, so that the proxy never sees inside. */
function proxied(proxyUrl: string, { context, timeout, perOrigin }: ProxyConnections): Dispatcher {
  return new ProxyAgent({
    uri: proxyUrl,
    proxyTunnel: false,
    requestTls: { secureContext: context, timeout } as buildConnector.BuildOptions,
    proxyTls: { timeout } as buildConnector.BuildOptions,
    connections: perOrigin,
    ...ownClocks,
  });
}
