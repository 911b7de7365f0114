/**
 * Judges quarantined records again under today's rules: what passes enters the catalogue, what does not stays with its
 * new reason. A run of its own: it holds the source, and moves no cursor.
 */
import { asFault, type Fault } from "./fault.js";
import type { QuarantineEntry } from "./persist/quarantine-reading.js";
import type { RunSummary } from "./report/summary.js";
import { addEvent, emptyTally, type Tally } from "./report/tally.js";
import { decide, type Decisions } from "./run/decide.js";
import { begin } from "./run/begin.js";
import { commitPortion } from "./run/commit.js";
import type { OpenRun, Run } from "./run/run.js";
import { settleReplay } from "./run/settle.js";
import { stopIfAsked } from "./run/wire.js";

const ENTRIES_AT_ONCE = 50;

/** `entries` are of the run's source. Damage to the envelope cannot be judged again: it stays as it is. */
export async function replay(run: Run, entries: AsyncIterable<QuarantineEntry>): Promise<RunSummary> {
  let tally: Tally = emptyTally;
  const open = await begin(run, undefined, (event) => {
    tally = addEvent(tally, event);
    run.observe(event);
  });
  let fault: Fault | undefined;
  try {
    for await (const group of groups(entries)) {
      stopIfAsked(run.signal);
      await judgeAgain(open, group);
    }
  } catch (thrown) {
    fault = asFault(thrown);
  }
  return settleReplay(open, { tally, fault });
}

async function judgeAgain(run: OpenRun, group: readonly QuarantineEntry[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const items = group.filter((entry) => entry.gate !== "envelope").map(asDelivered);
  const decisions: Decisions = await decide(run, items, { set: first.set, tombstones: false });
  const { spec } = run.source;
  await commitPortion(run, {
    decisions,
    key: { endpoint: spec.baseUrl, set: first.set, prefix: spec.metadataPrefix },
  });
}

function asDelivered({ identifier, header, body }: QuarantineEntry): Parameters<typeof decide>[1][number] {
  const { datestamp, sets = [] } = header ?? {};
  return {
    kind: "record",
    header: { identifier, datestamp, sets, deleted: false },
    body,
    about: [],
    warnings: [],
  };
}

/** Entries of one set each, in the order they come. */
async function* groups(
  entries: AsyncIterable<QuarantineEntry>,
): AsyncGenerator<QuarantineEntry[], void, void> {
  let group: QuarantineEntry[] = [];
  for await (const entry of entries) {
    const full = group.length >= ENTRIES_AT_ONCE || (group[0] !== undefined && group[0].set !== entry.set);
    if (full) yield group;
    group = full ? [entry] : [...group, entry];
  }
  if (group.length > 0) yield group;
}
