import { attempt, type WaitNotice } from "../fetch/attempt.js";
import { pace } from "../fetch/throttle.js";
import type { HttpRequest, HttpResponse } from "../http.js";
import type { OpenRun } from "./run.js";

/** Sends one request of the run: at the host's pace, counted, its warnings told. Any status is an answer. */
export async function send(run: OpenRun, request: HttpRequest): Promise<HttpResponse> {
  const { source, ledger, clock, signal } = run;
  const host = new URL(source.spec.baseUrl).host;
  const { requestsPerSecond } = source.spec.concurrency;
  await pace({ requestsPerSecond, reserve: (rate) => ledger.reserve(host, rate), sleep: (ms) => clock.sleep(ms, signal) }, signal);
  const started = clock.now().getTime();
  const response = await run.client.send(request, signal);
  const milliseconds = clock.now().getTime() - started;
  run.observe({ kind: "request", url: response.url, status: response.status, milliseconds });
  for (const warning of response.warnings) run.observe({ kind: "warning", warning });
  return { ...response, body: counted(response.body, run) };
}

async function* counted(body: AsyncIterable<Uint8Array>, run: OpenRun): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of body) {
    run.observe({ kind: "bytes", bytes: chunk.byteLength });
    yield chunk;
  }
}

/** Runs an exchange with the source under the manifest's back-off, telling each wait. */
export function withRetries<T>(run: OpenRun, exchange: (attempt: number) => Promise<T>): Promise<T> {
  const { spec } = run.source;
  return attempt(exchange, {
    policy: spec.backoff,
    respectRetryAfter: spec.concurrency.respectRetryAfter,
    maxWaitMs: () => secondsLeft(run) * 1000,
    random: () => run.clock.random(),
    sleep: (ms, signal) => run.clock.sleep(ms, signal),
    signal: run.signal,
    onWait: (notice) => {
      tellWait(run, notice);
    },
  });
}

function secondsLeft(run: OpenRun): number {
  const used = (run.clock.now().getTime() - run.startedAt.getTime()) / 1000;
  return Math.max(0, run.source.spec.limits.maxRunSeconds - used);
}

function tellWait(run: OpenRun, { ms, reason, fault }: WaitNotice): void {
  run.observe({ kind: "wait", milliseconds: ms, reason: `${reason}: ${fault.detail.sentence}` });
}
