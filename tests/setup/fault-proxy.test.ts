import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.js";

let server: Server;
let serverSockets: Socket[];
let proxy: FaultProxy;

beforeEach(async () => {
  serverSockets = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    serverSockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => socket.write(`<${bytes.toString()}>`));
    socket.on("end", () => socket.end("bye"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy = await startFaultProxy({
    target: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  });
});

afterEach(async () => {
  await proxy.stop();
  for (const socket of serverSockets) socket.destroy();
  server.close();
});

interface Client {
  readonly socket: Socket;
  received: string;
  ended: boolean;
  error: string | undefined;
}

async function client(): Promise<Client> {
  const socket = connect({ port: proxy.port, host: "127.0.0.1", allowHalfOpen: true });
  const state: Client = { socket, received: "", ended: false, error: undefined };
  socket.on("data", (bytes) => (state.received += bytes.toString()));
  socket.on("end", () => (state.ended = true));
  socket.on("error", (error: NodeJS.ErrnoException) => (state.error = error.code));
  await once(socket, "connect");
  return state;
}

async function talking(): Promise<Client> {
  const one = await client();
  one.socket.write("a");
  await expect.poll(() => one.received).toBe("<a>");
  return one;
}

describe("the fault proxy", () => {
  it("lets bytes and orderly ends through, both ways", async () => {
    const one = await talking();
    one.socket.end();
    await expect.poll(() => one.received).toBe("<a>bye");
    await expect.poll(() => one.ended).toBe(true);
    await expect.poll(() => proxy.connections()).toEqual({ open: 0, total: 1, bytes: 6 });
  });

  it("freezes old and new connections, and loses nothing", async () => {
    const one = await talking();
    proxy.freeze();
    const two = await client();
    one.socket.write("b");
    two.socket.write("c");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([one.received, two.received, one.ended, two.ended]).toEqual(["<a>", "", false, false]);
    proxy.thaw();
    await expect.poll(() => [one.received, two.received]).toEqual(["<a><b>", "<c>"]);
  });

  it("forgets a connection its client left while frozen", async () => {
    const one = await talking();
    proxy.freeze();
    one.socket.destroy();
    await once(one.socket, "close");
    proxy.thaw();
    await expect.poll(() => proxy.connections().open).toBe(0);
  });

  it("resets what is open; what comes after works", async () => {
    const one = await talking();
    proxy.resetAll();
    await expect.poll(() => one.error).toBe("ECONNRESET");
    await talking();
    expect(proxy.connections().total).toBe(2);
  });

  it("ends the server's side alone", async () => {
    const one = await talking();
    proxy.halfClose();
    await expect.poll(() => one.ended).toBe(true);
    one.socket.write("b");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([one.received, one.error]).toEqual(["<a>", undefined]);
  });

  it("cuts after so many bytes, and not before", async () => {
    const one = await talking();
    proxy.cutAfter(5);
    one.socket.write("b");
    await expect.poll(() => one.received).toBe("<a><b>");
    one.socket.write("cd");
    await expect.poll(() => one.received).toBe("<a><b><c");
    await expect.poll(() => one.error).toBe("ECONNRESET");
    proxy.cutAfter(undefined);
    await talking();
  });

  it("delays and keeps the order", async () => {
    const one = await talking();
    proxy.delay(50);
    one.socket.write("b");
    await new Promise((resolve) => setTimeout(resolve, 10));
    one.socket.write("c");
    expect(one.received).toBe("<a>");
    await expect.poll(() => one.received).toBe("<a><b><c>");
  });

  it("refuses new connections and keeps the old, until told otherwise", async () => {
    const one = await talking();
    await proxy.refuse();
    await expect(client()).rejects.toThrow("ECONNREFUSED");
    one.socket.write("b");
    await expect.poll(() => one.received).toBe("<a><b>");
    await proxy.accept();
    await talking();
  });

  it("resets the client when nobody listens behind it", async () => {
    server.close();
    const one = await client();
    await expect.poll(() => one.error).toBe("ECONNRESET");
  });
});
