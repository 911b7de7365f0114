/** Does the source offer what the manifest asks for? Told as a Fault, never as "0 records, all well". */
import { Fault } from "../fault.js";

const NAMED = 20;

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${String(names.length - NAMED)} more` : "";
  return names.length === 0 ? "none" : `${names.slice(0, NAMED).join(", ")}${more}`;
}

/** Case C41. Undefined: it does. */
export function formatFault(prefix: string, offered: readonly string[]): Fault | undefined {
  if (offered.includes(prefix)) return undefined;
  return new Fault("config", {
    code: "FormatNotSupported",
    sentence: `The source does not offer the metadata format '${prefix}'. It offers: ${named(offered)}.`,
    remedy: "Set spec.metadataPrefix to one of them.",
  });
}

/** Case C42: asked when a set gave no record at all. Undefined: the set exists and is just empty. */
export function setFault(set: string, offered: readonly string[]): Fault | undefined {
  if (set === "" || offered.includes(set)) return undefined;
  return new Fault("config", {
    code: "SetVanished",
    sentence: `The source no longer lists the set '${set}'. It lists: ${named(offered)}.`,
    remedy: "Correct spec.sets; nothing was withdrawn.",
  });
}
