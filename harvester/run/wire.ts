import { asFault, Fault } from "../fault.js";
import { attempt, type AttemptOptions } from "../fetch/attempt.js";
import { retryAfterOf } from "../fetch/retry-after.js";
import { redactUrl } from "../fetch/redact.js";
import { pace } from "../fetch/throttle.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { Wire } from "../protocols/exchange.js";
import type { OpenRun } from "./run.js";

/** The run's way to its source: paced, counted, and asked again as the manifest's back-off and the agency's Retry-After say. */
export function openWire(run: OpenRun): Wire {
  // What the last answer asked for: a protocol reads bodies, not this header.
  let quietMs: number | undefined;
  const options = attemptOptions(run);
  return {
    async send(request) {
      const response = await sendPaced(run, request);
      const throttling = response.status === 429 || response.status === 503;
      quietMs = throttling ? retryAfterOf(response, run.clock.now().getTime()) : undefined;
      return response;
    },
    attempt(operation) {
      return attempt(async (tries) => {
        try {
          return await operation(tries);
        } catch (thrown) {
          throw withQuiet(asFault(thrown), quietMs);
        }
      }, options);
    },
  };
}

function attemptOptions(run: OpenRun): AttemptOptions {
  const { spec } = run.source;
  return {
    policy: spec.backoff,
    respectRetryAfter: spec.concurrency.respectRetryAfter,
    maxWaitMs: () => millisecondsLeft(run),
    random: () => run.clock.random(),
    sleep: (ms, signal) => run.clock.sleep(ms, signal),
    signal: run.signal,
    onWait: ({ ms, reason, fault }) => {
      run.observe({ kind: "wait", milliseconds: ms, reason: `${reason}: ${fault.detail.sentence}` });
    },
  };
}

/** The budget was used up before, or a recording has no answer (fetch/client.ts, fetch/exchange-tape-player.ts). */
const neverSent: ReadonlySet<string> = new Set(["RequestBudget", "NotOnTape"]);

async function sendPaced(run: OpenRun, request: HttpRequest): Promise<HttpResponse> {
  const { source, ledger, clock, signal } = run;
  const host = new URL(source.spec.baseUrl).hostname;
  const { requestsPerSecond } = source.spec.concurrency;
  await pace(
    {
      requestsPerSecond,
      reserve: (rate) => ledger.reserve(host, rate),
      sleep: (ms) => clock.sleep(ms, signal),
    },
    signal,
  );
  stopIfAsked(signal);
  const started = clock.now().getTime();
  const response = await run.client.send(request, signal).catch((thrown: unknown) => {
    // Sent, but not answered: it counts, or the summary would speak of no request at all.
    if (!(thrown instanceof Fault && neverSent.has(thrown.code)))
      run.observe({ kind: "request", url: redactUrl(request.url), status: 0, milliseconds: 0 });
    throw thrown;
  });
  const milliseconds = clock.now().getTime() - started;
  run.observe({ kind: "request", url: response.url, status: response.status, milliseconds });
  for (const warning of response.warnings) run.observe({ kind: "warning", warning });
  return { ...response, body: counted(response.body, run) };
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  run: OpenRun,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of body) {
    run.observe({ kind: "bytes", bytes: chunk.byteLength });
    yield chunk;
  }
}

function withQuiet(fault: Fault, retryAfterMs: number | undefined): Fault {
  if (fault.kind !== "throttled" || retryAfterMs === undefined || fault.detail.retryAfterMs !== undefined)
    return fault;
  const seconds = Math.ceil(retryAfterMs / 1000).toString();
  const sentence = `${fault.detail.sentence} It asks for ${seconds} s of quiet (Retry-After).`;
  return new Fault(fault.kind, { ...fault.detail, sentence, retryAfterMs });
}

function millisecondsLeft(run: OpenRun): number {
  const used = run.clock.now().getTime() - run.startedAt.getTime();
  return Math.max(0, run.source.spec.limits.maxRunSeconds * 1000 - used);
}

/** Throws the reason the run was asked to stop, if it was. */
export function stopIfAsked(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof Fault) throw signal.reason;
  throw new Fault("interrupted", {
    code: "Interrupted",
    sentence: "The run was stopped.",
    cause: signal.reason,
  });
}
