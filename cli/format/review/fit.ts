/** A part of a report whose items may be left out, the last ones first. */
export interface Section {
  /** Stands before the items, when there is one. */
  readonly head: string;
  /** The most important first. Given the characters there are: its text, a shorter one, or nothing when there is too little. */
  readonly items: readonly ((room: number) => string | undefined)[];
  /** Between items. */
  readonly joint: string;
  /** The sentence about so many that were left out. */
  readonly left: (n: number) => string;
  /** Of the characters that are left when its turn comes, how much it may take: 0 to 1. */
  readonly share: number;
}

/** For the sentence about what was left out. */
const RESERVE = 250;

/** Sections in their order, within so many characters; what one does not need is there for the next. Empty ones are left out. */
export function fit(sections: readonly Section[], room: number): readonly string[] {
  let left = room;
  return sections.flatMap((section) => {
    if (section.items.length === 0) return [];
    const text = fill(section, Math.floor(left * section.share));
    left -= text.length + 2;
    return [text];
  });
}

function fill({ head, items, joint, left }: Section, room: number): string {
  const kept: string[] = [];
  let used = head.length + RESERVE;
  for (const item of items) {
    const text = item(room - used);
    if (text === undefined || used + text.length + joint.length > room) break;
    kept.push(text);
    used += text.length + joint.length;
  }
  const missing = items.length - kept.length;
  return (
    head + kept.join(joint) + (missing === 0 ? "" : `${kept.length === 0 ? "" : "\n\n"}${left(missing)}`)
  );
}
