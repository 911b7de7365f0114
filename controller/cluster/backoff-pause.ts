import type { Clock } from "../clock.js";

/** Waits `ms` milliseconds, or less when `signal` is aborted; never rejects. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, done);
    function done(): void {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
