import { LineCounter } from "yaml";
import type { Place } from "../finding.js";

/** Turns offsets in a text into places. The line counter is filled while the text is parsed. */
export class TextMap {
  readonly counter = new LineCounter();

  readonly file: string;
  readonly text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The place of these characters, cut at the end of their first line. */
  place(start: number, end: number): Place {
    const from = Math.min(start, this.text.length);
    const { line, col } = this.counter.linePos(from);
    const lineBreak = this.text.slice(from).search(/[\r\n]/);
    const lineEnd = lineBreak === -1 ? this.text.length : from + lineBreak;
    const length = Math.max(1, Math.min(end, lineEnd) - from);
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col), length };
  }

  /** The first character: what a finding about the whole file points to. */
  start(): Place {
    return { file: this.file, line: 1, column: 1, length: 1 };
  }
}
