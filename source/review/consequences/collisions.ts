import type { HarvestSource } from "../../harvest-source.generated.js";
import type { LocatedSource } from "../../located-source.js";
import type { Consequence } from "../consequence.js";
import { count, list, valueText } from "../figures.js";
import { hostText } from "../host-load.js";
import { installedSchedule } from "../installed-schedule.js";
import type { ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";
import { keyOf } from "../source-key.js";
import { startsOf } from "../starts.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

/** Sources of one host that start in the same minute and did not before: one consequence a host, its largest group. */
export const collisions: ConsequenceRule = (input) => {
  const timetable = startsBySchedule();
  return [...movedByHost(input)].flatMap(([host, moved]): readonly Consequence[] => {
    const before = byStart(input.baseLoads(host).sources, timetable);
    const after = byStart(input.headLoads(host).sources, timetable);
    const group = largestNewGroup(before, after, moved);
    return group === undefined ? [] : [collision(host, group, input)];
  });
};

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

/** In the order of time; each list sorted by key. */
type Meetings = ReadonlyMap<number, readonly Member[]>;

function largestNewGroup(before: Meetings, after: Meetings, moved: ReadonlySet<string>): Group | undefined {
  let largest: Group | undefined;
  for (const [at, members] of after) {
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

function byStart(sources: readonly LocatedSource[], startsOfOne: Timetable): Meetings {
  const found = new Map<number, Member[]>();
  for (const located of sources) {
    const { source } = located;
    const { maxRequests } = source.spec.concurrency;
    const member = { key: keyOf(located), maxRequests, located };
    for (const start of startsOfOne(source)) {
      const known = found.get(start);
      if (known === undefined) found.set(start, [member]);
      else known.push(member);
    }
  }
  return new Map([...found].sort(([a], [b]) => a - b));
}

type Timetable = (source: HarvestSource) => readonly number[];

/** Hundreds of sources share a schedule: it is worked out once a review. */
function startsBySchedule(): Timetable {
  const known = new Map<string, readonly number[]>();
  return (source) => {
    const installed = `${installedSchedule(source).text} ${source.spec.timeZone}`;
    const starts = known.get(installed) ?? startsOf(source);
    known.set(installed, starts);
    return starts;
  };
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
