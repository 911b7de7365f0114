/** The protocols this harvester speaks: adding one is a folder and a line here (docs/adding-a-protocol.md). */
import { Fault } from "../fault.js";
import { oaiPmh } from "./oai-pmh/index.js";
import type { Protocol } from "./protocol.js";

export const protocols: readonly Protocol[] = [oaiPmh];

/** Throws Fault `config`; the manifest's schema says so before. */
export function protocolOf(id: string): Protocol {
  const found = protocols.find((protocol) => protocol.id === id);
  if (found !== undefined) return found;
  const known = protocols.map((protocol) => protocol.id).join(", ");
  throw new Fault("config", {
    code: "UnknownProtocol",
    sentence: `This harvester does not speak the protocol '${id.slice(0, 64)}'.`,
    remedy: `Set spec.protocol to one of: ${known}.`,
  });
}
