import { Fault } from "../../harvester/fault.js";

/** One more than a manifest may have, so that a bigger text is still told as too big. */
const MAX_BYTES = 1024 * 1024 + 1;

/** What stands on standard input, or its first MiB and a byte. Throws Fault `config` when it is a terminal. */
export async function readStdin(input: NodeJS.ReadStream): Promise<Uint8Array> {
  if (input.isTTY)
    throw new Fault("config", {
      code: "NoInput",
      sentence: "Nothing stands on standard input.",
      remedy: "Pipe a manifest into it: harvestctl lint --stdin < manifest.yaml",
    });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES);
}
