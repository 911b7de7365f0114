/** Writes a recording: beside its place, and renamed when whole. */
import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Fault } from "../fault.js";
import { mostTapeBytes, type TapeHead, type TapeLine } from "./exchange-tape.js";

export interface TapeWriter {
  /** Throws Fault `interrupted`, code `TapeFull`, when the recording would grow beyond its bound. */
  write(line: Exclude<TapeLine, TapeHead>): Promise<void>;
  /** Ends the recording and puts it in its place. Throws Fault `config` when it could not be written. */
  close(): Promise<void>;
}

/** Throws Fault `config` when the file cannot be written. Readable by its owner alone: it holds an agency's records. */
export async function openTape(file: string, head: TapeHead, mostBytes = mostTapeBytes): Promise<TapeWriter> {
  const making = `${file}.${String(process.pid)}.part`;
  const handle = await open(making, "w", 0o600).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  const gzip = createGzip({ level: 6 });
  const digest = createHash("sha256");
  const written = pipeline(gzip, handle.createWriteStream()).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  // Whoever writes next, or closes, is told.
  written.catch(() => undefined);
  let [lines, bytes] = [0, 0];

  async function put(line: TapeLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    bytes += Buffer.byteLength(text);
    if (bytes > mostBytes) throw full(mostBytes);
    digest.update(text);
    lines += 1;
    if (!gzip.write(text)) await Promise.race([drained(gzip), written]);
  }

  await put(head);
  return {
    write: put,
    async close() {
      gzip.end(`${JSON.stringify({ kind: "end", lines, sha256: digest.digest("hex") })}\n`);
      try {
        await written;
        await rename(making, file);
      } catch (error) {
        await rm(making, { force: true });
        throw unwritable(file, error);
      }
    },
  };
}

function drained(gzip: ReturnType<typeof createGzip>): Promise<void> {
  return new Promise((resolve) => {
    gzip.once("drain", resolve);
  });
}

function full(mostBytes: number): Fault {
  return new Fault("interrupted", {
    code: "TapeFull",
    sentence: `Stopped: the recording would be larger than ${String(Math.round(mostBytes / 1024 / 1024))} MB.`,
    remedy: "Record fewer records (--limit) or fewer sources.",
  });
}

function unwritable(file: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "unknown reason";
  return new Fault("config", {
    code: "TapeUnwritable",
    sentence: `The recording ${file} could not be written: ${code}.`,
    remedy: "Name a file in a folder that exists and may be written to.",
    cause: error,
  });
}
