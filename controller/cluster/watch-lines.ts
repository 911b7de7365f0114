/** The bytes of a watch → its lines, over any chunking. */
import type { KubeObject } from "../object.js";
import type { WatchEvent } from "./watch-source.js";

/** etcd keeps objects of 1.5 MiB; with managedFields and escapes in JSON a line has some more. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** A stream that broke off or holds what no watch may hold; `reason` for ApiFault. */
export class WatchBroken extends Error {
  override readonly name = "WatchBroken";
  readonly reason: "Truncated" | "NotAnEvent" | "TooLarge";

  constructor(reason: WatchBroken["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Events in the order of the lines; blank lines are passed over. Throws WatchBroken for a line that is no event, for one
 * beyond `maxLineBytes`, and when the bytes end in the middle of one; and what the stream itself throws.
 */
export async function* watchEvents(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly onBytes?: (() => void) | undefined; readonly maxLineBytes?: number } = {},
): AsyncGenerator<WatchEvent, void, undefined> {
  const splitter = createSplitter(options.maxLineBytes ?? MAX_LINE_BYTES);
  for await (const chunk of chunks) {
    options.onBytes?.();
    for (const line of splitter.push(chunk)) {
      const event = eventOf(line);
      if (event !== undefined) yield event;
    }
  }
  if (splitter.rest().trim() !== "")
    throw new WatchBroken("Truncated", "The stream ended in the middle of a line.");
}

interface Splitter {
  push(chunk: Uint8Array): readonly string[];
  /** What came after the last line feed. */
  rest(): string;
}

const LINE_FEED = 0x0a;

/** Bytes, not text: a chunk may end inside a character. */
function createSplitter(maxLineBytes: number): Splitter {
  let pending: Uint8Array[] = [];
  let size = 0;

  function keep(part: Uint8Array): void {
    if (part.length === 0) return;
    size += part.length;
    if (size > maxLineBytes)
      throw new WatchBroken("TooLarge", `A line has more than ${String(maxLineBytes)} bytes.`);
    pending.push(part);
  }

  function take(): string {
    const text = Buffer.concat(pending, size).toString("utf8");
    pending = [];
    size = 0;
    return text;
  }

  return {
    push(chunk) {
      const lines: string[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return lines;
    },
    rest: take,
  };
}

const types = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]);

function eventOf(line: string): WatchEvent | undefined {
  if (line.trim() === "") return undefined;
  const value = recordOf(parsed(line));
  const type: unknown = value?.["type"];
  const object = recordOf(value?.["object"]);
  if (typeof type === "string" && types.has(type) && object !== undefined && isNamed(type, object))
    return { type: type as WatchEvent["type"], object: object as unknown as KubeObject };
  throw new WatchBroken("NotAnEvent", "A line of the stream is no watch event.");
}

/** A bookmark has a version and no name, an error neither. */
function isNamed(type: string, object: Readonly<Record<string, unknown>>): boolean {
  if (type === "ERROR") return true;
  const metadata = recordOf(object["metadata"]);
  return metadata !== undefined && (type === "BOOKMARK" || typeof metadata["name"] === "string");
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
