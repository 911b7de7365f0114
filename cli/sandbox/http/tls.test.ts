import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAuthority, type MadeCertificate } from "../../../tests/setup/certificates.js";
import { startSandbox, type Sandbox, type TlsOptions } from "../sandbox.js";

const folder = mkdtempSync(join(tmpdir(), "sandbox-tls-"));
let ca: string;
let client: MadeCertificate;
let stranger: MadeCertificate;
let sandbox: Sandbox | undefined;

function file(name: string): string {
  return join(folder, name);
}

beforeAll(() => {
  const authority = createAuthority();
  const server = authority.issue({ name: "localhost" });
  client = authority.issue({ name: "harvester.example", use: "client" });
  stranger = createAuthority("Other").issue({ name: "stranger.example", use: "client" });
  ca = authority.cert;
  writeFileSync(file("cert.pem"), server.cert);
  writeFileSync(file("key.pem"), server.key);
  writeFileSync(file("ca.pem"), ca);
});
afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function start(tls: Partial<TlsOptions>): Promise<void> {
  sandbox = await startSandbox({
    source: { kind: "generated", count: 1 },
    tls: { certFile: file("cert.pem"), keyFile: file("key.pem"), caFile: file("ca.pem"), ...tls },
  });
}

/** The HTTP status, or the code of the failure. */
function ask(
  identity?: MadeCertificate,
  options: { maxVersion?: "TLSv1.2"; minVersion?: "TLSv1.3" } = {},
): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      `${sandbox!.url}?verb=Identify`,
      { ca, agent: false, ...identity, ...options },
      (response) => {
        response.resume();
        response.on("end", () => {
          resolve(response.statusCode ?? 0);
        });
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    sent.end();
  });
}

describe("TLS", () => {
  it("serves https, and tells who the client was", async () => {
    await start({ clientCertificate: "require" });
    expect(sandbox!.url).toMatch(/^https:/);
    expect(await ask(client)).toBe(200);
    expect(sandbox!.control.requests().last[0]?.clientName).toBe("harvester.example");
  });

  it("C90 without a certificate, or with a stranger's, there is no handshake", async () => {
    await start({ clientCertificate: "require" });
    expect(await ask()).toMatch(/ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ECONNRESET/);
    expect(await ask(stranger)).toMatch(/ALERT|ECONNRESET/);
    expect(sandbox!.control.requests().count).toBe(0);
  });

  it("C90 or the handshake succeeds and every request is refused", async () => {
    await start({ clientCertificate: "answer-403" });
    expect([await ask(), await ask(stranger), await ask(client)]).toEqual([403, 403, 200]);
  });

  it("C89 offers only the versions it was told to", async () => {
    await start({ maxVersion: "TLSv1.2" });
    expect(await ask(undefined, { minVersion: "TLSv1.3" })).toMatch(/EPROTO|PROTOCOL_VERSION/);
    expect(await ask(undefined, { maxVersion: "TLSv1.2" })).toBe(200);
    await sandbox!.close();
    await start({ minVersion: "TLSv1.3" });
    expect(await ask(undefined, { maxVersion: "TLSv1.2" })).toMatch(/EPROTO|PROTOCOL_VERSION/);
  });

  it("says which file it cannot read, and what is missing", async () => {
    await expect(start({ keyFile: file("absent.pem") })).rejects.toThrow(
      `The private key file ${file("absent.pem")} cannot be read`,
    );
    const certificates = { certFile: file("cert.pem"), keyFile: file("key.pem") };
    const without = startSandbox({
      source: { kind: "generated", count: 1 },
      tls: { ...certificates, clientCertificate: "require" },
    });
    await expect(without).rejects.toThrow(
      "Client certificates cannot be required without the authority that signs them",
    );
  });
});
