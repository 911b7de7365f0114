/** A git repository behind https on loopback, served by git's own http-backend: what the Git sync is allowed to fetch from. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createAuthority } from "./certificates.js";
import type { TestRepository } from "./git-repository.js";

export interface GitServer {
  readonly url: string;
  /** As a mounted Secret: ca.crt, username, password. */
  readonly secretDirectory: string;
  stop(): Promise<void>;
}

const password = "let-me-fetch";
const authorization = `Basic ${Buffer.from(`sync:${password}`).toString("base64")}`;

export async function serveRepository(repository: TestRepository): Promise<GitServer> {
  const authority = createAuthority("Git server");
  const server = createServer(authority.issue({ name: "localhost" }), (request, response) => {
    if (request.headers.authorization === authorization) runBackend(repository, request, response);
    else response.writeHead(401, { "www-authenticate": "Basic realm=git" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const secretDirectory = mkdtempSync(join(tmpdir(), "git-secret-"));
  const files = { "ca.crt": authority.cert, username: "sync", password };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(secretDirectory, name), text, { mode: 0o600 });
  return {
    url: `https://localhost:${String(port)}/${basename(repository.folder)}/.git`,
    secretDirectory,
    stop: async () => {
      rmSync(secretDirectory, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** CGI (RFC 3875), as far as git needs it. */
function runBackend(repository: TestRepository, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "https://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: dirname(repository.folder),
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      REMOTE_ADDR: "127.0.0.1",
      REMOTE_USER: "sync",
    },
  });
  child.stdin.on("error", () => undefined);
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part));
  child.on("close", () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf("\r\n\r\n");
    const lines = whole.subarray(0, end).toString("latin1").split("\r\n");
    const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1] ?? "200";
    response.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name !== "Status")),
    );
    response.end(whole.subarray(end + 4));
  });
}
