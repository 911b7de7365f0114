/** A file that others replace: read again only when it changed. */
import { readFile, stat } from "node:fs/promises";
import { ConfigProblem } from "./config-problem.js";

/** PEM bundles and tokens are small; more is the wrong file. */
const MAX_BYTES = 1024 * 1024;

export interface WatchedFile {
  /**
   * Its text, without blanks at the ends. `maxAgeMs`: within this time after the last look it is not looked at again.
   * What was read once stays in force while the file is missing: who replaces it may be in the middle. Throws ConfigProblem.
   */
  read(maxAgeMs: number): Promise<string>;
  /** The next read looks and reads, whatever the age. */
  forget(): void;
}

/** `what`: as a message names it, e.g. "token file". `now`: a clock in ms that only goes forward. */
export function watchFile(path: string, what: string, now: () => number): WatchedFile {
  let seen: { readonly text: string; readonly stamp: string } | undefined;
  let lookedAt: number | undefined;

  async function look(): Promise<string> {
    try {
      const { mtimeMs, ino, size } = await stat(path);
      const stamp = [mtimeMs, ino, size].join(":");
      if (seen?.stamp === stamp) return seen.text;
      if (size > MAX_BYTES) throw Object.assign(new Error("too big"), { code: "EFBIG" });
      const text = (await readFile(path, "utf8")).trim();
      if (text === "") throw Object.assign(new Error("empty"), { code: "it is empty" });
      seen = { text, stamp };
    } catch (error) {
      if (seen === undefined) throw unreadable(path, what, error);
    }
    return seen.text;
  }

  return {
    async read(maxAgeMs) {
      const asked = now();
      if (seen !== undefined && lookedAt !== undefined && asked - lookedAt < maxAgeMs) return seen.text;
      const text = await look();
      lookedAt = asked;
      return text;
    },
    forget() {
      lookedAt = undefined;
      // A change within the file system's resolution of time leaves the same stamp.
      if (seen !== undefined) seen = { ...seen, stamp: "" };
    },
  };
}

function unreadable(path: string, what: string, error: unknown): ConfigProblem {
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  return new ConfigProblem("FileUnreadable", {
    sentence: `The ${what} ${path} cannot be read (${code}).`,
    remedy:
      "Check that the kubeconfig names the right file, or that it is mounted, and that this user may read it.",
  });
}
