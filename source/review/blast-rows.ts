import type { LocatedSource } from "../located-source.js";
import { firstRun } from "./first-run.js";
import { requestsADay, runsADay } from "./harvest-pace.js";
import { hostText } from "./host-load.js";
import { ownersOf } from "./owners.js";
import { readAgain } from "./read-again.js";
import type { BlastRow, Then } from "./review.js";
import { storeFactsOf, type ReviewInput } from "./review-input.js";
import type { SourceChange } from "./source-change.js";
import { whatChanges } from "./what-changes.js";

/** A row for every source that changes itself, in its policy files, or in the ceiling of its host; by key. */
export function blastRows(input: ReviewInput, now: Date): readonly BlastRow[] {
  const ceilings = new Set(input.ceilingHosts);
  return input.changes
    .filter((change) => change.kind !== "unchanged" || ceilings.has(hostText(change.head)))
    .map((change) => blastRow(input, change, now));
}

function blastRow(input: ReviewInput, change: SourceChange, now: Date): BlastRow {
  const located = change.kind === "removed" ? change.base : change.head;
  const host = hostText(located);
  const { ceiling } = input.headLoads(host);
  const facts = storeFactsOf(input, change);
  const first = change.kind === "removed" ? undefined : firstRun(change.head.source, now);
  return {
    key: change.key,
    kind: change.kind,
    what: whatChanges(change, input.ceilingHosts.includes(host)),
    host,
    inFlight: { before: input.baseLoads(host).inFlight, after: input.headLoads(host).inFlight },
    ...(ceiling === undefined ? {} : { ceiling: ceiling.maxRequests }),
    runsPerDay: then(change, ({ source }) => runsADay(source)),
    requestsPerDay: then(change, ({ source }) => requestsADay(source, facts)),
    requestsMeasured: facts?.lastRun !== undefined,
    ...(first === undefined ? {} : { firstRun: first }),
    readAgain: readAgain(change, facts),
    owners: ownersOf(located, change.kind === "removed" ? input.base : input.head),
  };
}

function then(change: SourceChange, figure: (located: LocatedSource) => number): Then<number> {
  return {
    before: change.kind === "added" ? 0 : figure(change.base),
    after: change.kind === "removed" ? 0 : figure(change.head),
  };
}
