/** Options of `harvestctl diff` that decide what its report says. */
export interface ReviewFlags {
  readonly base: string;
  readonly head?: string | undefined;
  readonly root: string;
  readonly live: boolean;
}

/** The command that makes the same report again, to be pasted into a shell. */
export function reviewCommand({ base, head, root, live }: ReviewFlags, paths: readonly string[]): string {
  const words = [
    "harvestctl",
    "diff",
    "--base",
    base,
    ...(head === undefined ? [] : ["--head", head]),
    ...(root === "." ? [] : ["--root", root]),
    ...(live ? ["--live"] : []),
    ...paths,
  ];
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
