/** The state of a page being cut (split.ts): envelope → list → item → list → … → envelope → end. */
import { Fault } from "../fault.js";
import { ByteWindow } from "./byte-window.js";
import { finderFor, ItemScanner, type ItemNames } from "./item-scanner.js";
import { EnvelopeReader } from "./envelope-reader.js";
import { LT, markupAt, skipSpace, type Markup } from "./markup.js";
import type { TagFinder } from "./tag-finder.js";
import type { BrokenSlice, PageShape, Slice, SplitLimits } from "./page-shape.js";

/** Of what could not be cut out whole, as many bytes are kept for the person who looks at it. */
const KEPT_OF_BROKEN = 65_536;

/** `again`: something was done, look again; `more`: more bytes are needed. */
type Step = Slice | "again" | "more";

export class PageSplitter {
  readonly #limits: SplitLimits;
  readonly #window = new ByteWindow();
  readonly #outer: EnvelopeReader;
  #pending: Slice[] = [];
  #scanner: ItemScanner | undefined;
  #finder: { readonly prefix: string; readonly finder: TagFinder } | undefined;
  /** Set while bytes are thrown away: what is told of them when they end. */
  #discarded: Omit<BrokenSlice, "bytes"> | undefined;
  /** The first of the bytes thrown away. */
  #kept = Buffer.alloc(0);

  constructor(shape: PageShape, limits: SplitLimits) {
    this.#limits = limits;
    this.#outer = new EnvelopeReader(shape, limits.maxEnvelopeBytes);
  }

  append(chunk: Uint8Array): void {
    this.#window.append(chunk);
  }

  /** What the XML declaration says of the encoding. */
  get declaredEncoding(): string | undefined {
    return this.#outer.declaredEncoding;
  }

  /** The next slice; undefined: more bytes are needed. `final`: there will be none. */
  next(final: boolean): Slice | undefined {
    for (;;) {
      const ready = this.#pending.shift();
      if (ready !== undefined) return ready;
      const step = this.#step(final);
      if (step === "more") return undefined;
      if (step !== "again") return step;
    }
  }

  /** The document without its items. Call it when the body has ended. */
  envelope(): Uint8Array {
    if (!this.#outer.done) {
      throw new Fault("transient", {
        code: "Truncated",
        sentence: "The page ends before its closing tag.",
        remedy:
          "The page is asked for again; if it never ends, the source's server or a proxy cuts its answers.",
      });
    }
    return this.#outer.bytes();
  }

  #startScan(names: ItemNames): ItemScanner {
    if (this.#finder?.prefix !== names.prefix)
      this.#finder = { prefix: names.prefix, finder: finderFor(names) };
    this.#scanner = new ItemScanner(names, this.#finder.finder);
    return this.#scanner;
  }

  #step(final: boolean): Step {
    if (this.#scanner !== undefined) {
      return this.#discarded === undefined
        ? this.#item(this.#scanner, final)
        : this.#discard(this.#scanner, final);
    }
    return this.#outer.names === undefined ? this.#envelopeStep() : this.#list(this.#outer.names, final);
  }

  #envelopeStep(): Step {
    const used = this.#outer.read(this.#window.view);
    if (used === 0) return "more";
    this.#window.consume(used);
    return "again";
  }

  /** Between two items. */
  #list(names: ItemNames, final: boolean): Step {
    const at = skipSpace(this.#window.view, 0);
    if (at > 0) this.#window.consume(at);
    const view = this.#window.view;
    if (view.length === 0) return "more";
    if (view[0] !== LT) return this.#beginDebris(names);
    const markup = markupAt(view, 0);
    if (markup !== "more") return this.#listMarkup(names, markup);
    return view.length > KEPT_OF_BROKEN || final ? this.#beginDebris(names) : "more";
  }

  #listMarkup(names: ItemNames, markup: Markup): Step {
    const view = this.#window.view;
    if (markup.kind === "comment" || markup.kind === "instruction") {
      this.#window.consume(markup.end);
      return "again";
    }
    const prefix = markup.kind === "open" ? this.#outer.itemPrefix(view) : undefined;
    if (prefix !== undefined) return this.#beginItem(names, prefix);
    if (markup.kind === "doctype" || this.#outer.leavesList(view, markup)) return this.#envelopeStep();
    return this.#beginDebris(names);
  }

  #beginItem(names: ItemNames, prefix: string): Step {
    this.#startScan(prefix === names.prefix ? names : { ...names, prefix });
    return "again";
  }

  /** Text or elements where only items may stand: passed over up to the next item, and told once. */
  #beginDebris(names: ItemNames): Step {
    this.#startScan(names).discard();
    this.#discarded = {
      kind: "broken",
      rule: "unexpected-content",
      sentence:
        "Between two records stands something that is no record: the start of a record may be damaged.",
    };
    return "again";
  }

  #item(scanner: ItemScanner, final: boolean): Step {
    const view = this.#window.view;
    const overfull = view.length > this.#limits.maxRecordBytes;
    let scan = scanner.scan(view, final ? "final" : "waits");
    if (scan.kind === "more" && overfull && !final) scan = scanner.scan(view, "hurries");
    if (scan.kind === "end") return this.#finishItem(scan.at);
    if (scan.kind === "stop") return this.#settle(scanner, scan.at);
    return overfull ? this.#overfull(scanner) : "more";
  }

  #overfull(scanner: ItemScanner): Step {
    const last = scanner.segments.at(-1);
    // Items that look whole or begun inside the overfull one: its closing tag was lost, and the last one goes on.
    if (last !== undefined && last.start > 0)
      return this.#settle(scanner, last.end < 0 ? last.start : last.end);
    scanner.discard();
    this.#discarded = this.#oversized();
    return "again";
  }

  #oversized(): Omit<BrokenSlice, "bytes"> {
    return {
      kind: "broken",
      rule: "record-too-big",
      sentence: `The record is bigger than ${String(this.#limits.maxRecordBytes)} bytes (spec.limits.maxRecordBytes).`,
    };
  }

  #finishItem(end: number): Step {
    const tooBig = end > this.#limits.maxRecordBytes;
    const slice: Slice = tooBig
      ? { ...this.#oversized(), bytes: this.#window.copy(0, Math.min(end, KEPT_OF_BROKEN)) }
      : this.#slice(0, end);
    this.#scanner = undefined;
    this.#window.consume(end);
    return slice;
  }

  #slice(from: number, to: number): Slice {
    const { scope, declaredEncoding } = this.#outer;
    return { kind: "slice", bytes: this.#window.copy(from, to), scope, declaredEncoding };
  }

  /** The list ended inside an item: of what was remembered, the closed ones were whole. */
  #settle(scanner: ItemScanner, stop: number): Step {
    let told = 0;
    const { segments } = scanner;
    for (const [index, segment] of segments.entries()) {
      if (segment.start < told || segment.start >= stop) continue;
      if (segment.end >= 0) this.#pending.push(this.#slice(segment.start, segment.end));
      else {
        const next = Math.min(segments[index + 1]?.start ?? stop, stop);
        this.#pending.push(this.#unclosed(segment.start, next));
      }
      told = Math.max(told, segment.end);
    }
    this.#scanner = undefined;
    this.#window.consume(stop);
    return "again";
  }

  #unclosed(from: number, to: number): Slice {
    return {
      kind: "broken",
      rule: "record-unclosed",
      sentence: "The record has no closing tag.",
      bytes: this.#window.copy(from, Math.min(to, from + KEPT_OF_BROKEN)),
    };
  }

  #discard(scanner: ItemScanner, final: boolean): Step {
    const overfull = this.#window.view.length > this.#limits.maxRecordBytes;
    const scan = scanner.scan(this.#window.view, final ? "final" : overfull ? "hurries" : "waits");
    if (scan.kind === "more") {
      const spare = Math.min(scanner.needed, this.#window.view.length);
      if (spare > 0) {
        this.#throwAway(spare);
        scanner.shift(spare);
      }
      return "more";
    }
    this.#throwAway(scan.at);
    const told: Step =
      this.#discarded === undefined ? "again" : { ...this.#discarded, bytes: new Uint8Array(this.#kept) };
    this.#discarded = undefined;
    this.#kept = Buffer.alloc(0);
    this.#scanner = undefined;
    return told;
  }

  #throwAway(count: number): void {
    const room = Math.min(count, KEPT_OF_BROKEN - this.#kept.length);
    if (room > 0) this.#kept = Buffer.concat([this.#kept, this.#window.view.subarray(0, room)]);
    this.#window.consume(count);
  }
}
