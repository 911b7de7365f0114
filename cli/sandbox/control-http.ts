/** The control over HTTP, for tests in other processes and for people with curl: JSON under /_control, from this machine only. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddOptions, ChangeOptions, Control, RecordRef } from "./control.js";
import { isRecordFault, recordFaults } from "./content/record-faults.js";
import { isServerFault, serverFaults, type ServerFault } from "./faults/server-faults.js";
import { CONTROL_PATH, plain, readBody } from "./http/server.js";

const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** A mistake of the caller: answered with 400 and the sentence. */
class Refusal extends Error {}

type Json = Readonly<Record<string, unknown>>;

export function controlOverHttp(
  control: Control,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    if (!isFromHere(request)) {
      plain(response, 404, "There is nothing here.");
      return;
    }
    try {
      const path = new URL(request.url ?? "/", "http://sandbox").pathname.slice(CONTROL_PATH.length);
      const body = request.method === "POST" ? await readJson(request) : {};
      json(response, 200, act(control, { method: request.method ?? "GET", path, body }));
    } catch (error) {
      json(response, 400, { error: error instanceof Error ? error.message : String(error) });
    }
  };
}

/** Loopback only; and never for a browser page that was lured here, which could not send this content type unasked. */
function isFromHere(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? "";
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

async function readJson(request: IncomingMessage): Promise<Json> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    throw new Refusal("Send the order as application/json.");
  const read: unknown = JSON.parse((await readBody(request, MAX_BODY_BYTES)).toString() || "{}");
  if (typeof read !== "object" || read === null || Array.isArray(read))
    throw new Refusal("The order is one JSON object.");
  return read as Json;
}

interface Order {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

function act(control: Control, order: Order): unknown {
  const { method, path, body } = order;
  switch (`${method} ${path}`) {
    case "GET ":
    case "GET /":
      return { armed: control.armed(), requests: control.requests().count, serverFaults, recordFaults };
    case "GET /requests":
      return control.requests();
    case "DELETE /requests":
      control.clearRequests();
      return { done: true };
    case "GET /faults":
      return control.armed();
    case "POST /faults":
      return { id: control.arm(readFault(body)) };
    case "POST ":
    case "POST /":
    case "POST /records":
      return changeRecords(control, body);
    case "POST /server":
      return changeServer(control, body);
    default:
      return disarm(control, order);
  }
}

function disarm(control: Control, { method, path }: Order): unknown {
  const match = /^\/faults(?:\/(\d+))?$/.exec(path);
  if (method !== "DELETE" || match === null)
    throw new Refusal(`The control has no ${method} ${CONTROL_PATH}${path}; see docs/sandbox.md.`);
  control.disarm(match[1] === undefined ? undefined : Number(match[1]));
  return control.armed();
}

function readFault(body: Json): ServerFault {
  const kind = String(body["kind"]);
  if (!isServerFault(kind)) throw new Refusal(`There is no fault ${kind}; GET ${CONTROL_PATH} lists them.`);
  const known = [
    "kind",
    "times",
    "after",
    "verb",
    "page",
    "status",
    "retryAfter",
    "retryAfterAs",
    "code",
    "value",
    "bytes",
    "pauseMs",
    "record",
  ];
  const numbers = ["times", "after", "page", "status", "retryAfter", "bytes", "pauseMs", "record"];
  for (const [name, value] of Object.entries(body)) {
    if (!known.includes(name)) throw new Refusal(`A fault has no field ${name}.`);
    if (typeof value !== (numbers.includes(name) ? "number" : "string"))
      throw new Refusal(`The field ${name} has the wrong type.`);
  }
  return { ...body, kind } as ServerFault;
}

/** A new record has no fault to take back. */
function addable({ fault, ...rest }: ChangeOptions): AddOptions {
  return fault === undefined || fault === null ? rest : { ...rest, fault };
}

const actions = ["change", "touch", "delete", "remove"] as const;

/** `{ do, index | indices | identifier, … }`; answers with the identifiers of the records it did it to. */
function changeRecords(control: Control, body: Json): unknown {
  const options = readChange(body);
  if (body["do"] === "add") return { identifiers: [control.add(addable(options))] };
  if (body["do"] === "touch-all") {
    control.touchAll(options);
    return { identifiers: [] };
  }
  const action = actions.find((each) => each === body["do"]);
  if (action === undefined) {
    throw new Refusal(`There is no order ${String(body["do"])}: ${actions.join(", ")}, add or touch-all.`);
  }
  return { identifiers: readRefs(body).map((ref) => control[action](ref, options)) };
}

function readRefs(body: Json): readonly RecordRef[] {
  const given: unknown = body["indices"] ?? body["index"] ?? body["identifier"];
  const refs: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (refs.every((ref): ref is RecordRef => typeof ref === "number" || typeof ref === "string")) return refs;
  throw new Refusal("Name the records: index (a number), indices (numbers) or identifier (a string).");
}

function readChange(body: Json): ChangeOptions & Pick<AddOptions, "localName"> {
  const { stamp, body: payload, fault, sets, localName } = body;
  if (typeof fault === "string" && !isRecordFault(fault))
    throw new Refusal(`There is no record fault ${fault}; GET ${CONTROL_PATH} lists them.`);
  return {
    ...(typeof stamp === "number" ? { stamp } : {}),
    ...(typeof payload === "string" ? { body: payload } : {}),
    ...(fault === null || (typeof fault === "string" && isRecordFault(fault)) ? { fault } : {}),
    ...(Array.isArray(sets) ? { sets: sets.map(String) } : {}),
    ...(typeof localName === "string" ? { localName } : {}),
  };
}

function changeServer(control: Control, body: Json): unknown {
  const { clockOffsetSeconds, pageSize, identifierPrefix, forget } = body;
  if (typeof clockOffsetSeconds === "number") control.setClockOffset(clockOffsetSeconds);
  if (typeof pageSize === "number") control.setPageSize(pageSize);
  if (typeof identifierPrefix === "string") control.renameIdentifiers(identifierPrefix);
  if (forget === "tokens") control.forgetTokens();
  if (forget === "tombstones") control.forgetTombstones();
  return { done: true };
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(`${JSON.stringify(value, infinityInWords)}\n`);
}

/** JSON has no Infinity: a fault that strikes until it is switched off would read as null. */
function infinityInWords(_: string, value: unknown): unknown {
  return value === Infinity ? "until disarmed" : value;
}
