/** One pattern of a CODEOWNERS file as GitHub reads it, cut into the steps of a path. */
export interface OwnerPattern {
  /** `**` stands for any number of steps; `*` and `?` for characters of one. */
  readonly steps: readonly string[];
  /** True: what lies below a folder that matches is meant too. */
  readonly below: boolean;
}

/**
 * Undefined for what GitHub does not take: `!`, `[a-z]`, and a pattern that begins with an escaped `#`
 * (docs.github.com, "About code owners", CODEOWNERS syntax).
 */
export function readPattern(text: string): OwnerPattern | undefined {
  if (text.startsWith("!") || text.startsWith("\\#") || /[[\]]/.test(text)) return undefined;
  const plain = text.replace(/\\(?=\W)/g, "");
  if (plain === "/") return { steps: ["**"], below: true };
  const steps = plain.split("/").filter((step) => step !== "");
  if (steps.length === 0) return undefined;
  // Without a slash but the last one it may stand at any depth.
  const full = plain.slice(0, -1).includes("/") ? steps : ["**", ...steps];
  if (plain.endsWith("/")) return { steps: [...full, "**", "*"], below: true };
  const oneLevel = full.length > 1 && full.at(-1) === "*" && full.at(-2) !== "**";
  return { steps: full, below: !oneLevel };
}

/** Does the path, or with `below` a folder it lies in, match? Takes time in proportion to pattern times path. */
export function matchesPath({ steps, below }: OwnerPattern, path: readonly string[]): boolean {
  // reached[i]: the steps so far match the first i parts of the path.
  let reached = path.map((_, i) => i === 0).concat(path.length === 0);
  for (const step of steps) {
    const next = reached.map(() => false);
    for (let i = 0; i < reached.length; i += 1) {
      if (step === "**") next[i] = reached[i] === true || next[i - 1] === true;
      else if (i > 0) next[i] = reached[i - 1] === true && matchesStep(step, path[i - 1] ?? "");
    }
    reached = next;
  }
  return below ? reached.slice(1).includes(true) : reached.at(-1) === true;
}

/** Wildcards in one step, in linear steps of the last `*`: no text can make it slow. */
function matchesStep(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let from = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p;
      from = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      from += 1;
      t = from;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
