/** Puts an answer on the wire, or does to the connection what a striking fault asks for. Faults are real: they happen at the socket. */
import type { ServerResponse } from "node:http";
import type { Striking } from "../faults/armed-faults.js";
import type { ServerFault } from "../faults/server-faults.js";
import type { Reply } from "./reply.js";

const ENDLESS_CHUNK = Buffer.from(
  `<record><header><identifier>oai:sandbox.example.org:endless</identifier></header></record>\n`.repeat(700),
);

const wireFaults = [
  "no-answer",
  "drop-connection",
  "reset",
  "truncated-body",
  "slow-drip",
  "stall",
  "endless-body",
] as const;

type WireFault = ServerFault & { readonly kind: (typeof wireFaults)[number] };

export async function send(response: ServerResponse, reply: Reply, striking: Striking): Promise<void> {
  const fault = striking.first(wireFaults);
  if (fault === undefined) {
    response.writeHead(reply.status, { ...reply.headers, "content-length": String(reply.body.length) });
    response.end(reply.body);
    return;
  }
  await sendFaulty(response, reply, fault);
}

async function sendFaulty(response: ServerResponse, reply: Reply, fault: WireFault): Promise<void> {
  const sent = reply.body.subarray(0, fault.bytes ?? Math.floor(reply.body.length / 2));
  switch (fault.kind) {
    case "no-answer":
      return;
    case "drop-connection":
      response.socket?.destroy();
      return;
    case "reset":
      await writePart(response, { ...reply, body: sent }, reply.body.length);
      response.socket?.resetAndDestroy();
      return;
    case "truncated-body":
      await writePart(
        response,
        { ...reply, body: sent },
        fault.value === "chunked" ? undefined : reply.body.length,
      );
      response.socket?.end();
      return;
    case "stall":
      await writePart(response, { ...reply, body: sent }, reply.body.length);
      return;
    case "slow-drip":
      await drip(response, reply, { bytes: fault.bytes ?? 16, pauseMs: fault.pauseMs ?? 100 });
      return;
    case "endless-body":
      await sendEndlessly(response, reply, fault.bytes ?? 10_000_000_000);
  }
}

/** Writes the head (with the length announced, or chunked) and a first part, and waits until the system has taken it. */
async function writePart(
  response: ServerResponse,
  part: Reply,
  announced: number | undefined,
): Promise<void> {
  response.writeHead(part.status, {
    ...part.headers,
    ...(announced === undefined ? {} : { "content-length": String(announced) }),
  });
  response.flushHeaders();
  await write(response, part.body);
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed || bytes.length === 0) resolve();
    else
      response.write(bytes, () => {
        resolve();
      });
  });
}

async function drip(
  response: ServerResponse,
  reply: Reply,
  pace: { readonly bytes: number; readonly pauseMs: number },
): Promise<void> {
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(reply.body.length) });
  for (let at = 0; at < reply.body.length && !response.destroyed; at += pace.bytes) {
    await write(response, reply.body.subarray(at, at + pace.bytes));
    await pause(response, pace.pauseMs);
  }
  response.end();
}

/** Ends early when the client goes away, so that closing the server never waits for a drip. */
function pause(response: ServerResponse, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    }
    response.on("close", done);
  });
}

async function sendEndlessly(response: ServerResponse, reply: Reply, bytes: number): Promise<void> {
  const head = reply.body.subarray(0, Math.floor(reply.body.length / 2));
  await writePart(response, { ...reply, body: head }, undefined);
  for (let sent = head.length; sent < bytes && !response.destroyed; sent += ENDLESS_CHUNK.length)
    await write(response, ENDLESS_CHUNK);
  response.end();
}
