import { canonicalize } from "../../harvester/xml/canonicalize.js";
import { decodeXml } from "../../harvester/xml/encoding.js";
import { parseXml } from "../../harvester/xml/parse.js";
import { readTree, type XmlElement } from "../../harvester/xml/tree.js";

/** The tree a mapping gets: parsed and canonicalised by the XML engine, as in the gates. */
export function canonicalTree(xml: string | Uint8Array): XmlElement {
  const decoded = decodeXml(typeof xml === "string" ? new TextEncoder().encode(xml) : xml);
  if (decoded.kind !== "utf8") throw new Error(`The test's XML cannot be decoded: ${decoded.label}`);
  const parsed = parseXml(decoded.bytes);
  if (parsed.kind === "broken")
    throw new Error(`The test's XML is not well-formed: ${JSON.stringify(parsed.problems)}`);
  try {
    const canonical = canonicalize(parsed.document);
    if (canonical === undefined) throw new Error("The test's XML cannot be canonicalised.");
    return readTree(canonical);
  } finally {
    parsed.document.dispose();
  }
}
