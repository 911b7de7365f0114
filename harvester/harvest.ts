/**
 * One run of one source, as one page: cursor → identify → windows → pages → records → classify → gates → transform →
 * commit → removals → report. The same for the pod, `harvestctl run` and `harvestctl dry-run`.
 */
import { asFault, type Fault } from "./fault.js";
import { exchange } from "./protocols/exchange.js";
import type { RunSummary } from "./report/summary.js";
import { clockSkew } from "./report/skew.js";
import { addEvent, emptyTally, type Tally } from "./report/tally.js";
import { begin } from "./run/begin.js";
import type { OpenRun, Run } from "./run/run.js";
import { harvestSet } from "./run/set.js";
import { tellStanding } from "./run/standing.js";
import { askPermission, settle } from "./run/settle.js";
import { openWire } from "./run/wire.js";

/** Never throws for what the source does: that is in the summary. Throws Fault `busy` or `store` when it cannot begin. */
export async function harvest(run: Run): Promise<RunSummary> {
  let tally: Tally = emptyTally;
  const open = await begin(run, setsOf(run), (event) => {
    tally = addEvent(tally, event);
    run.observe(event);
  });
  const fault = await harvestSets(open);
  return settle(open, { tally, fault });
}

/** Undefined: all sets were read. What was committed before a fault stays, and no watermark has passed it. */
async function harvestSets(run: OpenRun): Promise<Fault | undefined> {
  const { spec } = run.source;
  let release: () => Promise<void> = () => Promise.resolve();
  try {
    for (const set of setsOf(run)) await tellStanding(run, set);
    await askPermission(run);
    release = await run.ledger.acquireSlot(new URL(spec.baseUrl).hostname, run.maxInFlight, run.signal);
    const wire = openWire(run);
    const capabilities = await exchange(wire, run.protocol.identify.ask(spec), (r) =>
      run.protocol.identify.read(r),
    );
    const skewSeconds = clockSkew(capabilities.serverTime, run.clock.now());
    run.observe({ kind: "identified", capabilities, skewSeconds });
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
