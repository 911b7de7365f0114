/**
 * Finds where an item of a list (an OAI `record`) ends, in bytes as they arrive and without believing them well-formed.
 *
 * Openings and closings of the item's local name are counted, whatever their prefix, outside comments, CDATA sections
 * and processing instructions. When a closing tag was lost the count never returns to zero; so every opening that looks
 * like the start of a real item (a record that begins with a header and an identifier) is remembered as a segment, and
 * at the end of the list the segments tell which items were whole. Each byte is looked at once.
 */
import { isEmptyTag, opensHere, Pattern, skipSpace, tagAround, tagEnd, type TagHit } from "./markup.js";

export interface ItemNames {
  /** Local name of an item: `record`. */
  readonly item: string;
  /** Local names of what a real item begins with, each inside the one before: `header`, `identifier`. */
  readonly leading: readonly string[];
  /** Local name of the list around the items. */
  readonly container: string;
  /** What may follow the items in the list: `resumptionToken`. */
  readonly tail: string;
  /** Prefix with colon of the items' names; "" for the default namespace. */
  readonly prefix: string;
}

/** An item, or what looks like one. `end` is -1 while no closing tag was found for it. */
export interface Segment {
  readonly start: number;
  end: number;
}

/**
 * `waits`: more bytes will come. `hurries`: more will come, but too much is held already, so a comment that does not
 * end is taken for text. `final`: no more bytes will come.
 */
export type Patience = "waits" | "hurries" | "final";

export type Scan =
  | { readonly kind: "more" }
  /** The item's last byte is before `at`. */
  | { readonly kind: "end"; readonly at: number }
  /** The list ends (or, when discarding, the next item begins) at `at`: the item was never closed. */
  | { readonly kind: "stop"; readonly at: number };

const MORE: Scan = { kind: "more" };
type TagKind = "item" | "container" | "tail";
type Hit = TagKind | "bang" | "instruction";
type Tag = TagHit & { readonly end: number };
const NOT_AN_ITEM = -1;
/** A tag, or the space between two tags, that is longer than this is damage and not waited for. */
const FAR = 65_536;
/** What looked like the list's tail but has not ended the list after so many bytes was part of an item. */
const TAIL_BYTES = 1_048_576;

export class ItemScanner {
  /** Everything before is judged. */
  at: number;
  readonly segments: Segment[] = [];
  readonly #names: ItemNames;
  #discarding = false;
  readonly #open: number[] = [];
  readonly #patterns: readonly (readonly [Hit, Pattern])[];
  readonly #ends = { comment: new Pattern("-->"), cdata: new Pattern("]]>"), instruction: new Pattern("?>") };
  #containers = 0;
  #tailAt = -1;

  constructor(names: ItemNames, from: number) {
    this.#names = names;
    this.at = from;
    this.#patterns = [
      ["item", new Pattern(names.item)],
      ["container", new Pattern(names.container)],
      ["tail", new Pattern(names.tail)],
      ["bang", new Pattern("<!")],
      ["instruction", new Pattern("<?")],
    ];
  }

  /** From here on nothing is kept: the scan ends at the item's end or where the next real item begins. */
  discard(): void {
    this.#discarding = true;
  }

  /** Goes on where it stopped. */
  scan(view: Buffer, patience: Patience): Scan {
    for (;;) {
      const hit = this.#nextHit(view);
      if (hit === undefined) return MORE;
      const outcome = this.#judge(view, hit, patience);
      if (outcome !== undefined) return outcome;
    }
  }

  /** When discarding: what is before this index is not needed any more. */
  get needed(): number {
    if (this.#tailAt >= 0 && this.at - this.#tailAt > TAIL_BYTES) this.#tailAt = -1;
    return this.#tailAt >= 0 ? this.#tailAt : this.at;
  }

  /** The first `count` bytes of the buffer were forgotten. */
  shift(count: number): void {
    this.at -= count;
    if (this.#tailAt >= 0) this.#tailAt -= count;
    for (const [, pattern] of this.#patterns) pattern.shift(count);
    for (const pattern of Object.values(this.#ends)) pattern.shift(count);
  }

  #nextHit(view: Buffer): { kind: Hit; at: number } | undefined {
    let best: { kind: Hit; at: number } | undefined;
    for (const [kind, pattern] of this.#patterns) {
      const at = pattern.next(view, this.at);
      if (at >= 0 && (best === undefined || at < best.at)) best = { kind, at };
    }
    return best;
  }

  #judge(view: Buffer, hit: { kind: Hit; at: number }, patience: Patience): Scan | undefined {
    if (hit.kind === "bang") return this.#skipDeclaration(view, hit.at, patience);
    if (hit.kind === "instruction")
      return this.#skipTo(view, patience, { from: hit.at + 2, end: this.#ends.instruction });
    return this.#judgeTag(view, hit.kind, { nameAt: hit.at, final: patience === "final" });
  }

  #skipDeclaration(view: Buffer, at: number, patience: Patience): Scan | undefined {
    const text = view.toString("latin1", at, at + 9);
    if (text.startsWith("<!--"))
      return this.#skipTo(view, patience, { from: at + 4, end: this.#ends.comment });
    if (text === "<![CDATA[") return this.#skipTo(view, patience, { from: at + 9, end: this.#ends.cdata });
    if (patience !== "final" && ("<!--".startsWith(text) || "<![CDATA[".startsWith(text))) return MORE;
    this.at = at + 2;
    return undefined;
  }

  /** An end that never comes is not waited for for ever: then its beginning was text. */
  #skipTo(view: Buffer, patience: Patience, what: { from: number; end: Pattern }): Scan | undefined {
    const found = what.end.next(view, what.from);
    if (found < 0 && patience === "waits") return MORE;
    this.at = found < 0 ? what.from : found + what.end.bytes.length;
    return undefined;
  }

  #judgeTag(view: Buffer, kind: TagKind, where: { nameAt: number; final: boolean }): Scan | undefined {
    const tag = this.#tag(view, kind, where.nameAt);
    if (tag === "more" && !where.final) return MORE;
    if (typeof tag === "string") {
      this.at = where.nameAt + 1;
      return undefined;
    }
    if (kind === "tail") return this.#passTail(tag);
    if (kind === "container") return this.#passContainer(view, tag);
    if (tag.closing) return this.#close(tag.end);
    const real = this.#looksReal(view, tag);
    if (real === "more" && !where.final && view.length - tag.end <= FAR) return MORE;
    return this.#opening(view, { ...tag, real: real === true });
  }

  #tag(view: Buffer, kind: TagKind, nameAt: number): Tag | "none" | "more" {
    const tag = tagAround(view, nameAt, this.#names[kind].length);
    if (typeof tag === "string") return tag;
    const end = tagEnd(view, tag.start);
    if (end >= 0) return { ...tag, end };
    return view.length - tag.start > FAR ? "none" : "more";
  }

  /** Behind the last item when no closing tag is missing; so it is only remembered, should one be missing. */
  #passTail(tag: Tag): Scan | undefined {
    const outermost = !tag.closing && this.#containers === 0;
    if (outermost && this.#discarding && this.#open.length === 0) return { kind: "stop", at: tag.start };
    if (outermost) this.#tailAt = tag.start;
    this.at = tag.end;
    return undefined;
  }

  #passContainer(view: Buffer, tag: Tag): Scan | undefined {
    if (tag.closing && this.#containers === 0) {
      return { kind: "stop", at: this.#tailAt >= 0 ? this.#tailAt : tag.start };
    }
    if (tag.closing) this.#containers--;
    else if (!isEmptyTag(view, tag.end)) this.#containers++;
    this.at = tag.end;
    return undefined;
  }

  #opening(view: Buffer, tag: Tag & { real: boolean }): Scan | undefined {
    if (this.#discarding) return this.#openingUnkept(view, tag);
    this.at = tag.end;
    const first = this.segments.length === 0;
    if (isEmptyTag(view, tag.end)) {
      if (!first) return undefined;
      this.segments.push({ start: tag.start, end: tag.end });
      return { kind: "end", at: tag.end };
    }
    if (tag.real || first) this.segments.push({ start: tag.start, end: -1 });
    this.#open.push(tag.real || first ? this.segments.length - 1 : NOT_AN_ITEM);
    return undefined;
  }

  #openingUnkept(view: Buffer, tag: Tag & { real: boolean }): Scan | undefined {
    if (tag.real) return { kind: "stop", at: tag.start };
    this.at = tag.end;
    if (!isEmptyTag(view, tag.end)) this.#open.push(NOT_AN_ITEM);
    return undefined;
  }

  #close(end: number): Scan | undefined {
    this.at = end;
    const segment = this.segments[this.#open.pop() ?? NOT_AN_ITEM];
    if (segment !== undefined) segment.end = end;
    return this.#open.length === 0 ? { kind: "end", at: end } : undefined;
  }

  /** Does a real item begin here: the item's own qualified name, then its leading children? */
  #looksReal(view: Buffer, tag: Tag): boolean | "more" {
    const { prefix, item, leading } = this.#names;
    if (opensHere(view, tag.start, prefix + item) !== true) return false;
    let at = tag.end;
    for (const name of leading) {
      at = skipSpace(view, at);
      const opens = at >= view.length ? "more" : opensHere(view, at, prefix + name);
      if (opens !== true) return opens;
      at = tagEnd(view, at);
      if (at < 0) return "more";
    }
    return true;
  }
}
