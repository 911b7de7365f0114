/**
 * What becomes of an occurrence: an event of its own, one more of an event there is, one of many alike, or nothing. The
 * bounds are those of client-go's recorder, so that nobody who knows other controllers is surprised. Pure: what is
 * remembered of the object, and now, are handed in.
 */
import { boundedMessage, eventName, namespaceOf, type EventState, type Occurrence } from "./occurrence.js";

/** The same again within this time is counted; alike within this time is gathered. */
export const WINDOW_MS = 10 * 60_000;
/** So many different messages of one reason are events of their own; the next ones are one. */
export const MAX_ALIKE = 10;
/** An object may say so much at once, and then one thing each five minutes. */
export const BURST = 25;
export const REFILL_MS = 5 * 60_000;
/** What is remembered of one object at most; the oldest is forgotten, and would be a new event. */
const MAX_REMEMBERED = 100;

/** What is remembered of one object's events. */
export interface ObjectHistory {
  /** What it may still say; a fraction is on its way to the next. */
  readonly allowance: number;
  /** Ms since 1970: when `allowance` was true. */
  readonly at: number;
  /** The latest last. */
  readonly events: readonly RememberedEvent[];
}

export interface RememberedEvent extends EventState {
  /** Stands for many alike. */
  readonly gathered: boolean;
}

export interface EventDecision {
  readonly history: ObjectHistory;
  readonly outcome:
    | { readonly kind: "create" | "update"; readonly state: RememberedEvent }
    /** It has said too much. */
    | { readonly kind: "drop" };
}

export function decideEvent(
  before: ObjectHistory | undefined,
  occurrence: Occurrence,
  now: number,
): EventDecision {
  const events = (before?.events ?? []).filter(({ lastAt }) => now - lastAt <= WINDOW_MS);
  const allowance = allowanceNow(before, now);
  if (allowance < 1) return { history: { allowance, at: now, events }, outcome: { kind: "drop" } };
  const told = { ...occurrence, message: boundedMessage(occurrence.message) };
  const known = events.find((event) => isSame(event, told)) ?? gathering(events, told);
  const next = known === undefined ? begin(events, told, now) : goOn(known, told, now);
  const kept = [...events.filter(({ name }) => name !== next.name), next].slice(-MAX_REMEMBERED);
  return {
    history: { allowance: allowance - 1, at: now, events: kept },
    outcome: { kind: known === undefined ? "create" : "update", state: next },
  };
}

function allowanceNow(before: ObjectHistory | undefined, now: number): number {
  if (before === undefined) return BURST;
  // A clock that was put back gives nothing and takes nothing.
  return Math.min(BURST, before.allowance + Math.max(0, now - before.at) / REFILL_MS);
}

function isSame(event: RememberedEvent, { type, reason, message }: Occurrence): boolean {
  return !event.gathered && event.type === type && event.reason === reason && event.message === message;
}

function isAlike(event: RememberedEvent, { type, reason }: Occurrence): boolean {
  return event.type === type && event.reason === reason;
}

/** The event that stands for many alike, once there is one. */
function gathering(events: readonly RememberedEvent[], occurrence: Occurrence): RememberedEvent | undefined {
  return events.find((event) => event.gathered && isAlike(event, occurrence));
}

function begin(events: readonly RememberedEvent[], occurrence: Occurrence, now: number): RememberedEvent {
  const gathered = events.filter((event) => isAlike(event, occurrence)).length >= MAX_ALIKE;
  return {
    object: occurrence.object,
    type: occurrence.type,
    reason: occurrence.reason,
    namespace: namespaceOf(occurrence.object),
    name: eventName(occurrence, now),
    message: gathered ? gatheredMessage(occurrence.message) : occurrence.message,
    count: 1,
    firstAt: now,
    lastAt: now,
    gathered,
  };
}

function goOn(event: RememberedEvent, { message }: Occurrence, now: number): RememberedEvent {
  return {
    ...event,
    message: event.gathered ? gatheredMessage(message) : event.message,
    count: event.count + 1,
    lastAt: Math.max(now, event.lastAt),
  };
}

function gatheredMessage(latest: string): string {
  return boundedMessage(`Many alike, of which this is the latest: ${latest}`);
}
