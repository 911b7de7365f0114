/** Certificates are spoken of before they expire (case C88). */
import type { Warning } from "../record.js";

const DAY = 86_400_000;
const NOTICE_DAYS = 30;

/** Times in ms. Undefined while more than 30 days are left, or when `notAfter` is no time. */
export function expiryWarning(of: {
  readonly what: string;
  readonly code: string;
  readonly notAfter: number;
  readonly now: number;
}): Warning | undefined {
  const days = Math.floor((of.notAfter - of.now) / DAY);
  if (Number.isNaN(days) || days >= NOTICE_DAYS) return undefined;
  const date = new Date(of.notAfter).toISOString().slice(0, 10);
  const when = of.notAfter <= of.now ? `expired on ${date}` : `expires on ${date}, in ${String(days)} days`;
  return { code: of.code, sentence: `${of.what} ${when}: renew it.` };
}
