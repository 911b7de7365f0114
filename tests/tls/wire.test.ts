import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../harvester/fetch/client.js";
import { httpAnswer, startFaultServer, type Answerer, type FaultServer } from "../setup/fault-server.js";
import { faultOf, get, readAll, testClient, type ClientWish } from "../setup/test-client.js";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

async function serve(answer: Answerer): Promise<FaultServer> {
  const server = await startFaultServer(answer);
  open.push(server);
  return server;
}

function client(server: { readonly origin: string }, wish: ClientWish = {}): Client {
  const made = testClient(`${server.origin}/oai`, wish);
  open.push(made);
  return made;
}

/** A server that gives one answer to every request, and a client for it. */
async function answering(
  bytes: Buffer,
  then: (socket: Socket) => void = () => undefined,
  wish: ClientWish = {},
): Promise<{ server: FaultServer; made: Client; url: string }> {
  const server = await serve((socket) => {
    socket.write(bytes);
    then(socket);
  });
  return { server, made: client(server, wish), url: `${server.origin}/oai?verb=Identify` };
}

const xml = `<?xml version="1.0"?><OAI-PMH>${Array.from({ length: 400 }, (_, n) => `<record n="${String(n * 7919)}"/>`).join("")}</OAI-PMH>`;
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

describe("an answer", () => {
  it("keeps status, headers in lower case, and the address without secrets", async () => {
    const { made, server } = await answering(
      httpAnswer(404, { "X-Thing": "a", "content-type": "text/xml" }, "<error/>"),
    );
    const response = await made.send(get(`${server.origin}/oai?verb=Identify&api_key=s3cret`));
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({ "x-thing": "a", "content-type": "text/xml" });
    expect(response.url).toBe(`${server.origin}/oai?verb=Identify&api_key=***`);
    expect(await readAll(response)).toBe("<error/>");
    expect(server.requests[0]).toContain("GET /oai?verb=Identify&api_key=s3cret HTTP/1.1");
  });

  it("is asked for with a contact, and gzip or br", async () => {
    const { made, server, url } = await answering(httpAnswer(200, {}, "ok"));
    await readAll(await made.send(get(url, { accept: "text/xml" })));
    expect(server.requests[0]).toContain("user-agent: harvest-controller/test (+mailto:test@example.org)");
    expect(server.requests[0]).toContain("accept-encoding: gzip, br");
    expect(server.requests[0]).toContain("accept: text/xml");
  });

  it("comes over the same connection again and again, also after a body that was short and whole", async () => {
    const { made, server, url } = await answering(httpAnswer(200, {}, "ok"));
    for (let n = 0; n < 5; n += 1) expect(await readAll(await made.send(get(url)))).toBe("ok");
    expect([server.connections(), server.requests.length]).toEqual([1, 5]);
    expect(made.traffic()).toEqual({ requests: 5, bytes: 10 });
  });

  it("never has more connections than the manifest allows requests", async () => {
    const server = await serve((socket) => setTimeout(() => socket.write(httpAnswer(200, {}, "ok")), 20));
    const made = client(server, { maxRequests: 2 });
    const all = Array.from({ length: 6 }, async () => readAll(await made.send(get(server.origin))));
    expect(await Promise.all(all)).toEqual(Array(6).fill("ok"));
    expect(server.connections()).toBe(2);
  });

  it("left by break in the middle of gzip frees everything", async () => {
    const { made, url } = await answering(
      httpAnswer(
        200,
        { "content-encoding": "gzip", "content-length": "900000" },
        gzipSync(xml).subarray(0, 400),
      ),
    );
    for (let n = 0; n < 3; n += 1) {
      const iterator = (await made.send(get(url))).body[Symbol.asyncIterator]();
      await iterator.return?.();
      expect(await iterator.next().catch((error: unknown) => error)).toMatchObject({ done: true });
    }
  });

  it("is asked for again when the kept connection turned out dead", async () => {
    const server = await serve((socket, { number }) => {
      if (number === 2) socket.destroy();
      else socket.write(httpAnswer(200, {}, "ok"));
    });
    const made = client(server);
    const url = `${server.origin}/oai`;
    expect(await readAll(await made.send(get(url)))).toBe("ok");
    expect(await readAll(await made.send(get(url)))).toBe("ok");
    expect(server.requests).toHaveLength(3);
  });

  it("ends where the connection ends when no length is given", async () => {
    const { made, url } = await answering(Buffer.from("HTTP/1.0 200 OK\r\n\r\nall of it"), (socket) =>
      socket.end(),
    );
    expect(await readAll(await made.send(get(url)))).toBe("all of it");
  });

  it("left by break costs its connection, and the next request has a fresh one", async () => {
    const { made, server, url } = await answering(httpAnswer(200, {}, "x".repeat(500_000)));
    for await (const chunk of (await made.send(get(url))).body) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(await readAll(await made.send(get(url)))).toHaveLength(500_000);
    expect(server.connections()).toBe(2);
  });

  it("POST sends its body", async () => {
    const { made, server, url } = await answering(httpAnswer(200, {}, "ok"));
    await readAll(
      await made.send({
        method: "POST",
        url,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "verb=Identify",
      }),
    );
    expect(server.requests[0]).toContain("POST /oai");
    expect(server.requests[0]).toContain("content-length: 13");
  });
});

describe("C72 compression", () => {
  const table: readonly { name: string; encoding?: string; body: Uint8Array; warnings: number }[] = [
    { name: "gzip", encoding: "gzip", body: gzipSync(xml), warnings: 0 },
    { name: "gzip in capitals", encoding: "GZIP", body: gzipSync(xml), warnings: 0 },
    { name: "x-gzip", encoding: "x-gzip", body: gzipSync(xml), warnings: 0 },
    { name: "br", encoding: "br", body: brotliCompressSync(xml), warnings: 0 },
    { name: "deflate", encoding: "deflate", body: deflateSync(xml), warnings: 0 },
    { name: "raw deflate", encoding: "deflate", body: deflateRawSync(xml), warnings: 0 },
    {
      name: "gzip twice, declared twice",
      encoding: "gzip, gzip",
      body: gzipSync(gzipSync(xml)),
      warnings: 0,
    },
    { name: "gzip twice, declared once", encoding: "gzip", body: gzipSync(gzipSync(xml)), warnings: 1 },
    { name: "gzip undeclared", body: gzipSync(xml), warnings: 1 },
    { name: "plain, declared gzip", encoding: "gzip", body: Buffer.from(xml), warnings: 1 },
    { name: "plain, declared br", encoding: "br", body: Buffer.from(xml), warnings: 1 },
    {
      name: "gzip in two members",
      encoding: "gzip",
      body: Buffer.concat([gzipSync(xml.slice(0, 500)), gzipSync(xml.slice(500))]),
      warnings: 0,
    },
  ];
  it.each(table)("C72 $name", async ({ encoding, body, warnings }) => {
    const { made, url } = await answering(
      httpAnswer(200, encoding === undefined ? {} : { "Content-Encoding": encoding }, body),
    );
    const response = await made.send(get(url));
    expect(await readAll(response)).toBe(xml);
    expect(response.warnings.map(({ code }) => code)).toEqual(Array(warnings).fill("encoding-mislabelled"));
  });

  it("C72 says what was said and what it is", async () => {
    const { made, url } = await answering(httpAnswer(200, { "content-encoding": "gzip" }, xml));
    const response = await made.send(get(url));
    expect(response.warnings[0]!.sentence).toBe(
      `${url} says content-encoding: gzip, but its answer is not compressed; it was read as what it is.`,
    );
  });

  it("C72 an encoding that was not offered is named", async () => {
    const { made, url } = await answering(
      httpAnswer(
        200,
        { "content-encoding": "zstd" },
        Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2, 3, 4]),
      ),
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "protocol", code: "EncodingUnknown" });
  });

  it("C72 an empty body with an encoding is empty", async () => {
    const { made, url } = await answering(httpAnswer(200, { "content-encoding": "gzip" }));
    expect(await readAll(await made.send(get(url)))).toBe("");
  });

  it("damaged gzip is transient, and does not hang", async () => {
    const bytes = Buffer.from(gzipSync(xml));
    bytes.fill(0xaa, 200, 260);
    const { made, url } = await answering(httpAnswer(200, { "content-encoding": "gzip" }, bytes));
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "transient", code: "BodyCorrupt" });
  });
});

describe("what is cut", () => {
  const half = gzipSync(xml).subarray(0, 300);
  const table: readonly (readonly [string, Buffer, "end" | "reset"])[] = [
    [
      "C66 content-length 9000, 5000 bytes, then close",
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n"),
        Buffer.alloc(5000, "x"),
      ]),
      "end",
    ],
    ["C66 chunked without the last chunk", Buffer.from(`${chunked}5\r\nhello\r\n`), "end"],
    ["C66 chunked, cut inside a chunk", Buffer.from(`${chunked}50\r\nhello`), "end"],
    [
      "C66 gzip cut, with the right content-length",
      httpAnswer(200, { "content-encoding": "gzip" }, half),
      "end",
    ],
    [
      "C66 gzip cut, content-length of the whole",
      httpAnswer(200, { "content-encoding": "gzip", "content-length": "9000" }, half),
      "end",
    ],
    [
      "C66 gzip cut, no length at all",
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"),
        half,
      ]),
      "end",
    ],
    [
      "C83 reset in mid-body",
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n"),
        Buffer.alloc(5000, "x"),
      ]),
      "reset",
    ],
    [
      "C83 reset in mid-gzip",
      httpAnswer(200, { "content-encoding": "gzip", "content-length": "9000" }, half),
      "reset",
    ],
  ];
  it.each(table)("%s is Truncated, transient", async (_name, bytes, how) => {
    const { made, url } = await answering(bytes, (socket) => {
      if (how === "end") socket.end();
      else setTimeout(() => socket.resetAndDestroy(), 50);
    });
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "transient", code: "Truncated" });
  });

  it("C83 a reset before the first byte is transient", async () => {
    const server = await serve((socket) => socket.resetAndDestroy());
    expect(await faultOf(client(server).send(get(server.origin)))).toMatchObject({
      kind: "transient",
      code: "ConnectionReset",
    });
  });

  it("C83 what arrived before the cut was delivered", async () => {
    const { made, url } = await answering(
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n${"x".repeat(50)}`),
      (socket) => {
        setTimeout(() => socket.end(), 50);
      },
    );
    let got = "";
    const reading = (async () => {
      for await (const chunk of (await made.send(get(url))).body) got += Buffer.from(chunk).toString();
    })();
    await expect(reading).rejects.toMatchObject({ code: "Truncated" });
    expect(got).toBe("x".repeat(50));
  });
});

describe("sizes", () => {
  it("a body that announces 10 GB is refused before it is read", async () => {
    const { made, url } = await answering(
      Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\nxxxx"),
    );
    const fault = await faultOf(made.send(get(url)));
    expect(fault).toMatchObject({ kind: "protocol", code: "AnswerTooLarge" });
    expect(fault.message).toBe(
      `The answer of ${url} announces 10000000000 bytes, more than the 1000000 bytes allowed.`,
    );
    expect(made.traffic().bytes).toBe(0);
  });

  it("a body without end is cut at the limit", async () => {
    const server = await serve((socket) => {
      socket.write(chunked);
      const more = (): void => {
        while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`));
      };
      socket.on("drain", more);
      more();
    });
    const made = client(server);
    expect(await faultOf(made.send(get(server.origin)))).toMatchObject({ code: "AnswerTooLarge" });
    expect(made.traffic().bytes).toBeLessThan(1_200_000);
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(30_000_000, " "))],
    ["br", brotliCompressSync(Buffer.alloc(30_000_000, " "))],
  ] as const)("a %s bomb is cut at the limit of decoded bytes", async (encoding, body) => {
    const { made, url } = await answering(httpAnswer(200, { "content-encoding": encoding }, body));
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "protocol", code: "AnswerTooLarge" });
  });

  it("a bomb below the limit is known by its ratio", async () => {
    const { made, url } = await answering(
      httpAnswer(200, { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(60_000_000, " "))),
      undefined,
      { maxPageBytes: 100_000_000 },
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "protocol", code: "CompressionBomb" });
  });

  it("a bomb in a bomb is cut too", async () => {
    const { made, url } = await answering(
      httpAnswer(200, { "content-encoding": "gzip" }, gzipSync(gzipSync(Buffer.alloc(30_000_000, " ")))),
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ code: "AnswerTooLarge" });
  });

  it("gzip four times over is nobody's mistake", async () => {
    const body = [1, 2, 3, 4].reduce<Uint8Array>((bytes) => gzipSync(bytes), Buffer.from(xml));
    const { made, url } = await answering(httpAnswer(200, { "content-encoding": "gzip" }, body));
    expect(await faultOf(made.send(get(url)))).toMatchObject({ code: "CompressionBomb" });
  });

  it("headers without end are refused", async () => {
    const { made, url } = await answering(
      Buffer.from(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(40_000)}\r\n\r\n`),
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "protocol", code: "HeadersTooLarge" });
  });
});

describe("C82 clocks", () => {
  it("C82 no first byte", async () => {
    const server = await serve(() => undefined);
    const made = client(server, { timeouts: { connectSeconds: 0.1, firstByteSeconds: 0.2 } });
    const fault = await faultOf(made.send(get(`${server.origin}/oai`)));
    expect(fault).toMatchObject({ kind: "transient", code: "FirstByteTimeout" });
    expect(fault.detail.remedy).toContain("spec.transport.timeouts.firstByteSeconds");
  });

  it("C82 a port that accepts and then says nothing, in the middle of the handshake", async () => {
    const server = await serve(() => undefined);
    const url = server.origin.replace("http:", "https:");
    const made = client({ origin: url }, { timeouts: { connectSeconds: 1 } });
    const fault = await faultOf(made.send(get(url)));
    expect(fault).toMatchObject({ kind: "transient", code: "ConnectTimeout" });
    expect(fault.detail.remedy).toContain("spec.transport.timeouts.connectSeconds");
  });

  it("C82 headers, then silence", async () => {
    const { made, url } = await answering(
      Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"),
      undefined,
      { timeouts: { idleSeconds: 0.2 } },
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "transient", code: "IdleTimeout" });
  });

  it("C82 silence in the middle of gzip", async () => {
    const { made, url } = await answering(
      httpAnswer(
        200,
        { "content-encoding": "gzip", "content-length": "9000" },
        gzipSync(xml).subarray(0, 300),
      ),
      undefined,
      {
        timeouts: { idleSeconds: 0.2 },
      },
    );
    expect(await faultOf(made.send(get(url)))).toMatchObject({ kind: "transient", code: "IdleTimeout" });
  });

  function drip(socket: Socket, everyMs: number): void {
    socket.write(chunked);
    const timer = setInterval(() => socket.write("1\r\nx\r\n"), everyMs);
    socket.on("close", () => {
      clearInterval(timer);
    });
  }

  it("C82 a slow drip that never falls silent", async () => {
    const server = await serve((socket) => {
      drip(socket, 20);
    });
    const made = client(server, { timeouts: { idleSeconds: 0.4 }, minBytesPerSecond: 1000 });
    expect(await faultOf(made.send(get(server.origin)))).toMatchObject({
      kind: "transient",
      code: "TooSlow",
    });
  });

  it("C82 a drip fast enough, but without end", async () => {
    const server = await serve((socket) => {
      drip(socket, 20);
    });
    const made = client(server, {
      timeouts: { requestSeconds: 0.5, idleSeconds: 0.4 },
      minBytesPerSecond: 1,
    });
    expect(await faultOf(made.send(get(server.origin)))).toMatchObject({
      kind: "transient",
      code: "RequestTimeout",
    });
  });

  it("C82 a reader that takes its time is not the source's fault", async () => {
    const { made, url } = await answering(httpAnswer(200, {}, "x".repeat(300_000)), undefined, {
      timeouts: { idleSeconds: 0.2, requestSeconds: 1 },
    });
    let size = 0;
    for await (const chunk of (await made.send(get(url))).body) {
      size += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(size).toBe(300_000);
  });

  it("C82 a drip of headers has a deadline too", async () => {
    const server = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-a: b\r\n"), 20);
      socket.on("close", () => {
        clearInterval(timer);
      });
    });
    const made = client(server, { timeouts: { connectSeconds: 0.1, firstByteSeconds: 0.3 } });
    expect(await faultOf(made.send(get(server.origin)))).toMatchObject({ code: "FirstByteTimeout" });
  });

  it("the caller's stop ends a request that waits", async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    const sent = faultOf(client(server).send(get(server.origin), stop.signal));
    setTimeout(() => {
      stop.abort();
    }, 50);
    expect(await sent).toMatchObject({ kind: "interrupted", code: "Interrupted" });
  });

  it("the caller's stop ends a body that is being read", async () => {
    const { made, url } = await answering(
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n${"x".repeat(50)}`),
    );
    const stop = new AbortController();
    const sent = faultOf(made.send(get(url), stop.signal));
    setTimeout(() => {
      stop.abort();
    }, 100);
    expect(await sent).toMatchObject({ kind: "interrupted", code: "Interrupted" });
  });

  it("a stop before the request sends nothing", async () => {
    const { made, server, url } = await answering(httpAnswer(200, {}, "ok"));
    expect(await faultOf(made.send(get(url), AbortSignal.abort()))).toMatchObject({ kind: "interrupted" });
    expect(server.requests).toEqual([]);
  });

  it("closing the client ends what waits, and refuses what comes", async () => {
    const server = await serve(() => undefined);
    const made = client(server);
    const sent = faultOf(made.send(get(server.origin)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await made.close();
    expect(await sent).toMatchObject({ kind: "interrupted", code: "ClientClosed" });
    expect(await faultOf(made.send(get(server.origin)))).toMatchObject({
      kind: "interrupted",
      code: "ClientClosed",
    });
  });
});
