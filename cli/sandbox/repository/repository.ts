/** The repository as it stands now: its content, and what was changed, deleted and added since it started. */
import type { Content } from "../content/content.js";
import type { Format } from "../content/format.js";
import type { RecordFaultName } from "../content/record-faults.js";

export type DeletedRecord = "no" | "transient" | "persistent";

/** One record as a list shows it. */
export interface Entry {
  readonly index: number;
  readonly localName: string;
  /** Seconds of the epoch. */
  readonly stamp: number;
  readonly sets: readonly string[];
  readonly deleted: boolean;
  readonly version: number;
  readonly fault?: RecordFaultName;
  readonly formats: readonly Format[];
  /** Handed in by a test; else computed from the content. */
  readonly body?: Buffer;
}

/** An entry that has left the content's order. */
export interface Overlaid extends Entry {
  /** Order of the changes: the second key of the list order. */
  readonly sequence: number;
  /** Gone without a trace: in no list, and unknown to GetRecord. */
  readonly removed: boolean;
}

export interface ListQuery {
  readonly format: Format;
  /** "" = all. A set holds the records of its sub-sets too (OAI-PMH §2.6). */
  readonly set: string;
  /** Seconds of the epoch, inclusive. */
  readonly from?: number;
  readonly until?: number;
}

/** Where a list goes on: at an index of the content, or after a change. Stays right while records change. */
export type Position =
  | { readonly in: "content"; readonly index: number }
  | { readonly in: "changes"; readonly stamp: number; readonly sequence: number };

export const START: Position = { in: "content", index: 0 };

export class Repository {
  readonly content: Content;
  readonly deletedRecord: DeletedRecord;
  /** What stands before the local name in every identifier. */
  prefix = "oai:sandbox.example.org:";
  /** When set, all records that were not changed one by one carry this datestamp (a reindex: case C32). */
  restamped: number | undefined;
  readonly #overlaid = new Map<number, Overlaid>();
  #sorted: readonly Overlaid[] | undefined;
  #sequence = 0;
  #added = 0;

  constructor(content: Content, deletedRecord: DeletedRecord) {
    this.content = content;
    this.deletedRecord = deletedRecord;
  }

  /** Index of the next added record. */
  nextIndex(): number {
    return this.content.size + this.#added++;
  }

  put(entry: Omit<Overlaid, "sequence">): void {
    this.#overlaid.set(entry.index, { ...entry, sequence: ++this.#sequence });
    this.#sorted = undefined;
  }

  /** The record of that index as it stands; undefined when there is none (or none any more). */
  at(index: number): Entry | undefined {
    const changed = this.#overlaid.get(index);
    if (changed !== undefined) return changed.removed ? undefined : changed;
    if (!Number.isInteger(index) || index < 0 || index >= this.content.size) return undefined;
    const { content } = this;
    const fault = content.faultOf(index);
    return {
      index,
      localName: content.localName(index),
      stamp: this.restamped ?? content.stampOf(index),
      sets: content.setsOf(index),
      deleted: content.isDeleted(index),
      version: 0,
      formats: content.formatsOf(index),
      ...(fault === undefined ? {} : { fault }),
    };
  }

  find(identifier: string): Entry | undefined {
    if (!identifier.startsWith(this.prefix)) return undefined;
    const name = identifier.slice(this.prefix.length);
    const index = this.content.indexOf(name);
    const entry =
      (index === undefined ? undefined : this.at(index)) ??
      this.#changes().find((each) => each.localName === name);
    return entry === undefined || this.#isVisible(entry) ? entry : undefined;
  }

  bodyOf(entry: Entry, format: Format): Buffer {
    if (entry.body !== undefined) return entry.body;
    const { version, fault } = entry;
    return this.content.bodyOf(entry.index, { format, version, ...(fault === undefined ? {} : { fault }) });
  }

  /** The lowest datestamp; undefined when the repository is empty. */
  earliest(): number | undefined {
    const first = this.content.size > 0 ? (this.restamped ?? this.content.stampOf(0)) : undefined;
    const changed = this.#changes()[0]?.stamp;
    return first === undefined || (changed !== undefined && changed < first) ? changed : first;
  }

  /** Entries from a position on, each with its own position, in ascending order of datestamps. */
  *walk(
    query: ListQuery,
    position: Position,
  ): Generator<{ readonly entry: Entry; readonly position: Position }, void> {
    if (position.in === "content") yield* this.#walkContent(query, position.index);
    for (const entry of this.#changes()) {
      const isAhead =
        position.in === "content" ||
        entry.stamp > position.stamp ||
        (entry.stamp === position.stamp && entry.sequence >= position.sequence);
      if (isAhead && this.#matches(entry, query))
        yield { entry, position: { in: "changes", stamp: entry.stamp, sequence: entry.sequence } };
    }
  }

  *#walkContent(
    query: ListQuery,
    start: number,
  ): Generator<{ readonly entry: Entry; readonly position: Position }, void> {
    const [low, high] = this.#range(query);
    for (let index = Math.max(low, start); index < high; index++) {
      if (this.#overlaid.has(index)) continue;
      const entry = this.at(index);
      if (entry !== undefined && this.#matches(entry, query))
        yield { entry, position: { in: "content", index } };
    }
  }

  /** How many entries the whole list has now. Counts by looking only where it cannot compute. */
  count(query: ListQuery): number {
    const [low, high] = this.#range(query);
    const changed = this.#changes().filter((entry) => this.#matches(entry, query)).length;
    if (query.set === "" && this.deletedRecord !== "no" && this.content.isUniform) {
      let hidden = 0;
      for (const index of this.#overlaid.keys()) if (index >= low && index < high) hidden++;
      return Math.max(0, high - low) - hidden + changed;
    }
    let own = 0;
    for (let index = low; index < high; index++) if (this.#countsInContent(index, query)) own++;
    return own + changed;
  }

  #countsInContent(index: number, query: ListQuery): boolean {
    const { content } = this;
    if (this.#overlaid.has(index)) return false;
    if (this.deletedRecord === "no" && content.isDeleted(index)) return false;
    return content.formatsOf(index).includes(query.format) && isInSet(content.setsOf(index), query.set);
  }

  /** Records changed, deleted or added since the start. */
  changes(): number {
    return this.#overlaid.size;
  }

  /** What a repository with `transient` tombstones does some day. */
  forgetTombstones(): void {
    for (const [index, entry] of this.#overlaid)
      if (entry.deleted) this.#overlaid.set(index, { ...entry, removed: true });
    this.#sorted = undefined;
  }

  #changes(): readonly Overlaid[] {
    this.#sorted ??= [...this.#overlaid.values()]
      .filter((each) => !each.removed)
      .sort((a, b) => a.stamp - b.stamp || a.sequence - b.sequence);
    return this.#sorted;
  }

  #isVisible(entry: Entry): boolean {
    return !(entry.deleted && this.deletedRecord === "no");
  }

  #matches(entry: Entry, query: ListQuery): boolean {
    if (query.from !== undefined && entry.stamp < query.from) return false;
    if (query.until !== undefined && entry.stamp > query.until) return false;
    return this.#isVisible(entry) && entry.formats.includes(query.format) && isInSet(entry.sets, query.set);
  }

  /** Indices of the content whose datestamps lie in the window: [low, high). */
  #range({ from, until }: ListQuery): readonly [number, number] {
    const { content, restamped } = this;
    if (restamped !== undefined) {
      const inside = (from === undefined || restamped >= from) && (until === undefined || restamped <= until);
      return inside ? [0, content.size] : [0, 0];
    }
    return [
      from === undefined ? 0 : firstAtOrAfter(content, from),
      until === undefined ? content.size : firstAtOrAfter(content, until + 1),
    ];
  }
}

function isInSet(sets: readonly string[], wanted: string): boolean {
  return wanted === "" || sets.some((set) => set === wanted || set.startsWith(`${wanted}:`));
}

function firstAtOrAfter(content: Content, seconds: number): number {
  let [low, high] = [0, content.size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (content.stampOf(middle) < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
