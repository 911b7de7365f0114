/** The protocols this harvester speaks: adding one is a folder and a line here (docs/adding-a-protocol.md). */
import { oaiPmh } from "./oai-pmh/index.js";
import type { Protocol } from "./protocol.js";

export const protocols: readonly Protocol[] = [oaiPmh];

/** Undefined: no such protocol; the manifest's schema should have said so before. */
export function protocolNamed(id: string): Protocol | undefined {
  return protocols.find((protocol) => protocol.id === id);
}
