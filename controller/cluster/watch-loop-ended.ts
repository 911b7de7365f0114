/** From what the API server or the network did to the words the decision knows. */
import { ApiFault } from "../api.js";
import type { Ended } from "./watch-loop-decision.js";

/** Lines that would come again and again if the watch were resumed where it was (watch-lines.ts). */
const unreadable: ReadonlySet<string> = new Set(["NotAnEvent", "TooLarge"]);

const MAX_DETAIL = 500;

/** An exception of a list or of a watch. */
export function endedByError(what: Ended["what"], error: unknown): Ended {
  if (error instanceof ApiFault) {
    const { status, reason, retryAfterSeconds } = error.detail;
    if (status === 0 && unreadable.has(reason)) return { what, how: "confused", detail: reason };
    // The sentence: which verb on which kind, and what to do.
    const detail = error.message.slice(0, MAX_DETAIL);
    return { what, how: "failed", status, detail, ...retryAfter(retryAfterSeconds) };
  }
  // None of the source's: something of an event or a list could not be taken in.
  return {
    what,
    how: "confused",
    detail: error instanceof Error ? error.message.slice(0, MAX_DETAIL) : "unknown",
  };
}

/**
 * An ERROR event: its object is a Status, which the server may send inside HTTP 200 at any time (410 Expired regularly
 * comes so). Nothing of it is trusted to have its type.
 */
export function endedByErrorEvent(object: unknown): Ended {
  const { code, reason, details } = isRecord(object) ? object : {};
  const seconds = isRecord(details) ? details["retryAfterSeconds"] : undefined;
  return {
    what: "watch",
    how: "failed",
    // An ERROR without a code is the server's fault, not the network's.
    status: typeof code === "number" && code > 0 ? code : 500,
    detail: typeof reason === "string" ? reason.slice(0, 100) : "ERROR event",
    ...retryAfter(seconds),
  };
}

function retryAfter(seconds: unknown): { readonly retryAfterSeconds?: number } {
  return typeof seconds === "number" && seconds > 0 ? { retryAfterSeconds: seconds } : {};
}

function isRecord(
  value: unknown,
): value is { readonly [key: string]: unknown; code?: unknown; reason?: unknown; details?: unknown } {
  return typeof value === "object" && value !== null;
}
