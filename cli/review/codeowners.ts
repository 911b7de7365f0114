import { matchesPath, readPattern, type OwnerPattern } from "./owner-pattern.js";

/** Where GitHub looks, in this order; the first that is there counts. */
export const codeownersPlaces = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] as const;

/** GitHub reads none that is larger. */
export const maxCodeownersBytes = 3 * 1024 * 1024;

/** More than anybody maintains; what follows is not read. */
const MAX_LINES = 20_000;
const MAX_LINE = 4096;
const MAX_OWNERS = 20;

interface OwnerLine {
  readonly pattern: OwnerPattern;
  readonly owners: readonly string[];
}

/**
 * Text of CODEOWNERS → who must approve a change of a file. The last line that matches counts, and one without owners
 * says that there are none. Lines GitHub cannot read are passed over, as there; so are the sections of GitLab.
 */
export function parseCodeowners(text: string): (file: string) => readonly string[] {
  const lines = text.split(/\r\n|\r|\n/, MAX_LINES);
  const last = lines.flatMap((line) => readLine(line) ?? []).reverse();
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const found = known.get(file) ?? find(last, file);
    known.set(file, found);
    return found;
  };
}

function find(last: readonly OwnerLine[], file: string): readonly string[] {
  const path = file.split("/").filter((step) => step !== "");
  return last.find(({ pattern }) => matchesPath(pattern, path))?.owners ?? [];
}

function readLine(line: string): OwnerLine | undefined {
  if (line.length > MAX_LINE) return undefined;
  const [written, ...words] = wordsOf(line);
  if (written === undefined) return undefined;
  const pattern = readPattern(written);
  const owners = words.filter(isOwner).slice(0, MAX_OWNERS);
  if (pattern === undefined || (words.length > 0 && owners.length === 0)) return undefined;
  return { pattern, owners };
}

/** Up to a comment; a space after a backslash is part of its word. */
function wordsOf(line: string): readonly string[] {
  const words = line.trim().match(/(?:\\.|[^\s\\])+|\\$/g) ?? [];
  const comment = words.findIndex((word) => word.startsWith("#"));
  return comment < 0 ? words : words.slice(0, comment);
}

/** @user, @organisation/team, or a mail address. */
function isOwner(word: string): boolean {
  return /^@[\w.-]+(?:\/[\w.-]+)?$/.test(word) || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word);
}
