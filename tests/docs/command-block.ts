export interface CommandBlock {
  readonly line: number;
  readonly text: string;
}

/** The fenced blocks of a page that are marked `sh`: commands, in the order a reader meets them. */
export function commandBlocks(markdown: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  const lines = markdown.split("\n");
  for (let i = 0; i < lines.length; i += 1) {
    if (lines[i]?.trim() !== "```sh") continue;
    const end = lines.findIndex((l, j) => j > i && l.trim() === "```");
    blocks.push({ line: i + 2, text: lines.slice(i + 1, end === -1 ? undefined : end).join("\n") });
    i = end === -1 ? lines.length : end;
  }
  return blocks;
}
