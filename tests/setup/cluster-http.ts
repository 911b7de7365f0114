/** Plain HTTPS to an API server, for the tests themselves: what the product's own client does is not taken for granted. */
import { Agent, request } from "node:https";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** Where a server is and who we are there. */
export interface Access {
  /** https://host:port, no slash at the end. */
  readonly server: string;
  /** PEM; the server's certificate must lead to it. */
  readonly certificateAuthority: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  /** Undefined for a body that is no JSON; `text` has it. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface Call {
  readonly body?: unknown;
  /** Default: application/json. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request; an answer of any status is an answer. Rejects when there is none. */
export type Http = (method: string, path: string, call?: Call) => Promise<Answer>;

export interface ClusterHttp {
  readonly send: Http;
  close(): void;
}

export function clusterHttp({ server, certificateAuthority, token }: Access): ClusterHttp {
  const agent = new Agent({ keepAlive: true, ca: certificateAuthority, maxSockets: 8 });
  return {
    send: (method, path, call = {}) =>
      new Promise((resolve, reject) => {
        const body = call.body === undefined ? undefined : bodyOf(call.body);
        const outgoing = request(`${server}${path}`, {
          method,
          agent,
          timeout: 30_000,
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json",
            ...(body === undefined
              ? {}
              : { "content-type": call.type ?? "application/json", "content-length": String(body.length) }),
            ...call.headers,
          },
        });
        outgoing.once("timeout", () => outgoing.destroy(new Error(`${method} ${path}: no answer in 30 s`)));
        outgoing.once("error", reject);
        outgoing.once("response", (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.once("error", reject);
          response.once("end", () => {
            const text = Buffer.concat(parts).toString("utf8");
            resolve({
              status: response.statusCode ?? 0,
              json: jsonOf(text),
              text,
              headers: response.headers,
            });
          });
        });
        outgoing.end(body);
      }),
    close: () => {
      agent.destroy();
    },
  };
}

function bodyOf(body: unknown): Buffer {
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A kubeconfig with one cluster and one user. */
export function kubeconfigText(access: Access, namespace = "default"): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: "test",
        cluster: {
          server: access.server,
          "certificate-authority-data": Buffer.from(access.certificateAuthority).toString("base64"),
        },
      },
    ],
    users: [{ name: "test", user: { token: access.token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace } }],
    "current-context": "test",
  });
}

/** Reads back what kubeconfigText wrote, or any kubeconfig with a token and an embedded authority. */
export function accessOf(kubeconfig: string): Access {
  const config = parse(readFileSync(kubeconfig, "utf8")) as {
    clusters: { cluster: { server: string; "certificate-authority-data"?: string } }[];
    users: { user: { token?: string } }[];
  };
  const cluster = config.clusters[0]?.cluster;
  const token = config.users[0]?.user.token;
  if (cluster === undefined || token === undefined)
    throw new Error(`${kubeconfig} has no cluster, or no user with a token: the tests need both.`);
  return {
    server: cluster.server,
    certificateAuthority: Buffer.from(cluster["certificate-authority-data"] ?? "", "base64").toString("utf8"),
    token,
  };
}
