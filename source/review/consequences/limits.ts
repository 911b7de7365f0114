import type { Consequence } from "../consequence.js";
import type { StoreFacts } from "../facts.js";
import { binaryBytes, duration } from "../figures.js";
import { eachChanged, tell, type Compared, type ConsequenceRule, type Saying } from "./consequence-rule.js";

/** What is too much. */
export const limits: ConsequenceRule = eachChanged((compared) => [...sizes(compared), ...runTime(compared)]);

function sizes(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  const record = size(before.limits.maxRecordBytes, after.limits.maxRecordBytes, {
    lowered: `records of ${change.key} over`,
    fate: "are quarantined",
    raised: `records of ${change.key}`,
  });
  const page = size(before.limits.maxPageBytes, after.limits.maxPageBytes, {
    lowered: `answers of ${change.key} over`,
    fate: "end their request",
    raised: `answers of ${change.key}`,
  });
  return [
    ...record.map((saying) => tell(compared, ["spec", "limits", "maxRecordBytes"], saying)),
    ...page.map((saying) => tell(compared, ["spec", "limits", "maxPageBytes"], withPages(saying, compared))),
  ];
}

interface Words {
  readonly lowered: string;
  readonly fate: string;
  readonly raised: string;
}

function size(old: number, now: number, words: Words): readonly Saying[] {
  if (old === now) return [];
  if (now > old)
    return [
      {
        id: "limits-raised",
        sentence: `From now on ${words.raised} may have ${binaryBytes(now)} instead of ${binaryBytes(old)}.`,
      },
    ];
  return [
    {
      id: "limits-lowered",
      sentence: `From now on ${words.lowered} ${binaryBytes(now)} ${words.fate}; until now ${binaryBytes(old)} were allowed.`,
    },
  ];
}

/** The average answer says nothing of the biggest one, but when it alone is too big there is nothing to hope for. */
function withPages(saying: Saying, { store, after }: Compared): Saying {
  const run = store?.lastFullRun ?? store?.lastRun;
  if (saying.id !== "limits-lowered" || run === undefined || run.requests === 0) return saying;
  const average = run.bytes / run.requests;
  if (average <= after.limits.maxPageBytes) return saying;
  return {
    ...saying,
    sentence: `${saying.sentence} An answer had ${binaryBytes(average)} on average: the source cannot be harvested like this.`,
  };
}

function runTime(compared: Compared): readonly Consequence[] {
  const { before, after, store, change } = compared;
  const [old, now] = [before.limits.maxRunSeconds, after.limits.maxRunSeconds];
  if (now === old) return [];
  if (now > old)
    return [
      tell(compared, ["spec", "limits", "maxRunSeconds"], {
        id: "run-time-lengthened",
        sentence: `A run of ${change.key} may take ${duration(now)} instead of ${duration(old)}.`,
      }),
    ];
  const longest = longestRun(store);
  const known =
    longest === 0 ? "How long its runs take is not known" : `Its longest run known took ${duration(longest)}`;
  return [
    tell(compared, ["spec", "limits", "maxRunSeconds"], {
      id: "run-time-shortened",
      ...(longest > now ? { severity: "warning" } : {}),
      sentence: `A run of ${change.key} stops after ${duration(now)} instead of ${duration(old)} and keeps what it has. ${known}.`,
    }),
  ];
}

/** In seconds; 0 = none is known. */
function longestRun(store: StoreFacts | undefined): number {
  const runs = [store?.lastRun, store?.lastFullRun].map((run) => run?.seconds ?? 0);
  return Math.max(store?.longestSeconds ?? 0, ...runs);
}
