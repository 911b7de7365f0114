/** `Retry-After` in both forms (RFC 9110 §10.2.3). Pure. */

/** A week: beyond it no caller waits anyway. */
const LONGEST_MS = 7 * 86_400_000;

/**
 * Milliseconds of quiet the answer asks for; undefined when it asks for none, or says junk. A date is measured against the
 * answer's own Date header where it has one, so that a clock that is wrong on either side does not matter.
 */
export function retryAfterMs(
  value: string | undefined,
  clock: { readonly now: number; readonly date?: string | undefined },
): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(LONGEST_MS, Number(text) * 1000);
  const until = dateOf(text);
  if (until === undefined) return undefined;
  const from = dateOf(clock.date ?? "") ?? clock.now;
  return Math.min(LONGEST_MS, Math.max(0, until - from));
}

/** Only the form every sender must use today; the two old ones are not sent by any API server. */
function dateOf(text: string): number | undefined {
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
