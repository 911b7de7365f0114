import type { LocatedSource } from "../../located-source.js";
import type { Consequence } from "../consequence.js";
import { count, list, valueText } from "../figures.js";
import { hostText } from "../host-load.js";
import type { ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";
import { keyOf } from "../source-key.js";
import { spreadSchedule } from "../../spread.js";
import { startsOf } from "../starts.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

/** Sources of one host that start in the same minute and did not before: one consequence a host, its largest group. */
export const collisions: ConsequenceRule = (input) =>
  [...movedByHost(input)].flatMap(([host, moved]): readonly Consequence[] => {
    const group = largestNewGroup(host, moved, input);
    return group === undefined ? [] : [collision(host, group, input)];
  });

interface Member {
  readonly key: string;
  readonly maxRequests: number;
  readonly located: LocatedSource;
}

interface Group {
  /** Sorted by key. */
  readonly members: readonly Member[];
  /** Those of them whose start is new: the first, and how many. */
  readonly first: Member;
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
    const fresh = members.filter(({ key }) => moved.has(key));
    const [first] = fresh;
    if (first === undefined) continue;
    const old = new Set(before.get(at)?.map(({ key }) => key));
    if (members.every(({ key }) => old.has(key))) continue;
    largest = { members, first, moved: fresh.length, at };
  }
  return largest;
}

/** In the order of time; each list sorted by key. */
function byStart(sources: readonly LocatedSource[]): ReadonlyMap<number, readonly Member[]> {
  const found = new Map<number, Member[]>();
  for (const { member, starts } of withStarts(sources))
    for (const start of starts) {
      const known = found.get(start);
      if (known === undefined) found.set(start, [member]);
      else known.push(member);
    }
  return new Map([...found].sort(([a], [b]) => a - b));
}

interface Starting {
  readonly member: Member;
  readonly starts: readonly number[];
}

/** Hundreds of sources share a schedule: it is worked out once. */
function withStarts(sources: readonly LocatedSource[]): readonly Starting[] {
  const known = new Map<string, readonly number[]>();
  return sources.map((located) => {
    const { source } = located;
    const { metadata, spec } = source;
    const schedule = `${spreadSchedule({ metadata, spec }).schedule} ${spec.timeZone}`;
    const starts = known.get(schedule) ?? startsOf(source);
    known.set(schedule, starts);
    const { maxRequests } = spec.concurrency;
    return { member: { key: keyOf(located), maxRequests, located }, starts };
  });
}

function collision(host: string, { members, first, moved, at }: Group, input: ReviewInput): Consequence {
  const together = members.reduce((sum, { maxRequests }) => sum + maxRequests, 0);
  const ceiling = input.headLoads(host).ceiling?.maxRequests;
  const time = new Date(at).toISOString().slice(11, 16);
  return tellAt(first.located.place(["spec", "schedule"]), moved === 1 ? first.key : undefined, {
    id: "schedule-collision",
    ...(ceiling !== undefined && together * 2 <= ceiling ? { severity: "info" } : {}),
    sentence: `${count(members.length)} sources of ${valueText(host)} start in the same minute, e.g. at ${time} UTC: ${list(members.map(({ key }) => key))}.`,
    remedy: "Give them scheduleSpreadMinutes: 60, or other minutes.",
  });
}
