/**
 * An OAI-PMH 2.0 repository to harvest from: what `harvestctl sandbox`, dry runs, tests and the benchmark use, over
 * real sockets. It answers strictly by the protocol until it is told to make a mistake.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Content } from "./content/content.js";
import type { Format } from "./content/format.js";
import { folderContent } from "./content/folder-content.js";
import { generatedContent } from "./content/generated-content.js";
import { createControl, type Control } from "./control.js";
import { controlOverHttp } from "./control-http.js";
import { ArmedFaults } from "./faults/armed-faults.js";
import { Requests } from "./http/request-log.js";
import { createServer, OAI_PATH } from "./http/server.js";
import type { Site } from "./oai/site.js";
import { Tokens } from "./oai/tokens.js";
import type { SandboxOptions } from "./options.js";
import { Repository } from "./repository/repository.js";

export type { Control } from "./control.js";
export type { SandboxOptions, TlsOptions } from "./options.js";
export type { ServerFault } from "./faults/server-faults.js";

export interface Sandbox {
  /** The base URL to harvest from. */
  readonly url: string;
  readonly port: number;
  readonly control: Control;
  /** Records at the start, and files of a folder that hold none. */
  readonly serves: {
    readonly records: number;
    readonly formats: readonly Format[];
    readonly skipped: readonly string[];
  };
  /** Ends at once, also in the middle of a drip; resolves when the port is free. */
  close(): Promise<void>;
}

/** Rejects with a sentence when the folder, a certificate file or the port cannot be had. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { content, skipped } = contentOf(options);
  const site = siteOf(options, content);
  const faults = new ArmedFaults();
  const requests = new Requests();
  const control = createControl({ site, faults, log: requests });
  const server = createServer({
    site,
    faults,
    requests,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    control: controlOverHttp(control),
  });
  const host = options.host ?? "127.0.0.1";
  await listen(server, host, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const url = `${options.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${String(port)}${OAI_PATH}`;
  site.live.baseUrl = url;
  return {
    url,
    port,
    control,
    serves: { records: content.size, formats: site.formats, skipped },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new Error(`The sandbox cannot listen on ${host}:${String(port)}: ${error.message}`, { cause: error }),
      );
    });
    server.listen(port, host, resolve);
  });
}

function contentOf({ source }: SandboxOptions): {
  readonly content: Content;
  readonly skipped: readonly string[];
} {
  if (source.kind === "generated") return { content: generatedContent(source), skipped: [] };
  const content = folderContent(source.directory);
  return { content, skipped: content.skipped };
}

const defaults = {
  granularity: "second",
  deletedRecord: "persistent",
  pageSize: 100,
  sets: true,
  tokens: { kind: "stateless" },
  listSize: true,
  gzip: true,
  provenance: false,
  repositoryName: "Harvest sandbox",
  clock: Date.now,
} as const;

function siteOf(given: SandboxOptions, content: Content): Site {
  const options = { ...defaults, ...withoutUndefined(given) };
  const live = { pageSize: options.pageSize, clockOffsetMs: 0, baseUrl: "" };
  return {
    ...options,
    repository: new Repository(content, options.deletedRecord),
    tokens: new Tokens(options.tokens),
    formats: content.formats.filter((format) => given.formats?.includes(format) ?? true),
    sets: options.sets && content.sets.length > 0,
    adminEmail: "sandbox@example.org",
    live,
    now: () => Math.floor((options.clock() + live.clockOffsetMs) / 1000),
  };
}

/** An option handed on as undefined (a flag nobody gave) means its default. */
function withoutUndefined(given: SandboxOptions): SandboxOptions {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as SandboxOptions;
}
