import type { LocatedSource } from "../../located-source.js";
import type { Consequence } from "../consequence.js";
import { count, list, valueText } from "../figures.js";
import { hostText } from "../host-load.js";
import type { ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";
import { compareText, keyOf } from "../source-key.js";
import { startsOf } from "../starts.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

/** Sources of one host that start in the same minute and did not before: one consequence a host, its largest group. */
export const collisions: ConsequenceRule = (input) =>
  [...movedByHost(input)].flatMap(([host, moved]): readonly Consequence[] => {
    const group = largestNewGroup(host, moved, input);
    return group === undefined ? [] : [collision(host, group, input)];
  });

interface Group {
  /** Sorted by key. */
  readonly members: readonly LocatedSource[];
  /** Those of them whose start is new: the first, and how many. */
  readonly first: LocatedSource;
  readonly moved: number;
  /** The first minute at which they meet, in ms since 1970. */
  readonly at: number;
}

/** By host: the sources whose starts this change moves there. */
function movedByHost({ changes }: ReviewInput): ReadonlyMap<string, ReadonlySet<string>> {
  const hosts = new Map<string, Set<string>>();
  for (const change of changes) {
    if (!startsMove(change)) continue;
    const host = hostText(change.head);
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, new Set([change.key]));
    else known.add(change.key);
  }
  return hosts;
}

function startsMove(change: SourceChange): change is Exclude<SourceChange, { kind: "removed" }> {
  if (change.kind === "removed" || change.kind === "unchanged") return false;
  if (change.kind === "added") return true;
  return timing(change.base) !== timing(change.head);
}

function timing(located: LocatedSource): string {
  const { schedule, timeZone, scheduleSpreadMinutes, suspend } = located.source.spec;
  return JSON.stringify([hostText(located), schedule, timeZone, scheduleSpreadMinutes, suspend]);
}

function largestNewGroup(host: string, moved: ReadonlySet<string>, input: ReviewInput): Group | undefined {
  const before = byStart(input.baseLoads(host).sources);
  let largest: Group | undefined;
  for (const [at, members] of byStart(input.headLoads(host).sources)) {
    if (members.length < 2 || members.length <= (largest?.members.length ?? 1)) continue;
    const fresh = members.filter((member) => moved.has(keyOf(member)));
    const [first] = fresh;
    if (first === undefined) continue;
    const old = new Set(before.get(at)?.map(keyOf));
    if (members.every((member) => old.has(keyOf(member)))) continue;
    largest = { members, first, moved: fresh.length, at };
  }
  return largest;
}

/** In the order of time. */
function byStart(sources: readonly LocatedSource[]): ReadonlyMap<number, readonly LocatedSource[]> {
  const found = new Map<number, LocatedSource[]>();
  for (const located of [...sources].sort((a, b) => compareText(keyOf(a), keyOf(b))))
    for (const start of startsOf(located.source)) {
      const known = found.get(start);
      if (known === undefined) found.set(start, [located]);
      else known.push(located);
    }
  return new Map([...found].sort(([a], [b]) => a - b));
}

function collision(host: string, { members, first, moved, at }: Group, input: ReviewInput): Consequence {
  const together = members.reduce((sum, { source }) => sum + source.spec.concurrency.maxRequests, 0);
  const ceiling = input.headLoads(host).ceiling?.maxRequests;
  const time = new Date(at).toISOString().slice(11, 16);
  return tellAt(first.place(["spec", "schedule"]), moved === 1 ? keyOf(first) : undefined, {
    id: "schedule-collision",
    ...(ceiling !== undefined && together * 2 <= ceiling ? { severity: "info" } : {}),
    sentence: `${count(members.length)} sources of ${valueText(host)} start in the same minute, e.g. at ${time} UTC: ${list(members.map(keyOf))}.`,
    remedy: "Give them scheduleSpreadMinutes: 60, or other minutes.",
  });
}
