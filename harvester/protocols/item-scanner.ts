/**
 * Finds where an item of a list (an OAI `record`) ends, in bytes as they arrive and without believing them well-formed.
 *
 * Openings and closings of the item's qualified name are counted outside comments, CDATA sections and processing
 * instructions: elements of other names nest by themselves. When a closing tag was lost the count never returns to zero; so every opening that looks
 * like the start of a real item (a record that begins with a header and an identifier) is remembered as a segment, and
 * at the end of the list the segments tell which items were whole. Each byte is looked at once.
 */
import { isEmptyTag, opensHere, Pattern, skipSpace, tagEnd } from "./markup.js";
import { TagFinder, type FoundOther, type FoundTag } from "./tag-finder.js";

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
  /** The same of the list and its tail. */
  readonly listPrefix: string;
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
interface Tag {
  readonly start: number;
  readonly closing: boolean;
  /** Index behind its last byte. */
  readonly end: number;
}
const NOT_AN_ITEM = -1;
/** A tag, or the space between two tags, that is longer than this is damage and not waited for. */
const FAR = 65_536;
/** What looked like the list's tail but has not ended the list after so many bytes was part of an item. */
const TAIL_BYTES = 1_048_576;

const TAG_KINDS: readonly TagKind[] = ["item", "container", "tail"];
const ENDS = { comment: Buffer.from("-->"), cdata: Buffer.from("]]>"), instruction: Buffer.from("?>") };

/** Looks for the names an item scanner needs; one serves all items of a list. */
export function finderFor(names: ItemNames): TagFinder {
  return new TagFinder([
    names.prefix + names.item,
    names.listPrefix + names.container,
    names.listPrefix + names.tail,
  ]);
}

export class ItemScanner {
  /** Everything before is judged. */
  at = 0;
  readonly segments: Segment[] = [];
  readonly #names: ItemNames;
  #discarding = false;
  readonly #open: number[] = [];
  readonly #finder: TagFinder;
  readonly #ends = new Map<Buffer, Pattern>();
  #containers = 0;
  #tailAt = -1;

  constructor(names: ItemNames, finder: TagFinder) {
    this.#names = names;
    this.#finder = finder;
  }

  /** From here on nothing is kept: the scan ends at the item's end or where the next real item begins. */
  discard(): void {
    this.#discarding = true;
  }

  /** Goes on where it stopped. */
  scan(view: Buffer, patience: Patience): Scan {
    for (;;) {
      const found = this.#finder.find(view, this.at);
      if (found === undefined) {
        this.at = this.#finder.reached;
        return MORE;
      }
      this.at = found.start;
      const outcome =
        found.what === "tag" ? this.#judgeTag(view, found, patience) : this.#pass(view, found, patience);
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
    for (const pattern of this.#ends.values()) pattern.shift(count);
    if (this.#tailAt >= 0) this.#tailAt -= count;
  }

  #pass(view: Buffer, found: FoundOther, patience: Patience): Scan | undefined {
    const { start } = found;
    if (found.what === "instruction")
      return this.#skipTo(view, patience, { from: start + 2, end: ENDS.instruction });
    const text = view.toString("latin1", start, start + 9);
    if (text.startsWith("<!--")) return this.#skipTo(view, patience, { from: start + 4, end: ENDS.comment });
    if (text === "<![CDATA[") return this.#skipTo(view, patience, { from: start + 9, end: ENDS.cdata });
    if (patience !== "final" && ("<!--".startsWith(text) || "<![CDATA[".startsWith(text))) return MORE;
    this.at = start + 2;
    return undefined;
  }

  /** An end that never comes is not waited for for ever: then its beginning was text. */
  #skipTo(view: Buffer, patience: Patience, what: { from: number; end: Buffer }): Scan | undefined {
    const found = this.#endPattern(what.end).next(view, what.from);
    if (found < 0 && patience === "waits") return MORE;
    this.at = found < 0 ? what.from : found + what.end.length;
    return undefined;
  }

  /** One for each kind of end, so that an end that is nowhere is searched for once. */
  #endPattern(end: Buffer): Pattern {
    const known = this.#ends.get(end) ?? new Pattern(end);
    this.#ends.set(end, known);
    return known;
  }

  #judgeTag(view: Buffer, found: FoundTag, patience: Patience): Scan | undefined {
    const end = tagEnd(view, found.start);
    if (end < 0 && patience !== "final" && view.length - found.start <= FAR) return MORE;
    if (end < 0) {
      this.at = found.start + 1;
      return undefined;
    }
    const tag = { start: found.start, closing: found.closing, end };
    const kind = TAG_KINDS[found.name];
    if (kind === "tail") return this.#passTail(tag);
    if (kind === "container") return this.#passContainer(view, tag);
    return tag.closing ? this.#close(tag.end) : this.#maybeReal(view, tag, patience);
  }

  #maybeReal(view: Buffer, tag: Tag, patience: Patience): Scan | undefined {
    const real = this.#looksReal(view, tag);
    if (real === "more" && patience !== "final" && view.length - tag.end <= FAR) return MORE;
    return this.#opening(view, { ...tag, real: real === true });
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
    const { prefix, leading } = this.#names;
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
