import { lstat, readFile } from "node:fs/promises";
import { Fault } from "../../harvester/fault.js";
import type { KnownFinding } from "./baseline.js";
import { replaceFile } from "./replace-file.js";

const MAX_BYTES = 32 * 1024 * 1024;

/** A baseline as it was read. */
export interface Baseline {
  readonly known: readonly KnownFinding[];
  /** Line of each, from 1, for findings about the file itself. */
  lineOf(known: KnownFinding): number;
}

/** Reads a baseline. Throws Fault `config` when it is not there, or is none. */
export async function readBaseline(file: string): Promise<Baseline> {
  const text = await textOf(file);
  const known = parse(text);
  if (known === undefined)
    throw new Fault("config", {
      code: "BadBaseline",
      sentence: `${file} is no baseline of harvestctl lint.`,
      remedy: "Write it again with --write-baseline, or name another file.",
    });
  const lines = text.split("\n");
  return {
    known,
    lineOf: ({ fingerprint, rule }) =>
      1 +
      Math.max(
        0,
        lines.findIndex((line) => line.includes(fingerprint) && line.includes(rule)),
      ),
  };
}

/** Writes a baseline. A link is refused: it could lead anywhere. Throws Fault `config`. */
export async function writeBaseline(file: string, text: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined && !found.isFile())
    throw new Fault("config", {
      code: "NotWritten",
      sentence: `${file} is no plain file, so no baseline was written there.`,
      remedy: "Name another file.",
    });
  await replaceFile(file, text);
}

async function textOf(file: string): Promise<string> {
  const found = await lstat(file).catch(() => undefined);
  if (found !== undefined && found.size <= MAX_BYTES) return readFile(file, "utf8");
  throw new Fault("config", {
    code: "NoBaseline",
    sentence: found === undefined ? `There is no baseline ${file}.` : `${file} is too big to be a baseline.`,
    remedy: `Write one with --write-baseline ${file}.`,
  });
}

function parse(text: string): readonly KnownFinding[] | undefined {
  try {
    const { version, findings } = JSON.parse(text) as { version?: unknown; findings?: unknown };
    return version === 1 && Array.isArray(findings) && findings.every(isKnown) ? findings : undefined;
  } catch {
    return undefined;
  }
}

function isKnown(value: unknown): value is KnownFinding {
  if (typeof value !== "object" || value === null) return false;
  const { file, rule, fingerprint, sentence } = value as Partial<Record<keyof KnownFinding, unknown>>;
  return [file, rule, fingerprint, sentence].every((each) => typeof each === "string");
}
