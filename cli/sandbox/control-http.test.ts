import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "./sandbox.js";

let sandbox: Sandbox;
let control: string;

beforeAll(async () => {
  sandbox = await startSandbox({ source: { kind: "generated", count: 9 } });
  control = new URL("/_control", sandbox.url).href;
});
afterAll(async () => {
  await sandbox.close();
});

async function post(
  path: string,
  body: unknown,
  type = "application/json",
): Promise<{ status: number; says: unknown }> {
  const response = await fetch(control + path, {
    method: "POST",
    headers: { "content-type": type },
    body: JSON.stringify(body),
  });
  return { status: response.status, says: await response.json() };
}

describe("the control over HTTP", () => {
  it("changes, deletes, adds records", async () => {
    expect(await post("", { do: "change", indices: [1, 2] })).toEqual({
      status: 200,
      says: {
        identifiers: ["oai:sandbox.example.org:record-0000001", "oai:sandbox.example.org:record-0000002"],
      },
    });
    expect(
      (await post("/records", { do: "delete", identifier: "oai:sandbox.example.org:record-0000003" })).status,
    ).toBe(200);
    expect((await post("/records", { do: "add", fault: "doctype" })).says).toEqual({
      identifiers: ["oai:sandbox.example.org:record-0000009"],
    });
    const recent = await (
      await fetch(`${sandbox.url}?verb=ListIdentifiers&metadataPrefix=oai_dc&from=2025-01-01`)
    ).text();
    expect([...recent.matchAll(/record-000000(\d)/g)].map((hit) => hit[1])).toEqual(["1", "2", "3", "9"]);
  });

  it("switches faults on and off", async () => {
    const armed = await post("/faults", { kind: "status", status: 500, times: 0 });
    expect((await fetch(`${sandbox.url}?verb=Identify`)).status).toBe(500);
    const listed = (await (await fetch(`${control}/faults`)).json()) as unknown;
    expect(listed).toMatchObject([{ ...(armed.says as object), left: "until disarmed" }]);
    expect((await fetch(`${control}/faults`, { method: "DELETE" })).status).toBe(200);
    expect((await fetch(`${sandbox.url}?verb=Identify`)).status).toBe(200);
  });

  it("reads and clears the log, which does not count the control itself", async () => {
    await fetch(`${control}/requests`, { method: "DELETE" });
    await fetch(`${sandbox.url}?verb=Identify`);
    expect(await (await fetch(`${control}/requests`)).json()).toMatchObject({
      count: 1,
      last: [{ query: "verb=Identify" }],
    });
  });

  it("sets clock and page size", async () => {
    expect((await post("/server", { clockOffsetSeconds: 60, pageSize: 2 })).status).toBe(200);
    expect(await (await fetch(`${sandbox.url}?verb=ListIdentifiers&metadataPrefix=oai_dc`)).text()).toContain(
      "resumptionToken",
    );
  });

  const refused: readonly { name: string; path: string; body: unknown; says: string; type?: string }[] = [
    {
      name: "unknown fault",
      path: "/faults",
      body: { kind: "explode" },
      says: "There is no fault explode; GET /_control lists them.",
    },
    {
      name: "unknown field",
      path: "/faults",
      body: { kind: "status", code5: 1 },
      says: "A fault has no field code5.",
    },
    {
      name: "wrong type",
      path: "/faults",
      body: { kind: "status", status: "500" },
      says: "The field status has the wrong type.",
    },
    {
      name: "unknown record",
      path: "/records",
      body: { do: "change", index: 77 },
      says: "The sandbox holds no record number 77.",
    },
    {
      name: "no record",
      path: "/records",
      body: { do: "change" },
      says: "Name the records: index (a number), indices (numbers) or identifier (a string).",
    },
    {
      name: "unknown order",
      path: "",
      body: { do: "burn" },
      says: "There is no order burn: change, touch, delete, remove, add or touch-all.",
    },
    {
      name: "unknown record fault",
      path: "",
      body: { do: "change", index: 1, fault: "odd" },
      says: "There is no record fault odd; GET /_control lists them.",
    },
    {
      name: "unknown path",
      path: "/nowhere",
      body: {},
      says: "The control has no POST /_control/nowhere; see docs/sandbox.md.",
    },
    {
      name: "a page of no records",
      path: "/server",
      body: { pageSize: 0 },
      says: "A page holds at least one record, not 0.",
    },
    {
      name: "a form of a lured browser",
      path: "",
      body: { do: "change", index: 1 },
      says: "Send the order as application/json.",
      type: "text/plain",
    },
  ];
  it.each(refused)("refuses $name with a sentence", async ({ path, body, says, type }) => {
    expect(await post(path, body, type)).toEqual({ status: 400, says: { error: says } });
  });
});
