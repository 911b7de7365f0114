import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createPlain } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket, TlsOptions } from "node:tls";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../harvester/fetch/client.js";
import type { TransportMaterial } from "../../harvester/fetch/material.js";
import { createAuthority, inDays, selfSigned, type MadeCertificate } from "../setup/certificates.js";
import { startFaultServer } from "../setup/fault-server.js";
import { faultOf, get, readAll, testClient, type ClientWish } from "../setup/test-client.js";

const authority = createAuthority("Agency Root");
const serverPair = authority.issue({ name: "localhost" });
const clientAuthority = createAuthority("Client Root");
const clientPair = clientAuthority.issue({ name: "harvester", use: "client" });

const servers: Server[] = [];
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
});

async function serve(
  pair: MadeCertificate,
  options: TlsOptions = {},
): Promise<{ url: string; port: number }> {
  const server = createServer({ ...pair, ...options }, (request, response) => {
    const peer = (request.socket as TLSSocket).getPeerCertificate();
    response.end(`hello ${peer.subject?.CN ?? "stranger"}`);
  });
  server.on("tlsClientError", () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${String(port)}/oai`, port };
}

function material(over: Partial<TransportMaterial> = {}): () => Promise<TransportMaterial> {
  const made: TransportMaterial = {
    headers: {},
    warnings: [],
    ca: { pem: authority.cert, from: "ca.crt" },
    ...over,
  };
  return () => Promise.resolve(made);
}

function open(url: string, wish: ClientWish = {}): Client {
  const client = testClient(url, { material: material(), ...wish });
  clients.push(client);
  return client;
}

/** OpenSSL's own server: unlike Node's it tells the client by an alert why it hangs up. */
async function startOpenssl(version: "TLSv1.2" | "TLSv1.3"): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "harvest-openssl-"));
  for (const [file, text] of [
    ["cert", serverPair.cert],
    ["key", serverPair.key],
    ["ca", clientAuthority.cert],
  ] as const) {
    writeFileSync(join(folder, file), text);
  }
  const protocol = version === "TLSv1.2" ? "-tls1_2" : "-tls1_3";
  const child = spawn(
    "openssl",
    [
      "s_server",
      "-accept",
      "0",
      "-cert",
      "cert",
      "-key",
      "key",
      "-CAfile",
      "ca",
      "-Verify",
      "1",
      "-verify_return_error",
      "-www",
      protocol,
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "ignore"] },
  );
  const port = await new Promise<string>((resolve) => {
    let said = "";
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      const found = /ACCEPT .*:(\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    url: `https://localhost:${port}/oai`,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const presenting = material({ clientCertificate: { ...clientPair, from: "tls.crt" } });

describe("server certificates", () => {
  it("a private authority is trusted beside the public ones", async () => {
    const { url } = await serve(serverPair);
    const response = await open(url).send(get(url));
    expect(await readAll(response)).toBe("hello stranger");
    expect(response.warnings).toEqual([]);
  });

  it("a private authority may be the only one", async () => {
    const { url } = await serve(serverPair);
    expect(await readAll(await open(url, { material: material({ caMode: "only" }) }).send(get(url)))).toBe(
      "hello stranger",
    );
  });

  it("C88 an unknown authority: refused, with issuer and notAfter", async () => {
    const { url, port } = await serve(authority.issue({ name: "localhost", until: "20390102030405Z" }));
    const fault = await faultOf(open(url, { material: material({ ca: undefined }) }).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "TlsUntrusted" });
    expect(fault.message).toBe(
      `The TLS certificate of localhost:${String(port)} comes without its intermediate certificate, or from an authority this program does not know (issued by Agency Root for localhost, valid until 2039-01-02).`,
    );
    expect(fault.detail.remedy).toContain("spec.transport.caSecretName");
  });

  it("C88 an expired certificate: says since when, and who must act", async () => {
    const { url, port } = await serve(
      authority.issue({ name: "localhost", from: "20200101000000Z", until: "20210203000000Z" }),
    );
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "TlsUntrusted" });
    expect(fault.message).toBe(
      `The TLS certificate of localhost:${String(port)} has expired (issued by Agency Root for localhost, valid until 2021-02-03).`,
    );
  });

  it("C88 a certificate that is not valid yet", async () => {
    const { url } = await serve(authority.issue({ name: "localhost", from: inDays(10) }));
    expect((await faultOf(open(url).send(get(url)))).message).toContain("is not valid yet");
  });

  it("C88 a self-signed certificate", async () => {
    const { url } = await serve(selfSigned({ name: "localhost" }));
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault).toMatchObject({ code: "TlsUntrusted" });
    expect(fault.message).toContain("is self-signed (issued by localhost for localhost");
  });

  it("C88 a missing intermediate certificate; with it in the bundle the source is reached", async () => {
    const middle = authority.intermediate("Agency Middle");
    const { url } = await serve(middle.issue({ name: "localhost" }));
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault.message).toContain("comes without its intermediate certificate");
    expect(fault.message).toContain("issued by Agency Middle");
    const bundle = { pem: `${authority.cert}${middle.cert}`, from: "ca.crt" };
    expect(await readAll(await open(url, { material: material({ ca: bundle }) }).send(get(url)))).toBe(
      "hello stranger",
    );
  });

  it("C88 a certificate for another name: says for which", async () => {
    const { url, port } = await serve(
      authority.issue({ name: "other.example", names: ["DNS:other.example"] }),
    );
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "TlsWrongName" });
    expect(fault.message).toBe(
      `The TLS certificate localhost:${String(port)} shows is not made out to localhost, but to DNS:other.example.`,
    );
  });

  it("C88 a certificate that ends within 30 days is spoken of", async () => {
    const { url } = await serve(authority.issue({ name: "localhost", until: inDays(10.5) }));
    const response = await open(url).send(get(url));
    await readAll(response);
    expect(response.warnings.map(({ code }) => code)).toEqual(["server-certificate-expires"]);
    expect(response.warnings[0]!.sentence).toMatch(
      /issued by Agency Root\) expires on \d{4}-\d\d-\d\d, in 10 days: renew it\.$/,
    );
  });
});

describe("TLS versions", () => {
  it("C89 only TLS 1.2 where the manifest wants 1.3: both are named, with the setting", async () => {
    const { url, port } = await serve(serverPair, { maxVersion: "TLSv1.2" });
    const fault = await faultOf(open(url, { transport: { minTlsVersion: "1.3" } }).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "TlsTooOld" });
    expect(fault.message).toBe(
      `localhost:${String(port)} offers at most TLS 1.2; the manifest requires TLS 1.3 (spec.transport.minTlsVersion).`,
    );
    expect(fault.detail.remedy).toContain('minTlsVersion: "1.2"');
  });

  it("C89 only TLS 1.0: named, and nothing to set", async () => {
    const { url, port } = await serve(serverPair, {
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    });
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault.code).toBe("TlsTooOld");
    expect(fault.message).toBe(
      `localhost:${String(port)} offers at most TLS 1.0; the manifest requires TLS 1.2 (spec.transport.minTlsVersion).`,
    );
    expect(fault.detail.remedy).not.toContain("Set ");
  });

  it("TLS 1.2 is spoken where the manifest allows it", async () => {
    const { url } = await serve(serverPair, { maxVersion: "TLSv1.2" });
    expect(await readAll(await open(url).send(get(url)))).toBe("hello stranger");
  });

  it("plain http behind an https address: not TLS", async () => {
    const server = createPlain((_request, response) => response.end("plain"));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://localhost:${String(port)}/oai`;
    const fault = await faultOf(open(url).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "NotTls" });
    expect(fault.message).toBe(
      `localhost:${String(port)} does not speak TLS on this port, although the address says https.`,
    );
    server.close();
  });
});

describe("client certificates", () => {
  const demanding: TlsOptions = { requestCert: true, rejectUnauthorized: true, ca: clientAuthority.cert };
  const versions = ["TLSv1.3", "TLSv1.2"] as const;

  it.each(versions)("C90 %s: certificate and key from the material open the door", async (version) => {
    const { url } = await serve(serverPair, { ...demanding, maxVersion: version, minVersion: version });
    expect(
      await readAll(await open(url, { material: presenting, transport: { mtls: true } }).send(get(url))),
    ).toBe("hello harvester");
  });

  it.each(versions)("C90 %s: a certificate of an unknown authority is denied", async (version) => {
    const { url, port } = await serve(serverPair, {
      ...demanding,
      ca: authority.cert,
      maxVersion: version,
      minVersion: version,
    });
    const fault = await faultOf(
      open(url, { material: presenting, transport: { mtls: true } }).send(get(url)),
    );
    expect(fault).toMatchObject({ kind: "denied", code: "ClientCertRejected" });
    expect(fault.message).toBe(
      `localhost:${String(port)} does not accept the client certificate that was presented (tls.crt).`,
    );
  });

  it.each(versions)("C90 %s: an expired client certificate is denied", async (version) => {
    const { url } = await serve(serverPair, { ...demanding, maxVersion: version, minVersion: version });
    const expired = clientAuthority.issue({
      name: "old",
      use: "client",
      from: inDays(-20),
      until: inDays(-2),
    });
    const old = material({ clientCertificate: { ...expired, from: "tls.crt" } });
    expect(
      await faultOf(open(url, { material: old, transport: { mtls: true } }).send(get(url))),
    ).toMatchObject({
      kind: "denied",
      code: "ClientCertRejected",
    });
  });

  it.each(versions)("C90 %s: none given, and the server says so with an alert", async (version) => {
    const server = await startOpenssl(version);
    const fault = await faultOf(open(server.url).send(get(server.url)));
    expect([fault.kind, fault.code]).toEqual(["denied", "ClientCertRejected"]);
    expect(fault.message).toBe(
      `${new URL(server.url).host} wants a client certificate, and none was presented.`,
    );
    expect(fault.detail.remedy).toContain("spec.transport.mtls: true");
    server.stop();
  });

  it.each(versions)("C90 %s: a wrong one, and the server says so with an alert", async (version) => {
    const server = await startOpenssl(version);
    const wrong = { ...authority.issue({ name: "harvester", use: "client" }), from: "tls.crt" };
    const wish = { material: material({ clientCertificate: wrong }), transport: { mtls: true } };
    expect(await faultOf(open(server.url, wish).send(get(server.url)))).toMatchObject({
      kind: "denied",
      code: "ClientCertRejected",
    });
    server.stop();
  });

  it("C90 none given, and a server of another make: the alert that the request overtook is found", async () => {
    const { url } = await serve(serverPair, { ...demanding, minVersion: "TLSv1.3" });
    expect(await faultOf(open(url).send(get(url)))).toMatchObject({
      kind: "denied",
      code: "ClientCertRejected",
    });
  });

  it("C90 none given, and the server hangs up without a word: a hang-up, with a hint", async () => {
    const server = await startFaultServer((socket) => socket.destroy(), { ...serverPair });
    const fault = await faultOf(open(server.origin).send(get(server.origin)));
    expect([fault.kind, fault.code]).toEqual(["transient", "ConnectionReset"]);
    expect(fault.detail.remedy).toContain("set spec.transport.mtls: true");
    await server.close();
  });

  it("C90 a TLS 1.3 server that only hangs up: two fresh connections, then denied", async () => {
    const server = await startFaultServer((socket) => socket.destroy(), { ...serverPair });
    const url = `${server.origin}/oai`;
    const fault = await faultOf(
      open(url, { material: presenting, transport: { mtls: true } }).send(get(url)),
    );
    expect([fault.code, server.connections()]).toEqual(["ClientCertRejected", 2]);
    await server.close();
  });

  it("C90 a hang-up after the certificate had been accepted is a hang-up", async () => {
    const server = await startFaultServer(
      (socket, { number }) => {
        if (number === 1) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
        else socket.destroy();
      },
      { ...serverPair },
    );
    const url = `${server.origin}/oai`;
    const client = open(url, { material: presenting, transport: { mtls: true } });
    expect(await readAll(await client.send(get(url)))).toBe("ok");
    expect(await faultOf(client.send(get(url)))).toMatchObject({
      kind: "transient",
      code: "ConnectionReset",
    });
    await server.close();
  });

  it("C90 the certificate is not presented unless the manifest says so", async () => {
    const { url } = await serve(serverPair, { ...demanding, rejectUnauthorized: false });
    expect(await readAll(await open(url, { material: presenting }).send(get(url)))).toBe("hello stranger");
  });

  it("C90 mtls without a certificate is a fault of the configuration, before any connection", async () => {
    const { url } = await serve(serverPair);
    expect(await faultOf(open(url, { transport: { mtls: true } }).send(get(url)))).toMatchObject({
      kind: "config",
      code: "ClientCertMissing",
    });
  });

  it("C90 a key of another certificate is named before any connection", async () => {
    const mixed = { cert: clientPair.cert, key: authority.key, from: "tls.crt and tls.key" };
    const { url } = await serve(serverPair);
    const fault = await faultOf(
      open(url, { material: material({ clientCertificate: mixed }), transport: { mtls: true } }).send(
        get(url),
      ),
    );
    expect(fault).toMatchObject({ kind: "config", code: "ClientKeyMismatch" });
    expect(fault.message).toBe(
      "The client certificate and its private key do not belong together (tls.crt and tls.key).",
    );
  });

  it("C90 new certificate files are used for the next request, without a restart", async () => {
    const { url } = await serve(serverPair, demanding);
    const renewed = clientAuthority.issue({ name: "renewed", use: "client" });
    let now = await presenting();
    const client = open(url, { material: () => Promise.resolve(now), transport: { mtls: true } });
    expect(await readAll(await client.send(get(url)))).toBe("hello harvester");
    now = { ...now, clientCertificate: { ...renewed, from: "tls.crt" } };
    expect(await readAll(await client.send(get(url)))).toBe("hello renewed");
  });

  it("C80 neither certificate nor secret headers go to another origin", async () => {
    const seen: string[] = [];
    const stranger = createServer(
      { ...serverPair, ...demanding, rejectUnauthorized: false },
      (request, response) => {
        const peer = (request.socket as TLSSocket).getPeerCertificate();
        seen.push(
          `${peer.subject?.CN ?? "stranger"} ${request.headers["authorization"] ?? "no header"} ${request.url ?? ""}`,
        );
        response.end("there");
      },
    );
    servers.push(stranger);
    await new Promise<void>((resolve) => stranger.listen(0, resolve));
    const away = `https://localhost:${String((stranger.address() as AddressInfo).port)}`;
    const home = await startFaultServer(
      (socket) => socket.end(`HTTP/1.1 302 Found\r\nlocation: ${away}/oai\r\ncontent-length: 0\r\n\r\n`),
      {
        ...serverPair,
        requestCert: true,
        rejectUnauthorized: false,
      },
    );
    const url = `${home.origin}/oai?verb=Identify`;
    const secret = material({
      clientCertificate: { ...clientPair, from: "tls.crt" },
      headers: { authorization: "Bearer s3cret" },
    });
    const client = open(url, { material: secret, transport: { mtls: true, allowedRedirectOrigins: [away] } });
    const response = await client.send(get(url));
    expect(await readAll(response)).toBe("there");
    expect(home.requests[0]).toContain("authorization: Bearer s3cret");
    expect(seen).toEqual(["stranger no header /oai?verb=Identify"]);
    expect(response.warnings.map(({ code }) => code)).toEqual(["secrets-withheld"]);
    await home.close();
  });
});
