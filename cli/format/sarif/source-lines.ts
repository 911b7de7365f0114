/** More parents than any manifest has. */
const MAX_PARENTS = 64;

/** The lines of a YAML text, and what tells one from others that read the same. Read by indentation alone: the text may be broken. */
export class SourceLines {
  private readonly lines: readonly string[];

  constructor(text: string) {
    this.lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  }

  /** Name of the document, the lines above that this one belongs to, and the line (counted from 1); white space does not count. */
  context(line: number): readonly string[] {
    const own = this.lines[line - 1];
    if (own === undefined || plain(own) === "") return [];
    return [this.documentName(line), ...this.parents(line), plain(own)];
  }

  private parents(line: number): readonly string[] {
    const found: string[] = [];
    let depth = indent(this.lines[line - 1] ?? "");
    for (let i = line - 2; i >= 0 && depth > 0 && found.length < MAX_PARENTS; i -= 1) {
      const text = this.lines[i] ?? "";
      if (isSeparator(text)) break;
      if (plain(text) === "" || indent(text) >= depth) continue;
      depth = indent(text);
      found.unshift(plain(text));
    }
    return found;
  }

  private documentName(line: number): string {
    let start = line - 1;
    while (start > 0 && !isSeparator(this.lines[start] ?? "")) start -= 1;
    for (let i = start; i < this.lines.length; i += 1) {
      const text = this.lines[i] ?? "";
      if (i > start && isSeparator(text)) break;
      if (text.startsWith("metadata:")) return this.nameBelow(i);
    }
    return "";
  }

  /** `metadata: { name: x }`, or the name on one of the lines below it. */
  private nameBelow(metadata: number): string {
    const name = /\bname:\s*["']?([^\s,}"']+)/;
    const here = name.exec(this.lines[metadata] ?? "")?.[1];
    if (here !== undefined) return here;
    for (let i = metadata + 1; i < this.lines.length && /^\s/.test(this.lines[i] ?? ""); i += 1) {
      const found = /^\s+name:\s*["']?([^\s,}"']+)/.exec(this.lines[i] ?? "")?.[1];
      if (found !== undefined) return found;
    }
    return "";
  }
}

function isSeparator(text: string): boolean {
  return text.startsWith("---");
}

function indent(text: string): number {
  return text.search(/\S|$/);
}

/** Without indentation, trailing comment and doubled blanks. */
function plain(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/(^|\s)#.*$/, "")
    .replace(/\s+/g, " ")
    .trim();
}
