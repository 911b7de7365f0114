/** Text after a head, its further lines indented below its beginning; words longer than a line are left whole. */
export function paragraph(head: string, text: string, width: number): string {
  const indent = " ".repeat(head.length);
  const room = Math.max(20, width - head.length);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return head + lines.join(`\n${indent}`);
}
