/**
 * A proxy of plain TCP between a client and a server under test, TLS passing through unread: what the network, a load
 * balancer or a dying server can do to a connection, done on request. `target` is asked anew for each connection, so a
 * server may come back on another port.
 *
 * | fault              | what the client sees                                                               |
 * |--------------------|------------------------------------------------------------------------------------|
 * | freeze()           | nothing, neither bytes nor an end, on old and on new connections, until thaw()      |
 * | resetAll()         | ECONNRESET on each open connection; new ones work                                   |
 * | halfClose()        | the server's side of each open connection ends (FIN); what the client sends is taken |
 * | cutAfter(n)        | each connection is reset after n more bytes from the server, in the middle of whatever it is |
 * | delay(ms)          | each chunk, both ways, comes so much later                                          |
 * | refuse()           | ECONNREFUSED for new connections; open ones work on, until accept()                 |
 */
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

export interface FaultProxyOptions {
  /** Where the server listens: `https://127.0.0.1:6443`, or a function for one that moves. */
  readonly target: string | (() => string);
}

export interface FaultProxy {
  /** On 127.0.0.1; stays the same through refuse() and accept(). */
  readonly port: number;
  /** Bytes are held back both ways, none is lost; also of connections made meanwhile. */
  freeze(): void;
  thaw(): void;
  /** RST to both sides of every open connection. */
  resetAll(): void;
  /** FIN to the client of every open connection; its server sees nothing. */
  halfClose(): void;
  /** Resets each connection, open or new, once the server has sent `bytes` more on it. undefined = no more. */
  cutAfter(bytes: number | undefined): void;
  /** From now on; 0 = none. */
  delay(ms: number): void;
  /** Nobody listens any more. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** `open` now, `total` ever, `bytes` that came from the server and were let through. */
  connections(): { readonly open: number; readonly total: number; readonly bytes: number };
  stop(): Promise<void>;
}

/** What applies to all connections at this moment. */
interface Weather {
  frozen: boolean;
  delayMs: number;
  cutAfter: number | undefined;
  total: number;
  bytes: number;
}

export async function startFaultProxy({ target }: FaultProxyOptions): Promise<FaultProxy> {
  const weather: Weather = { frozen: false, delayMs: 0, cutAfter: undefined, total: 0, bytes: 0 };
  const pairs = new Set<Pair>();
  const each = (act: (pair: Pair) => void): void => {
    for (const pair of [...pairs]) act(pair);
  };
  const onClient = (client: Socket): void => {
    weather.total += 1;
    const { hostname, port } = new URL(typeof target === "string" ? target : target());
    const pair = new Pair(
      client,
      connect({ host: hostname, port: Number(port), allowHalfOpen: true }),
      weather,
    );
    pairs.add(pair);
    pair.whenClosed(() => pairs.delete(pair));
  };
  let server: Server | undefined = await listen(0, onClient);
  const { port } = server.address() as AddressInfo;

  async function refuse(): Promise<void> {
    const old = server;
    server = undefined;
    // Its end is not waited for: it comes with that of the last connection.
    old?.close();
    await turn();
  }

  return {
    port,
    freeze: () => {
      weather.frozen = true;
    },
    thaw: () => {
      weather.frozen = false;
      each((pair) => {
        pair.flush();
      });
    },
    resetAll: () => {
      each((pair) => {
        pair.reset();
      });
    },
    halfClose: () => {
      each((pair) => {
        pair.endClient();
      });
    },
    cutAfter: (bytes) => {
      weather.cutAfter = bytes;
      each((pair) => {
        pair.countAnew();
      });
    },
    delay: (ms) => {
      weather.delayMs = ms;
    },
    refuse,
    accept: async () => {
      server ??= await listen(port, onClient);
    },
    connections: () => ({ open: pairs.size, total: weather.total, bytes: weather.bytes }),
    stop: async () => {
      await refuse();
      each((pair) => {
        pair.reset();
      });
    },
  };
}

/** One connection of a client and the one to the server that belongs to it. */
class Pair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #weather: Weather;
  /** Held back while frozen, in order. */
  readonly #held: (() => void)[] = [];
  #sinceCut = 0;
  /** The client was told that the server is done: its bytes go nowhere. */
  #clientEnded = false;

  constructor(client: Socket, server: Socket, weather: Weather) {
    this.#client = client;
    this.#server = server;
    this.#weather = weather;
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
    }
    client.on("data", (bytes) => {
      this.#later(() => server.write(bytes));
    });
    server.on("data", (bytes) => {
      this.#later(() => {
        this.#toClient(bytes);
      });
    });
    this.#passOn(client, server);
    this.#passOn(server, client);
  }

  /** Both sides: one of them may outlive the other while the proxy is frozen. */
  whenClosed(then: () => void): void {
    const look = (): void => {
      if (this.#client.closed && this.#server.closed) then();
    };
    this.#client.once("close", look);
    this.#server.once("close", look);
  }

  reset(): void {
    this.#held.length = 0;
    this.#client.resetAndDestroy();
    this.#server.resetAndDestroy();
  }

  endClient(): void {
    this.#clientEnded = true;
    this.#client.end();
  }

  countAnew(): void {
    this.#sinceCut = 0;
  }

  flush(): void {
    for (const act of this.#held.splice(0)) act();
  }

  /** An orderly end is passed on in order; a broken one breaks the other side, as far as the weather lets it be seen. */
  #passOn(from: Socket, to: Socket): void {
    from.on("end", () => {
      this.#later(() => to.end());
    });
    from.on("close", (broken) => {
      this.#later(() => {
        if (broken) to.resetAndDestroy();
        else to.destroySoon();
      });
    });
  }

  #toClient(bytes: Buffer): void {
    if (this.#clientEnded || this.#client.destroyed) return;
    const { cutAfter } = this.#weather;
    const left = cutAfter === undefined ? Infinity : cutAfter - this.#sinceCut;
    const part = bytes.subarray(0, Math.max(0, Math.min(bytes.length, left)));
    this.#sinceCut += part.length;
    this.#weather.bytes += part.length;
    if (part.length === bytes.length) this.#client.write(part);
    // Reset only once the part before the cut has left, or it would be lost with the rest.
    else
      this.#client.write(part, () => {
        setTimeout(() => {
          this.reset();
        }, 5);
      });
  }

  #later(act: () => void): void {
    const { delayMs } = this.#weather;
    if (delayMs > 0) setTimeout(() => this.#hold(act), delayMs);
    else this.#hold(act);
  }

  /** In order: what comes while something is held waits behind it. */
  #hold(act: () => void): void {
    if (this.#weather.frozen || this.#held.length > 0) this.#held.push(act);
    else act();
  }
}

function listen(port: number, onClient: (client: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onClient);
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve(server);
    });
  });
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
