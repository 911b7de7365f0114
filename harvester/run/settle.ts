import { mayAsk, nextBreaker, type BreakerEvent, type BreakerState } from "../fetch/breaker.js";
import { redactUrl } from "../fetch/redact.js";
import { Fault } from "../fault.js";
import { instant, summarise, type RunSummary } from "../report/summary.js";
import type { Tally } from "../report/tally.js";
import type { OpenRun } from "./run.js";

/** Asks what earlier runs and other pods learnt of the endpoint: an open breaker or unfinished quiet means no request (law 6). */
export async function askPermission(run: OpenRun): Promise<void> {
  const { baseUrl } = run.source.spec;
  const permission = mayAsk(await run.ledger.loadEndpoint(baseUrl), run.clock.now().getTime());
  if (permission.kind === "ok") return;
  throw new Fault("unavailable", {
    code: "EndpointResting",
    sentence: `No request was sent: ${permission.why} until ${permission.until.replace("T", " ")}.`,
  });
}

export interface Ending {
  readonly tally: Tally;
  readonly fault?: Fault;
}

/** Writes down how the run ended: what is remembered of the endpoint, the run's row, and the summary. */
export async function settle(run: OpenRun, ending: Ending): Promise<RunSummary> {
  const notBefore = await rememberEndpoint(run, ending).catch(() => undefined);
  return finish(run, ending, notBefore);
}

/** A replay asks nothing of the source, so it says nothing of the endpoint. */
export function settleReplay(run: OpenRun, ending: Ending): Promise<RunSummary> {
  return finish(run, ending, undefined);
}

async function finish(
  run: OpenRun,
  { tally, fault }: Ending,
  notBefore: string | undefined,
): Promise<RunSummary> {
  // A store that fails here has said so elsewhere, or will when the end is written.
  const totals = await run.ledger.totals().catch(() => undefined);
  const summary = summarise({
    runId: run.runId,
    source: run.source.metadata.name,
    endpoint: redactUrl(run.source.spec.baseUrl),
    prefix: run.source.spec.metadataPrefix,
    policyDigest: run.policyDigest,
    startedAt: run.startedAt,
    endedAt: run.clock.now(),
    tally,
    fault,
    notBefore,
    totals,
  });
  const { outcome, exitCode, code, message, counts, endedAt } = summary;
  try {
    await run.ledger.finish({ outcome, exitCode, code, message, counts, endedAt, summary });
  } catch (error) {
    // A run that already failed tells its own reason; one that did not, failed here.
    if (fault === undefined) throw error;
  }
  return summary;
}

async function rememberEndpoint(run: OpenRun, { fault, tally }: Ending): Promise<string | undefined> {
  const { baseUrl } = run.source.spec;
  const before = await run.ledger.loadEndpoint(baseUrl);
  if (fault?.code === "EndpointResting") return before.blockedUntil;
  const now = run.clock.now().getTime();
  const after = nextBreaker(before, eventOf(fault, tally), { now });
  if (!same(before, after)) await run.ledger.saveEndpoint(baseUrl, after);
  return after.blockedUntil !== undefined && after.blockedUntil > instant(new Date(now))
    ? after.blockedUntil
    : undefined;
}

function eventOf(fault: Fault | undefined, tally: Tally): BreakerEvent {
  if (fault === undefined) return { kind: "succeeded" };
  // Faults of ours, of the store or of a guard say nothing of the endpoint once it has answered.
  const { kind, detail } = fault;
  if (tally.received > 0 && kind !== "throttled" && kind !== "denied") return { kind: "succeeded" };
  return { kind: "failed", fault: kind, sentence: detail.sentence, retryAfterMs: detail.retryAfterMs };
}

function same(one: BreakerState, two: BreakerState): boolean {
  return (
    one.blockedUntil === two.blockedUntil &&
    one.consecutiveFailures === two.consecutiveFailures &&
    one.openedAt === two.openedAt
  );
}
