/**
 * Works on things as they come, a bounded number at once, in no order. The first failure ends it: nothing new is begun,
 * and what was under way is waited for.
 */
export async function eachOf<Thing>(
  things: AsyncIterable<Thing>,
  atOnce: number,
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  const iterator = things[Symbol.asyncIterator]();
  let failed = false;
  async function worker(): Promise<void> {
    try {
      while (!failed) {
        const next = await iterator.next();
        if (next.done === true) return;
        await work(next.value);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  await iterator.return?.();
  const failure = ended.find((one) => one.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}
