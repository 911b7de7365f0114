import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../harvester/fetch/client.js";
import { createAuthority } from "../setup/certificates.js";
import { httpAnswer, startFaultServer } from "../setup/fault-server.js";
import { faultOf, get, readAll, testClient, type ClientWish } from "../setup/test-client.js";

const authority = createAuthority();
const open: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

/** A proxy that knows every name as this machine; notes what it was asked. */
async function startProxy(refuse?: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    response.writeHead(refuse ?? 200).end("by proxy");
  });
  server.on("connect", (request, socket, head) => {
    asked.push(`CONNECT ${request.url ?? ""}`);
    socket.on("error", () => undefined);
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${String(refuse)} No\r\n\r\n`);
      return;
    }
    const target = connect(Number(request.url?.split(":").pop()), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked };
}

function client(baseUrl: string, proxyUrl: string, wish: ClientWish = {}): Client {
  const trusting = { headers: {}, warnings: [], ca: { pem: authority.cert, from: "ca.crt" } };
  const made = testClient(baseUrl, {
    material: () => Promise.resolve(trusting),
    ...wish,
    transport: { ...wish.transport, proxyUrl },
  });
  open.push(made);
  return made;
}

describe("a proxy", () => {
  it("gets http requests as a whole address", async () => {
    const proxy = await startProxy();
    const url = "http://source.example/oai?verb=Identify";
    expect(await readAll(await client(url, proxy.url).send(get(url)))).toBe("by proxy");
    expect(proxy.asked).toEqual(["GET http://source.example/oai?verb=Identify"]);
  });

  it("only tunnels https: the certificate of the source is checked, also against its name", async () => {
    const source = await startFaultServer(
      (socket) => socket.write(httpAnswer(200, {}, "through")),
      authority.issue({ name: "source.example", names: ["DNS:source.example"] }),
    );
    open.push(source);
    const proxy = await startProxy();
    const url = `https://source.example:${String(source.port)}/oai`;
    const made = client(url, proxy.url);
    expect(await readAll(await made.send(get(url)))).toBe("through");
    expect(await readAll(await made.send(get(url)))).toBe("through");
    expect(proxy.asked).toEqual([`CONNECT source.example:${String(source.port)}`]);
    const wrong = `https://other.example:${String(source.port)}/oai`;
    expect(await faultOf(client(wrong, proxy.url).send(get(wrong)))).toMatchObject({
      kind: "unavailable",
      code: "TlsWrongName",
    });
  });

  it("C90 shows the client certificate to the source through the tunnel", async () => {
    const seen: unknown[] = [];
    const source = await startFaultServer(
      (socket) => {
        seen.push((socket as TLSSocket).getPeerCertificate().subject.CN);
        socket.write(httpAnswer(200, {}, "ok"));
      },
      { ...authority.issue({ name: "localhost" }), requestCert: true, ca: authority.cert },
    );
    open.push(source);
    const proxy = await startProxy();
    const clientCertificate = { ...authority.issue({ name: "harvester", use: "client" }), from: "tls.crt" };
    const material = {
      headers: {},
      warnings: [],
      ca: { pem: authority.cert, from: "ca.crt" },
      clientCertificate,
    };
    const made = client(source.origin, proxy.url, {
      transport: { mtls: true },
      material: () => Promise.resolve(material),
    });
    expect(await readAll(await made.send(get(source.origin)))).toBe("ok");
    expect(seen).toEqual(["harvester"]);
  });

  it.each(["https", "http"])("that refuses %s is named", async (scheme) => {
    const proxy = await startProxy(407);
    const url = `${scheme}://source.example/oai`;
    const fault = await faultOf(client(url, proxy.url).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "ProxyRefused" });
    expect(fault.message).toBe(
      `The proxy ${new URL(proxy.url).host} did not open the way to source.example (it answered 407).`,
    );
  });

  it("that is not there is named", async () => {
    const gone = await startFaultServer(() => undefined);
    await gone.close();
    const url = "https://source.example/oai";
    const fault = await faultOf(client(url, gone.origin).send(get(url)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "ConnectionRefused" });
    expect(fault.message).toContain(`the proxy ${new URL(gone.origin).host}`);
  });

  it.each(["http://127.0.0.1/", "http://169.254.169.254/", "https://[::1]/"])(
    "C91 is not asked for %s",
    async (url) => {
      const proxy = await startProxy();
      const fault = await faultOf(
        client(url, proxy.url, { transport: { allowPrivateNetwork: false } }).send(get(url)),
      );
      expect(fault).toMatchObject({ kind: "config", code: "AddressNotAllowed" });
      expect(proxy.asked).toEqual([]);
    },
  );

  it("C91 is not asked for a name this machine knows to be private", async () => {
    const proxy = await startProxy();
    const url = "http://inside.example/";
    const resolve = (): Promise<{ address: string; family: number }[]> =>
      Promise.resolve([{ address: "10.0.0.1", family: 4 }]);
    const made = client(url, proxy.url, { transport: { allowPrivateNetwork: false }, resolve });
    expect(await faultOf(made.send(get(url)))).toMatchObject({ code: "AddressNotAllowed" });
    expect(proxy.asked).toEqual([]);
  });
});
