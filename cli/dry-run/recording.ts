import { randomInt } from "node:crypto";
import { productVersion } from "../../harvester/assemble.js";
import { tapeFormat, tapeVersion } from "../../harvester/fetch/exchange-tape.js";
import { openTape, type TapeWriter } from "../../harvester/fetch/exchange-tape-writer.js";

export interface Recording {
  readonly tape: TapeWriter;
  readonly seed: number;
}

/** Begins a recording of a dry run with these bounds. Throws Fault `config` when the file cannot be written. */
export async function startRecording(
  file: string,
  bounds: { readonly limit: number; readonly maxRequests: number | undefined },
): Promise<Recording> {
  const seed = randomInt(2 ** 32);
  const tape = await openTape(file, {
    kind: "tape",
    format: tapeFormat,
    version: tapeVersion,
    by: `harvestctl ${productVersion()}`,
    recordedAt: new Date().toISOString(),
    seed,
    limit: bounds.limit,
    ...(bounds.maxRequests === undefined ? {} : { maxRequests: bounds.maxRequests }),
  });
  return { tape, seed };
}
