/** Finds the next tag of certain names in bytes that may not be well-formed, and what may hide such tags. */
import { endsName, LT } from "./markup.js";

export interface FoundTag {
  readonly what: "tag";
  /** Index into the names looked for. */
  readonly name: number;
  /** Of its `<`. */
  readonly start: number;
  readonly closing: boolean;
}

export interface FoundOther {
  /** `<!`: a comment, CDATA section or declaration; `<?`: a processing instruction. */
  readonly what: "declaration" | "instruction";
  readonly start: number;
}

const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const NOTHING = -1;
const UNDECIDED = -2;

export class TagFinder {
  readonly #names: readonly Buffer[];
  /** 1 for each byte that something looked for may begin with, behind `<` or `</`. */
  readonly #begins = new Uint8Array(256);
  /** Up to here nothing was found; a `<` that cannot be judged yet is not counted in. */
  reached = 0;

  /** Qualified names, compared exactly: in well-formed XML only an element of the same name can nest wrongly. */
  constructor(qnames: readonly string[]) {
    this.#names = qnames.map((name) => Buffer.from(name, "utf8"));
    for (const name of this.#names) this.#begins[name[0] ?? 0] = 1;
    this.#begins[BANG] = 1;
    this.#begins[QUESTION] = 1;
  }

  /** One pass in plain code: tags are so near to one another that a native search for each would cost more. */
  find(view: Buffer, from: number): FoundTag | FoundOther | undefined {
    const begins = this.#begins;
    const length = view.length;
    for (let at = from; at < length; at++) {
      if (view[at] !== LT) continue;
      const second = view[at + 1];
      const byte = second === SLASH ? view[at + 2] : second;
      if (byte !== undefined && begins[byte] === 0) continue;
      const found = this.#look(view, at);
      if (found === NOTHING) continue;
      this.reached = at;
      return typeof found === "number" ? undefined : found;
    }
    this.reached = Math.max(from, length);
    return undefined;
  }

  #look(view: Buffer, at: number): FoundTag | FoundOther | number {
    const second = view[at + 1];
    if (second === BANG) return { what: "declaration", start: at };
    if (second === QUESTION) return { what: "instruction", start: at };
    const closing = second === SLASH;
    const nameAt = at + (closing ? 2 : 1);
    if (nameAt >= view.length) return UNDECIDED;
    const name = this.#nameAt(view, nameAt);
    return name < 0 ? name : { what: "tag", name, start: at, closing };
  }

  #nameAt(view: Buffer, at: number): number {
    for (let index = 0; index < this.#names.length; index++) {
      const name = this.#names[index];
      if (name === undefined || view[at] !== name[0]) continue;
      const end = at + name.length;
      if (end >= view.length) {
        if (view.compare(name, 0, view.length - at, at) === 0) return UNDECIDED;
      } else if (endsName(view[end]) && isSame(view, at, name)) return index;
    }
    return NOTHING;
  }
}

/** From the end: names of one vocabulary begin alike. */
function isSame(view: Buffer, at: number, name: Buffer): boolean {
  for (let index = name.length - 1; index > 0; index--) if (view[at + index] !== name[index]) return false;
  return true;
}
