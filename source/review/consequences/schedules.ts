import { describeCron } from "../../cron.js";
import type { HarvestSource } from "../../harvest-source.generated.js";
import type { Consequence } from "../consequence.js";
import { count, duration, timesADay, valueText } from "../figures.js";
import { requestsADay, runsADay } from "../harvest-pace.js";
import { hostText } from "../host-load.js";
import { installedCron, shortestInterval } from "../starts.js";
import { yearlyClockChanges } from "../clock-change.js";
import { eachChanged, tell, type Compared, type ConsequenceRule } from "./consequence-rule.js";

const PATH = ["spec", "schedule"];

/** When a source is harvested. */
export const schedules: ConsequenceRule = eachChanged((compared) => [
  ...when(compared),
  ...howOften(compared),
  ...starvation(compared),
  ...clockChange(compared),
]);

/** A source that is paused on one side is told by that. */
function when(compared: Compared): readonly Consequence[] {
  const { change } = compared;
  const [old, now] = [runsText(change.base.source), runsText(change.head.source)];
  if (old === undefined || now === undefined || old === now) return [];
  return [
    tell(compared, fieldOf(compared), {
      id: "schedule-changed",
      sentence: `${change.key} runs ${now}; until now ${old}.`,
    }),
  ];
}

function fieldOf({ before, after }: Compared): readonly string[] {
  if (before.schedule !== after.schedule) return PATH;
  return ["spec", before.timeZone === after.timeZone ? "scheduleSpreadMinutes" : "timeZone"];
}

function runsText(source: HarvestSource): string | undefined {
  const cron = installedCron(source);
  return cron === undefined ? undefined : `${describeCron(cron)} (${valueText(source.spec.timeZone)})`;
}

function howOften(compared: Compared): readonly Consequence[] {
  const { change, store, before, after } = compared;
  const [old, now] = [runsADay(change.base.source), runsADay(change.head.source)];
  if (old === now || before.suspend || after.suspend) return [];
  const requests = [change.base.source, change.head.source].map((source) => requestsADay(source, store));
  const least = store?.lastRun === undefined ? "at least" : "about";
  const cost = `${least} ${requestCount(requests[1])} requests a day at ${valueText(hostText(change.head))} instead of ${requestCount(requests[0])}`;
  return [
    tell(compared, PATH, {
      id: now > old ? "runs-more-often" : "runs-less-often",
      ...(now > old && now < 2 * old ? { severity: "info" } : {}),
      sentence: `${change.key} runs ${timesADay(now)} instead of ${timesADay(old)}: ${cost}.`,
    }),
  ];
}

function requestCount(n = 0): string {
  return count(n < 10 ? n : Math.round(n));
}

/** Told when the schedule, or the way of reading, brings it about. */
function starvation(compared: Compared): readonly Consequence[] {
  const { change, before, after } = compared;
  const allAtOnce = after.delta.mode === "full" && before.delta.mode !== "full";
  if (runsText(change.base.source) === runsText(change.head.source) && !allAtOnce) return [];
  const longest = longestRun(compared, allAtOnce);
  const interval = longest === 0 ? undefined : shortestInterval(change.head.source);
  if (interval === undefined || longest <= interval) return [];
  return [
    tell(compared, PATH, {
      id: "starvation",
      sentence: `Runs of ${change.key} take up to ${duration(longest)}, and the next one is due after ${duration(interval)}: it does not start while one is still going.`,
      remedy: "Ask less often, or make runs shorter.",
    }),
  ];
}

/** In seconds; 0 = not known. */
function longestRun({ store }: Compared, allAtOnce: boolean): number {
  const full = allAtOnce ? (store?.lastFullRun?.seconds ?? 0) : 0;
  return Math.max(store?.longestSeconds ?? 0, full);
}

function clockChange(compared: Compared): readonly Consequence[] {
  const { change } = compared;
  const [old, now] = [touched(change.base.source), touched(change.head.source)];
  if (now === undefined || old === now || runsText(change.base.source) === runsText(change.head.source))
    return [];
  return [
    tell(compared, PATH, {
      id: "clock-change-hits-run",
      sentence: `${change.key}: when clocks of ${valueText(change.head.source.spec.timeZone)} change, ${now}.`,
    }),
  ];
}

/** "the run at 02:30 is left out in spring and made twice in autumn", without the seasons, which differ by hemisphere. */
function touched(source: HarvestSource): string | undefined {
  const cron = installedCron(source);
  if (cron === undefined || cron.kind === "every") return undefined;
  const { skipped, doubled } = yearlyClockChanges(cron, source.spec.timeZone);
  if (skipped.length > 0 && skipped.join() === doubled.join())
    return `${runs(skipped)} left out on one day and made twice on another`;
  const said = [
    ...(skipped.length === 0 ? [] : [`${runs(skipped)} left out on one day`]),
    ...(doubled.length === 0 ? [] : [`${runs(doubled)} made twice on one day`]),
  ];
  return said.length === 0 ? undefined : said.join(", and ");
}

function runs(times: readonly string[]): string {
  const [first = ""] = times;
  return times.length === 1 ? `the run at ${first} is` : `${count(times.length)} runs from ${first} on are`;
}
