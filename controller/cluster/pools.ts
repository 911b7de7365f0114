/** Kept connections to one API server; new ones when the certificates changed, while the old ones finish what they do. */
import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { Pool, ProxyAgent, type Dispatcher } from "undici";
import { ConfigProblem } from "./config-problem.js";
import type { Credentials, TlsMaterial } from "./credentials.js";
import type { ClusterEntry } from "./target.js";
import { parseAddress } from "../../source/address.js";

export interface Pools {
  /** Throws ConfigProblem. */
  current(): Promise<Dispatcher>;
  /** The next request gets new connections: the kept ones may lead nowhere. */
  retire(): void;
  /** Waits for nothing: what is under way fails. */
  close(): Promise<void>;
}

/** Each watch and each followed log holds one; more requests at once wait for one another. */
const MAX_CONNECTIONS = 64;
const CONNECT_MS = 10_000;
/** kube-apiserver hangs up on idle connections after 90 s: we are first. */
const KEEP_ALIVE_MS = 60_000;

interface Generation {
  readonly fingerprint: string;
  readonly dispatcher: Dispatcher;
}

export function createPools(cluster: ClusterEntry, credentials: Credentials): Pools {
  let generation: Generation | undefined;
  let closed = false;
  const retiring = new Set<Dispatcher>();

  function retire(): void {
    if (generation === undefined) return;
    const { dispatcher } = generation;
    generation = undefined;
    retiring.add(dispatcher);
    void dispatcher
      .close()
      .catch(() => undefined)
      .finally(() => {
        retiring.delete(dispatcher);
      });
  }

  async function current(): Promise<Dispatcher> {
    const material = await credentials.tls();
    if (closed) throw closedProblem();
    if (generation?.fingerprint === material.fingerprint) return generation.dispatcher;
    const problem = problemOf(material);
    // Certificate and key are replaced one after the other: the old pair serves until the new one fits.
    if (problem !== undefined && generation !== undefined) return generation.dispatcher;
    if (problem !== undefined) throw problem;
    retire();
    generation = { fingerprint: material.fingerprint, dispatcher: open(cluster, material) };
    return generation.dispatcher;
  }

  async function close(): Promise<void> {
    closed = true;
    const all = [...retiring, ...(generation === undefined ? [] : [generation.dispatcher])];
    generation = undefined;
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }

  return { current, retire, close };
}

function open(cluster: ClusterEntry, material: TlsMaterial): Dispatcher {
  const { server, insecure, tlsServerName, proxyUrl } = cluster;
  const { ca, cert, key } = material;
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
    rejectUnauthorized: !insecure,
    timeout: CONNECT_MS,
  };
  const kept = {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  if (proxyUrl === undefined) return new Pool(server.origin, { ...kept, connect: tls });
  return throughProxy(proxyUrl, { tls, kept });
}

function throughProxy(
  proxyUrl: string,
  { tls, kept }: { readonly tls: object; readonly kept: object },
): Dispatcher {
  const protocol = parseAddress(proxyUrl)?.protocol ?? "";
  if (/^(https?|socks5):$/.test(protocol))
    return new ProxyAgent({ uri: proxyUrl, requestTls: tls, proxyTunnel: true, ...kept });
  throw new ConfigProblem("ProxyInvalid", {
    sentence: "The proxy-url of the cluster is no address of the form http://, https:// or socks5://.",
    remedy: "Correct it in the kubeconfig.",
  });
}

function problemOf({ ca, cert, key }: TlsMaterial): ConfigProblem | undefined {
  try {
    createSecureContext({ cert, key });
    // The TLS library takes an unreadable authority for none, and then trusts nobody.
    if (ca !== undefined) new X509Certificate(ca);
    return undefined;
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    return new ConfigProblem("CertificateInvalid", {
      sentence: `The client certificate, its key or the certificate authority cannot be used (${code}).`,
      remedy: "Check that certificate and key belong together and that all are PEM files.",
    });
  }
}

function closedProblem(): ConfigProblem {
  return new ConfigProblem("Closed", {
    sentence: "The connection to the API server was closed.",
    remedy: "The program is ending: nothing to do.",
  });
}
