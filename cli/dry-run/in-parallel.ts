/** Works on all things, so many at once, in their order; results stand in the order of the things. `work` never rejects. */
export async function inParallel<Thing, Result>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    for (let i = next++; i < things.length; i = next++) {
      const thing = things[i];
      if (thing !== undefined) results[i] = await work(thing);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  return results;
}
