/**
 * Where the watermark stands when a window is read to its end (law 1): at the server's clock of the window's first
 * answer, or at the window's own end when that is earlier. Never at our clock, never at the latest datestamp of a list
 * that nobody promised to be sorted (cases C26, C27); never backwards.
 */
import type { Instant, Window } from "../record.js";
import { addSeconds, DAY_SECONDS, earlier, later } from "./instant.js";

export interface WatermarkQuestion {
  readonly current: Instant | undefined;
  readonly window: Window;
  /** The server's clock at the window's first answer; undefined when it never told. */
  readonly windowTime: Instant | undefined;
  /** Our clock: only to disbelieve a server that lives in the future. */
  readonly now: Instant;
}

export type WatermarkDecision =
  | { readonly kind: "move"; readonly to: Instant }
  | {
      readonly kind: "stay";
      readonly reason: "no-server-time" | "server-clock-ahead" | "not-forward";
      readonly sentence: string;
    };

export function decideWatermark(question: WatermarkQuestion): WatermarkDecision {
  const { current, window, windowTime, now } = question;
  if (windowTime === undefined) {
    return {
      kind: "stay",
      reason: "no-server-time",
      sentence:
        "The source told no time at all, so the watermark stays; the next run reads the same window again.",
    };
  }
  const reached = window.until === undefined ? windowTime : earlier(window.until, windowTime);
  if (reached > addSeconds(now, DAY_SECONDS)) {
    return {
      kind: "stay",
      reason: "server-clock-ahead",
      sentence: `The source's clock says ${windowTime}, more than a day ahead of ours; the watermark stays.`,
    };
  }
  if (current !== undefined && later(reached, current) === current) {
    return { kind: "stay", reason: "not-forward", sentence: `The watermark already stands at ${current}.` };
  }
  return { kind: "move", to: reached };
}
