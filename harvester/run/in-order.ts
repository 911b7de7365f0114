/**
 * Maps a stream with up to `atOnce` items worked on at a time and gives the results in the order of the items.
 *
 * The source is read ahead in the background (so that the network, the gates and the database work at the same time),
 * but never further than `atOnce` items: memory is bounded by it. When the consumer stops early, or anything throws,
 * the source is closed and nothing is left running.
 */
export async function* inOrder<Item, Result>(
  source: AsyncGenerator<Item, unknown, void>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result, void, void> {
  const lane = new Lane<Result>(atOnce);
  const reading = readAhead(source, work, lane);
  try {
    for (;;) {
      const next = await lane.take();
      if (next === undefined) break;
      yield await next.promise;
    }
  } finally {
    lane.close();
    await source.return(undefined).catch(() => undefined);
    await reading;
    await lane.settle();
  }
}

async function readAhead<Item, Result>(
  source: AsyncGenerator<Item, unknown, void>,
  work: (item: Item) => Promise<Result>,
  lane: Lane<Result>,
): Promise<void> {
  try {
    while (await lane.room()) {
      const step = await source.next();
      if (step.done) break;
      lane.put(work(step.value));
    }
    lane.end();
  } catch (error) {
    // Handed to the consumer in its turn, after the results that came before it.
    lane.put(Promise.reject(error instanceof Error ? error : new Error(String(error))));
    lane.end();
  }
}

/** A bounded queue of results under way. A promise is boxed, so that handing it over does not await it. */
class Lane<Result> {
  readonly #waiting: { promise: Promise<Result> }[] = [];
  readonly #atOnce: number;
  #ended = false;
  #sleepers: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  put(promise: Promise<Result>): void {
    // A rejection is the consumer's to see; until its turn comes it must not count as unhandled.
    promise.catch(() => undefined);
    this.#waiting.push({ promise });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  close(): void {
    this.#ended = true;
    this.#wake();
  }

  /** True when the next item may be read; false when nobody wants more. */
  async room(): Promise<boolean> {
    while (!this.#ended && this.#waiting.length >= this.#atOnce) await this.#change();
    return !this.#ended;
  }

  async take(): Promise<{ promise: Promise<Result> } | undefined> {
    while (this.#waiting.length === 0 && !this.#ended) await this.#change();
    const next = this.#waiting.shift();
    this.#wake();
    return next;
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#waiting.map((box) => box.promise));
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#sleepers.push(resolve));
  }

  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }
}
