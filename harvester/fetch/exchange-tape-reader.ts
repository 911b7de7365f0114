/** Reads a recording as a whole, and only when it is whole. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Fault } from "../fault.js";
import {
  mostTapeBytes,
  tapeFormat,
  tapeVersion,
  type TapeCursor,
  type TapeExchange,
  type TapeHead,
  type TapeKnown,
  type TapeSource,
} from "./exchange-tape.js";
import { isCursor, isExchange, isHead, isKnown, isSource } from "./exchange-tape-shape.js";

export interface TapedSource extends TapeSource {
  readonly exchanges: readonly TapeExchange[];
  readonly known: readonly TapeKnown[];
  readonly cursors: readonly TapeCursor[];
}

export interface Tape {
  readonly head: TapeHead;
  readonly sources: ReadonlyMap<string, TapedSource>;
}

const unpack = promisify(gunzip);

/** Throws Fault `config`: no recording, of another version, cut, or damaged. */
export async function readTape(file: string): Promise<Tape> {
  const lines = (await textOf(file)).split("\n");
  // Every line ends with a line end, so the last piece is empty unless the text was cut.
  const rest = lines.pop();
  const head = headOf(file, lines[0]);
  const last = lines.at(-1);
  if (rest !== "" || last === undefined || lines.length < 2) throw cut(file);
  demandEnd(file, lines.slice(0, -1), parsed(file, last));
  const sources = new Map<string, Growing>();
  for (const line of lines.slice(1, -1)) take(file, sources, parsed(file, line));
  return { head, sources };
}

interface Growing extends TapeSource {
  readonly exchanges: TapeExchange[];
  readonly known: TapeKnown[];
  readonly cursors: TapeCursor[];
}

type Line = Readonly<Record<string, unknown>>;

async function textOf(file: string): Promise<string> {
  const packed = await packedOf(file);
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) throw noTape(file, "it is not gzip");
  try {
    return (await unpack(packed, { maxOutputLength: mostTapeBytes + 1024 })).toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw cut(file);
    if (code === "ERR_BUFFER_TOO_LARGE") throw damaged(file, "it unpacks to more than a recording may hold");
    throw damaged(file, "its compression is broken");
  }
}

async function packedOf(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > mostTapeBytes) throw noTape(file, "it is too large");
    return await readFile(file);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw noTape(file, code === "ENOENT" ? "there is no such file" : code);
  }
}

function headOf(file: string, line: string | undefined): TapeHead {
  const head = line === undefined ? {} : parsed(file, line);
  if (head["kind"] !== "tape" || head["format"] !== tapeFormat) throw noTape(file, "it holds something else");
  if (head["version"] !== tapeVersion) throw otherVersion(file, head);
  if (isHead(head)) return head as unknown as TapeHead;
  throw damaged(file, "its first line is not as this version writes it");
}

function demandEnd(file: string, lines: readonly string[], end: Line): void {
  if (end["kind"] !== "end") throw cut(file);
  const digest = createHash("sha256");
  for (const line of lines) digest.update(`${line}\n`);
  if (end["lines"] !== lines.length || end["sha256"] !== digest.digest("hex"))
    throw damaged(file, "its lines are not those that were recorded");
}

function take(file: string, sources: Map<string, Growing>, line: Line): void {
  const { kind, source: key } = line;
  if (typeof key !== "string") throw damaged(file, "a line belongs to no source");
  const source = sources.get(key);
  if (kind === "source" && source === undefined && isSource(line)) {
    sources.set(key, { ...(line as unknown as TapeSource), exchanges: [], known: [], cursors: [] });
    return;
  }
  if (source === undefined) throw damaged(file, "a line comes before its source");
  if (!add(source, line))
    throw damaged(file, `a line is no ${String(kind).slice(0, 20)} as this version writes it`);
}

function add(source: Growing, line: Line): boolean {
  if (line["kind"] === "exchange" && isExchange(line))
    return source.exchanges.push(line as unknown as TapeExchange) > 0;
  if (line["kind"] === "known" && isKnown(line)) return source.known.push(line as unknown as TapeKnown) > 0;
  return (
    line["kind"] === "cursor" && isCursor(line) && source.cursors.push(line as unknown as TapeCursor) > 0
  );
}

function parsed(file: string, line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Line;
  } catch {
    // Told below.
  }
  throw damaged(file, "a line is no JSON");
}

function otherVersion(file: string, head: Line): Fault {
  const [version, by] = [String(head["version"]).slice(0, 20), String(head["by"]).slice(0, 60)];
  return new Fault("config", {
    code: "TapeVersion",
    sentence: `The recording ${file} has version ${version}; this harvestctl reads version ${String(tapeVersion)}.`,
    remedy: `Replay it with the harvestctl that made it (${by}), or record anew.`,
  });
}

function noTape(file: string, why: string): Fault {
  return new Fault("config", {
    code: "NoTape",
    sentence: `${file} is no recording: ${why}.`,
    remedy: "Name a file that harvestctl dry-run --record wrote.",
  });
}

function cut(file: string): Fault {
  return new Fault("config", {
    code: "TapeCut",
    sentence: `The recording ${file} ends in the middle.`,
    remedy: "Copy it once more, or record anew.",
  });
}

function damaged(file: string, why: string): Fault {
  return new Fault("config", {
    code: "TapeDamaged",
    sentence: `The recording ${file} is damaged: ${why}.`,
    remedy: "Copy it once more, or record anew.",
  });
}
