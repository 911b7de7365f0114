/**
 * One run of one source, as one page: cursor → identify → windows → pages → records → classify → gates → transform →
 * commit → removals → report. The same for the pod, `harvestctl run` and `harvestctl dry-run`.
 */
import { asFault, type Fault } from "./fault.js";
import { exchange } from "./protocols/exchange.js";
import type { RunSummary } from "./report/summary.js";
import { instant } from "./report/summary.js";
import { addEvent, emptyTally, type Tally } from "./report/tally.js";
import type { OpenRun, Run } from "./run/run.js";
import { harvestSet } from "./run/set.js";
import { askPermission, settle } from "./run/settle.js";
import { openWire } from "./run/wire.js";

/** Never throws for what the source does: that is in the summary. Throws Fault `busy` or `store` when it cannot begin. */
export async function harvest(run: Run): Promise<RunSummary> {
  let tally: Tally = emptyTally;
  const open = await begin(run, (event) => {
    tally = addEvent(tally, event);
    run.observe(event);
  });
  const fault = await harvestSets(open);
  return settle(open, { tally, fault });
}

/** Takes the source for this run: nobody else may write for it until the run is finished (case C130). */
async function begin(run: Run, observe: Run["observe"]): Promise<OpenRun> {
  const startedAt = run.clock.now();
  const { spec, metadata } = run.source;
  const ledger = await run.store.begin({
    runId: run.runId,
    source: metadata.name,
    endpoint: spec.baseUrl,
    prefix: spec.metadataPrefix,
    policyDigest: run.policyDigest,
    holder: run.holder,
    manifest: run.source,
    startedAt: instant(startedAt),
    sets: setsOf(run),
  });
  return { ...run, observe, ledger, startedAt };
}

/** Undefined: all sets were read. What was committed before a fault stays, and no watermark has passed it. */
async function harvestSets(run: OpenRun): Promise<Fault | undefined> {
  const { spec } = run.source;
  let release: () => Promise<void> = () => Promise.resolve();
  try {
    await askPermission(run);
    release = await run.ledger.acquireSlot(
      new URL(spec.baseUrl).host,
      spec.concurrency.maxRequests,
      run.signal,
    );
    const wire = openWire(run);
    const capabilities = await exchange(wire, run.protocol.identify.ask(spec), (r) =>
      run.protocol.identify.read(r),
    );
    run.observe({ kind: "identified", capabilities });
    for (const warning of capabilities.warnings) run.observe({ kind: "warning", warning });
    for (const set of setsOf(run)) await harvestSet(run, set, { wire, capabilities });
    return undefined;
  } catch (thrown) {
    const fault = asFault(thrown);
    run.observe({ kind: "fault", fault: fault.kind, code: fault.code, sentence: fault.detail.sentence });
    return fault;
  } finally {
    await release().catch(() => undefined);
  }
}

/** "" is the whole repository. */
function setsOf({ source }: Run): readonly string[] {
  const { sets } = source.spec;
  return sets === undefined || sets.length === 0 ? [""] : sets;
}
