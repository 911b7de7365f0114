import { describe, expect, it } from "vitest";
import type { WatchEvent } from "./watch-source.js";
import { watchEvents } from "./watch-lines.js";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(text: string, size = 7, maxLineBytes?: number) {
  const events: WatchEvent[] = [];
  let chunks = 0;
  const stream = watchEvents(chunksOf(Buffer.from(text), size), {
    onBytes: () => (chunks += 1),
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
  try {
    for await (const event of stream) events.push(event);
    return { events, chunks };
  } catch (error) {
    return { events, chunks, error: error as Error & { reason: string } };
  }
}

const added = '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"zürich-岩"}}}';
const bookmark = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}';
const expired = '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}';

describe("watchEvents", () => {
  it.each([1, 2, 3, 64, 4096])("reads the same in chunks of %i bytes", async (size) => {
    const { events, error } = await read(`${added}\n\n${bookmark}\r\n${expired}\n`, size);
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: "ADDED", object: { kind: "Pod", metadata: { name: "zürich-岩" } } },
      { type: "BOOKMARK", object: { metadata: { resourceVersion: "7" } } },
      { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } },
    ]);
  });

  it("tells of every chunk, whole line or not", async () => {
    const { chunks } = await read(`${bookmark}\n`, 10);
    expect(chunks).toBe(7);
  });

  it.each([
    { name: "cut in the middle of a line", text: `${added}\n${added.slice(0, 20)}`, reason: "Truncated" },
    { name: "cut just before the line feed", text: `${added}\n${added}`, reason: "Truncated" },
    { name: "no JSON", text: `${added}\n{"type":\n`, reason: "NotAnEvent" },
    {
      name: "a type no watch has",
      text: `${added}\n{"type":"OTHER","object":{"metadata":{"name":"a"}}}\n`,
      reason: "NotAnEvent",
    },
    {
      name: "an object without a name",
      text: `${added}\n{"type":"ADDED","object":{"metadata":{}}}\n`,
      reason: "NotAnEvent",
    },
    { name: "no object", text: `${added}\n{"type":"DELETED"}\n`, reason: "NotAnEvent" },
    { name: "a list", text: `${added}\n[]\n`, reason: "NotAnEvent" },
    { name: "null", text: `${added}\nnull\n`, reason: "NotAnEvent" },
  ])("gives what came before, then throws: $name", async ({ text, reason }) => {
    const { events, error } = await read(text);
    expect(events).toHaveLength(1);
    expect(error?.reason).toBe(reason);
  });

  it("throws for a line beyond the bound, before it has all of it", async () => {
    const { error } = await read(`${added}\n${"x".repeat(10_000)}`, 100, 500);
    expect(error?.reason).toBe("TooLarge");
  });

  it("ends quietly when nothing came", async () => {
    expect(await read("")).toEqual({ events: [], chunks: 0 });
  });
});
