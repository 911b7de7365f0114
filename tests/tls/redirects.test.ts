import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../harvester/fetch/client.js";
import { createAuthority } from "../setup/certificates.js";
import { httpAnswer, startFaultServer, type FaultServer } from "../setup/fault-server.js";
import { faultOf, get, readAll, testClient, type ClientWish } from "../setup/test-client.js";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

/** Paths and where they lead: [status, location]; every other path answers with itself. */
async function leading(ways: Readonly<Record<string, readonly [number, string]>>): Promise<FaultServer> {
  const server = await startFaultServer((socket, { path, head }) => {
    const way = ways[path.replace(/\?.*$/, "")];
    if (way === undefined) socket.write(httpAnswer(200, {}, `${head.split(" ")[0] ?? ""} ${path}`));
    else socket.write(httpAnswer(way[0], { location: way[1] }, "moved"));
  });
  open.push(server);
  return server;
}

function client(baseUrl: string, wish: ClientWish = {}): Client {
  const made = testClient(baseUrl, wish);
  open.push(made);
  return made;
}

describe("redirects that are followed", () => {
  it("C79 permanently to a new path: followed over the same connection, query kept, and told", async () => {
    const server = await leading({ "/oai": [301, "/oai2?verb=Identify"] });
    const response = await client(server.origin).send(get(`${server.origin}/oai?verb=Identify`));
    expect(await readAll(response)).toBe("GET /oai2?verb=Identify");
    expect(response.url).toBe(`${server.origin}/oai2?verb=Identify`);
    expect(response.warnings).toEqual([
      {
        code: "moved-permanently",
        sentence: `${server.origin}/oai has moved permanently to ${server.origin}/oai2: update spec.baseUrl.`,
      },
    ]);
    expect(server.connections()).toBe(1);
  });

  it("C79 a Location without a query gets the one that was asked", async () => {
    const server = await leading({ "/oai": [302, "/new/"] });
    const response = await client(server.origin).send(get(`${server.origin}/oai?verb=ListRecords&set=a%3Ab`));
    expect(await readAll(response)).toBe("GET /new/?verb=ListRecords&set=a%3Ab");
    expect(response.warnings).toEqual([]);
  });

  it("C80 a relative Location is resolved against the address that answered", async () => {
    const server = await leading({ "/a/b/oai": [302, "../c?x=1"] });
    expect(await readAll(await client(server.origin).send(get(`${server.origin}/a/b/oai`)))).toBe(
      "GET /a/c?x=1",
    );
  });

  it("C79 five steps are followed", async () => {
    const server = await leading({
      "/0": [302, "/1"],
      "/1": [302, "/2"],
      "/2": [302, "/3"],
      "/3": [302, "/4"],
      "/4": [302, "/5"],
    });
    expect(await readAll(await client(server.origin).send(get(`${server.origin}/0`)))).toBe("GET /5");
  });

  it("C79 moved for good only as far as every step was permanent", async () => {
    const server = await leading({ "/0": [308, "/1"], "/1": [302, "/2"], "/2": [301, "/3"] });
    const response = await client(server.origin).send(get(`${server.origin}/0`));
    await readAll(response);
    expect(response.warnings.map(({ sentence }) => sentence)).toEqual([
      `${server.origin}/0 has moved permanently to ${server.origin}/1: update spec.baseUrl.`,
    ]);
  });

  it("303 turns a form into a question; 307 does not", async () => {
    const server = await leading({ "/303": [303, "/done"], "/307": [307, "/done"] });
    const made = client(server.origin);
    const form = { method: "POST", headers: {}, body: "verb=Identify" } as const;
    expect(await readAll(await made.send({ ...form, url: `${server.origin}/303` }))).toBe("GET /done");
    expect(await readAll(await made.send({ ...form, url: `${server.origin}/307` }))).toBe("POST /done");
  });

  it("C79 http to https of the same host", async () => {
    const authority = createAuthority();
    const secure = await startFaultServer(
      (socket) => socket.write(httpAnswer(200, {}, "safe")),
      authority.issue({ name: "localhost" }),
    );
    const plain = await leading({ "/oai": [301, `${secure.origin}/oai`] });
    open.push(secure);
    const home = `http://localhost:${String(plain.port)}`;
    const material = {
      headers: { "x-key": "s3cret" },
      warnings: [],
      ca: { pem: authority.cert, from: "ca.crt" },
    };
    const response = await client(home, { material: () => Promise.resolve(material) }).send(
      get(`${home}/oai?verb=Identify`),
    );
    expect(await readAll(response)).toBe("safe");
    expect(secure.requests[0]).not.toContain("s3cret");
    expect(response.warnings.map(({ code }) => code)).toEqual(["moved-permanently", "secrets-withheld"]);
  });

  it("to an origin the manifest allows, and home again", async () => {
    const away = await leading({});
    const home = await leading({ "/oai": [302, `${away.origin}/there`] });
    const made = client(home.origin, {
      transport: { allowedRedirectOrigins: [away.origin.toUpperCase().replace("HTTP", "http")] },
    });
    expect(await readAll(await made.send(get(`${home.origin}/oai`)))).toBe("GET /there");
  });

  it("a 3xx without Location is an answer like any other", async () => {
    const server = await startFaultServer((socket) => socket.write(httpAnswer(304, {})));
    open.push(server);
    expect((await client(server.origin).send(get(server.origin))).status).toBe(304);
  });
});

describe("redirects that are refused", () => {
  it("C80 to another origin, naming both and the setting", async () => {
    const away = await leading({});
    const home = await leading({ "/oai": [302, `${away.origin}/oai?token=abc`] });
    const fault = await faultOf(client(home.origin).send(get(`${home.origin}/oai`)));
    expect(fault).toMatchObject({ kind: "config", code: "RedirectNotAllowed" });
    expect(fault.message).toBe(
      `${home.origin}/oai redirects to another origin, ${away.origin}/oai?token=***, which the manifest does not allow.`,
    );
    expect(fault.detail.remedy).toContain(`add ${away.origin} to spec.transport.allowedRedirectOrigins`);
    expect(away.connections()).toBe(0);
  });

  it("C80 A to B to A is a loop", async () => {
    const server = await leading({ "/a": [302, "/b"], "/b": [302, "/a"] });
    expect(await faultOf(client(server.origin).send(get(`${server.origin}/a`)))).toMatchObject({
      kind: "protocol",
      code: "RedirectLoop",
    });
    expect(server.requests).toHaveLength(2);
  });

  it("C80 to itself is a loop", async () => {
    const server = await leading({ "/a": [302, "/a"] });
    expect(await faultOf(client(server.origin).send(get(`${server.origin}/a`)))).toMatchObject({
      code: "RedirectLoop",
    });
  });

  it("C80 more than five steps", async () => {
    const server = await startFaultServer((socket, { number }) =>
      socket.write(httpAnswer(302, { location: `/${String(number)}` })),
    );
    open.push(server);
    expect(await faultOf(client(server.origin).send(get(`${server.origin}/a`)))).toMatchObject({
      kind: "protocol",
      code: "TooManyRedirects",
    });
    expect(server.requests).toHaveLength(6);
  });

  it("C80 from https to http, also where the origin is allowed", async () => {
    const authority = createAuthority();
    const plain = await leading({});
    const secure = await startFaultServer(
      (socket) => socket.write(httpAnswer(301, { location: `http://localhost:${String(plain.port)}/oai` })),
      authority.issue({ name: "localhost" }),
    );
    open.push(secure);
    const fault = await faultOf(
      client(secure.origin, {
        transport: { allowedRedirectOrigins: [`http://localhost:${String(plain.port)}`] },
        material: () =>
          Promise.resolve({ headers: {}, warnings: [], ca: { pem: authority.cert, from: "ca.crt" } }),
      }).send(get(`${secure.origin}/oai`)),
    );
    expect(fault).toMatchObject({ kind: "protocol", code: "RedirectDowngrade" });
    expect(plain.connections()).toBe(0);
  });

  it.each(["ftp://files.example/oai", "javascript:alert(1)", "file:///etc/passwd"])(
    "C80 to %s",
    async (location) => {
      const server = await leading({ "/oai": [302, location] });
      expect(await faultOf(client(server.origin).send(get(`${server.origin}/oai`)))).toMatchObject({
        code: "RedirectNotAllowed",
      });
    },
  );

  it("C80 to an address that cannot be read", async () => {
    const server = await leading({ "/oai": [302, "http://[half/"] });
    expect(await faultOf(client(server.origin).send(get(`${server.origin}/oai`)))).toMatchObject({
      kind: "protocol",
      code: "RedirectUnreadable",
    });
  });
});

describe("C91 addresses", () => {
  const spellings = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:169.254.169.254]/",
    "http://10.0.0.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "https://192.168.0.1/",
  ];
  it.each(spellings)("C91 %s is refused without a connection", async (url) => {
    const fault = await faultOf(client(url, { transport: { allowPrivateNetwork: false } }).send(get(url)));
    expect(fault).toMatchObject({ kind: "config", code: "AddressNotAllowed" });
    expect(fault.detail.remedy).toBe(
      "If the source really lies there, set spec.transport.allowPrivateNetwork: true in its manifest.",
    );
  });

  it("C91 localhost is refused by what it resolves to", async () => {
    const server = await leading({});
    const url = `http://localhost:${String(server.port)}/oai`;
    const fault = await faultOf(client(url, { transport: { allowPrivateNetwork: false } }).send(get(url)));
    expect(fault.message).toMatch(
      /^localhost resolves to (127\.0\.0\.1|::1), which is a loopback address \(this machine\): requests to it are refused\.$/,
    );
    expect(server.connections()).toBe(0);
  });

  it("C91 a redirect to a private address is judged at its own hop, even to an allowed origin", async () => {
    const secret = await leading({});
    const home = await leading({ "/oai": [302, `http://inside.example:${String(secret.port)}/`] });
    const names: Record<string, string> = { "home.example": "127.0.0.1", "inside.example": "127.0.0.1" };
    const asked: string[] = [];
    const resolve = (name: string): Promise<{ address: string; family: number }[]> => {
      asked.push(name);
      return Promise.resolve([{ address: names[name]!, family: 4 }]);
    };
    const base = `http://home.example:${String(home.port)}/oai`;
    const made = client(base, {
      resolve,
      transport: { allowedRedirectOrigins: [`http://inside.example:${String(secret.port)}`] },
    });
    expect(await readAll(await made.send(get(base)))).toBe("GET /");
    expect(asked).toEqual(["home.example", "inside.example"]);
    const strict = client(base, {
      resolve,
      transport: {
        allowPrivateNetwork: false,
        allowedRedirectOrigins: [`http://inside.example:${String(secret.port)}`],
      },
    });
    expect(await faultOf(strict.send(get(base)))).toMatchObject({ code: "AddressNotAllowed" });
  });
});
