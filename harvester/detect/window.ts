/**
 * Which windows of time a run asks for, in order. Together they cover everything from the watermark (less the overlap)
 * to now, without gaps; neighbours share their edge, as both ends of a window are inclusive and some servers keep
 * fractions of a second. The newest one has no `until` (case C29), so that the server's clock decides.
 */
import type { HarvestSourceSpec } from "../../source/harvest-source.generated.js";
import type { Capabilities, Cursor, Instant, UnfinishedList, Window } from "../record.js";
import { addSeconds, DAY_SECONDS, earlier, floorDay, fromSeconds, later, toSeconds } from "./instant.js";

export interface WindowQuestion {
  readonly cursor: Cursor;
  readonly capabilities: Pick<Capabilities, "granularity" | "earliest" | "serverTime">;
  readonly delta: HarvestSourceSpec["delta"];
}

/** Before this no repository existed: an earlier `earliestDatestamp` only makes the first shard reach further back. */
const FIRST_SHARD: Instant = "1990-01-01T00:00:00Z";

export function planWindows(question: WindowQuestion): readonly Window[] {
  return shards(startOf(question), question);
}

/** The list that is taken up again, then what follows it. */
export function planAfter(unfinished: UnfinishedList, question: WindowQuestion): readonly Window[] {
  const { window } = unfinished;
  if (window.until === undefined) return [window];
  return [window, ...shards(window.until, question)];
}

/** Undefined: no lower end, everything is asked for. */
function startOf({ cursor, capabilities, delta }: WindowQuestion): Instant | undefined {
  if (delta.mode !== "from-cursor" || cursor.watermark === undefined) return undefined;
  const { earliest, serverTime, granularity } = capabilities;
  // A watermark ahead of the server's clock (it was set back) must not become a `from` in the future (case C30).
  const reached = serverTime === undefined ? cursor.watermark : earlier(cursor.watermark, serverTime);
  let start = addSeconds(reached, -delta.overlapSeconds);
  // A server's "earliest" is believed only where it cannot hide anything: up to what is committed already (case C24).
  if (earliest !== undefined && earliest <= reached) start = later(start, earliest);
  return granularity === "day" ? floorDay(start) : start;
}

function shards(start: Instant | undefined, question: WindowQuestion): readonly Window[] {
  const { serverTime, earliest, granularity } = question.capabilities;
  const days = question.delta.maxWindowDays;
  if (days === undefined || serverTime === undefined) return [openWindow(start)];
  const lower = start ?? later(earliest ?? FIRST_SHARD, FIRST_SHARD);
  const grid = granularity === "day" ? floorDay(lower) : lower;
  const windows: Window[] = [];
  let from = start;
  for (
    let until = addSeconds(grid, days * DAY_SECONDS);
    until < serverTime;
    until = addSeconds(until, days * DAY_SECONDS)
  ) {
    windows.push(from === undefined ? { until } : { from, until });
    from = until;
  }
  return [...windows, openWindow(from)];
}

function openWindow(from: Instant | undefined): Window {
  return from === undefined ? {} : { from };
}

/**
 * The two halves of a window; undefined when nothing is left to halve (case C18). Open ends stay open in the outer
 * halves. Halves in seconds share their edge, or a record between two seconds would fall through; days do not need to.
 */
export function splitWindow(
  window: Window,
  capabilities: Pick<Capabilities, "granularity" | "earliest" | "serverTime">,
): readonly [Window, Window] | undefined {
  const { earliest, serverTime, granularity } = capabilities;
  const upper = window.until ?? serverTime;
  if (upper === undefined) return undefined;
  const byDay = granularity === "day";
  const unit = byDay ? DAY_SECONDS : 1;
  const low = Math.floor(toSeconds(window.from ?? later(earliest ?? FIRST_SHARD, FIRST_SHARD)) / unit);
  const high = Math.floor(toSeconds(upper) / unit);
  if (high - low < (byDay ? 1 : 2)) return undefined;
  const middle = Math.floor((low + high) / 2);
  return [
    { ...openWindow(window.from), until: fromSeconds(middle * unit) },
    { ...openWindow(fromSeconds((byDay ? middle + 1 : middle) * unit)), ...untilOf(window) },
  ];
}

function untilOf({ until }: Window): Window {
  return until === undefined ? {} : { until };
}
