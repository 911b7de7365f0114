/**
 * Requests to the API of GitHub or GitLab, with patience: what fails for the moment is asked again, and the waits the
 * server names (Retry-After, x-ratelimit-reset) are kept. Nothing of the token ever stands in a message.
 */
import { Buffer } from "node:buffer";
import { setTimeout as wait } from "node:timers/promises";

const { AbortSignal, fetch } = globalThis;
const attempts = 5;
/** Seconds. A server that asks for more is told about instead: a job must not hang for an hour. */
const longestWait = 120;
/** An answer of a list of 100 comments of 65,536 characters each, in UTF-8 and as JSON, stays below. */
const mostBytes = 64 * 1024 * 1024;

/** A request that failed; `status` 0 = no answer at all. `unknown` = it may have been done all the same. */
export class ApiFailure extends Error {
  constructor(sentence, { status, unknown = false }) {
    super(sentence);
    this.status = status;
    this.unknown = unknown;
  }
}

/**
 * @param {{ base: string, headers: Record<string, string> }} api address without a slash at its end, and who asks
 * @returns {(method: string, path: string, body?: unknown) => Promise<unknown>} the answer's JSON; throws ApiFailure.
 *   POST is not repeated where it may have been done already: the caller looks first.
 */
export function askApi(api) {
  return async function ask(method, path, body) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(api, { method, path, body });
      if (answer.ok) return answer.json;
      const seconds = waitFor(answer, attempt);
      const again = answer.refusedUndone || (answer.passing && method !== "POST");
      if (!again || attempt === attempts || seconds > longestWait) throw failureOf(answer, { method, path });
      process.stderr.write(`${method} ${path}: ${answer.what}; again in ${String(seconds)} s\n`);
      await wait(seconds * 1000);
    }
  };
}

async function once(api, request) {
  try {
    const response = await send(api, request);
    const text = (await boundedBytes(response, mostBytes)).toString("utf8");
    if (!response.ok) return refusal(response, text);
    return { ok: true, json: text === "" ? undefined : JSON.parse(text) };
  } catch (error) {
    const what = `no usable answer (${error?.cause?.code ?? error?.name ?? "unknown"})`;
    return { ok: false, status: 0, what, passing: true, refusedUndone: false };
  }
}

function send({ base, headers }, { method, path, body }) {
  const content =
    body === undefined
      ? { headers }
      : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  return fetch(`${base}${path}`, {
    method,
    ...content,
    redirect: "error",
    signal: AbortSignal.timeout(30_000),
  });
}

/** A rate limit was refused before anything was done; a 5xx may have been done all the same. */
function refusal({ status, headers }, text) {
  const limited =
    status === 429 ||
    (status === 403 &&
      (headers.has("retry-after") ||
        headers.get("x-ratelimit-remaining") === "0" ||
        /rate limit/i.test(text)));
  return {
    ok: false,
    status,
    what: limited ? `rate limit (${String(status)})` : `answered ${String(status)}`,
    passing: limited || status >= 500,
    refusedUndone: limited,
    retryAfter: headers.get("retry-after"),
    reset: headers.get("x-ratelimit-remaining") === "0" ? headers.get("x-ratelimit-reset") : null,
  };
}

/** Seconds until the next attempt: what the server says, else 1, 2, 4, 8. */
function waitFor({ retryAfter, reset }, attempt) {
  const told = Number.parseInt(retryAfter ?? "", 10);
  if (Number.isFinite(told) && told >= 0) return told;
  const at = Number.parseInt(reset ?? "", 10);
  if (Number.isFinite(at)) return Math.max(0, Math.ceil(at - Date.now() / 1000));
  return 2 ** (attempt - 1);
}

function failureOf(answer, { method, path }) {
  return new ApiFailure(`${method} ${path.split("?")[0]}: ${answer.what}`, {
    status: answer.status,
    unknown: answer.passing && !answer.refusedUndone,
  });
}

/** The body, or an error once there are more bytes than that. */
export async function boundedBytes(response, most) {
  const parts = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > most) throw new Error(`The answer is bigger than ${String(most)} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
