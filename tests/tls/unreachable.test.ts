import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../harvester/fetch/client.js";
import { startBannerServer, startFaultServer } from "../setup/fault-server.js";
import { faultOf, get, testClient, type ClientWish } from "../setup/test-client.js";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

function client(server: { readonly origin: string }, wish: ClientWish = {}): Client {
  const made = testClient(`${server.origin}/oai`, wish);
  open.push(made);
  return made;
}

describe("what is not there", () => {
  it("a port where nothing listens", async () => {
    const server = await startFaultServer(() => undefined);
    await server.close();
    const fault = await faultOf(client(server).send(get(`${server.origin}/oai`)));
    expect(fault).toMatchObject({ kind: "unavailable", code: "ConnectionRefused" });
    expect(fault.message).toBe(
      `127.0.0.1:${String(server.port)} refused the connection: nothing listens there.`,
    );
  });

  it.each([
    ["ENOTFOUND", "unavailable", "UnknownHost"],
    ["EAI_AGAIN", "transient", "NameLookupFailed"],
  ])("a name the resolver answers with %s", async (code, kind, expected) => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
    const made = client({ origin: "http://nowhere.example" }, { resolve });
    const fault = await faultOf(made.send(get("http://nowhere.example/oai")));
    expect(fault).toMatchObject({ kind, code: expected });
    expect(fault.message).toContain("nowhere.example");
  });

  it("another protocol: the banner is shown", async () => {
    const server = await startBannerServer("SSH-2.0-OpenSSH_9.2p1\r\n");
    open.push(server);
    const fault = await faultOf(client(server).send(get(server.origin)));
    expect(fault).toMatchObject({
      kind: "unavailable",
      code: "NotHttp",
      detail: { excerpt: "SSH-2.0-OpenSSH_9.2p1" },
    });
    expect(fault.message).toBe(
      `127.0.0.1:${String(server.port)} answers, but not in HTTP: 'SSH-2.0-OpenSSH_9.2p1'.`,
    );
  });

  it("another protocol behind https: not TLS", async () => {
    const server = await startBannerServer("SSH-2.0-OpenSSH_9.2p1\r\n");
    open.push(server);
    const url = `https://127.0.0.1:${String(server.port)}`;
    expect(await faultOf(client({ origin: url }).send(get(url)))).toMatchObject({
      kind: "unavailable",
      code: "NotTls",
    });
  });

  it("C92 no message shows a secret of the address", async () => {
    const server = await startFaultServer(() => undefined);
    await server.close();
    const fault = await faultOf(client(server).send(get(`${server.origin}/oai?api_key=s3cret`)));
    expect(JSON.stringify([fault.message, fault.detail])).not.toContain("s3cret");
  });

  it("an address with a password is not used", () => {
    expect(() => testClient("https://user:s3cret@a.example/oai")).toThrow(
      "carries a user name or password, which is never sent",
    );
    expect(() => testClient("ftp://a.example/oai")).toThrow("is no http or https address");
  });
});
