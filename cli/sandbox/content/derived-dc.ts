import { escapeXml } from "./iso-parts.js";

/** The few facts of an ISO 19139 record that every harvester of oai_dc expects, found by pattern. */
export function derivedDublinCore(iso: Buffer, identifier: string): Buffer {
  const text = iso.toString("utf8");
  function first(element: string): string | undefined {
    return new RegExp(`<gmd:${element}\\b[^>]*>\\s*<gco:CharacterString\\b[^>]*>([^<]*)`)
      .exec(text)?.[1]
      ?.trim();
  }
  const lines = [
    ["title", first("title") ?? identifier],
    ["description", first("abstract")],
    ["publisher", first("organisationName")],
    ["type", "Dataset"],
    ["identifier", first("fileIdentifier") ?? identifier],
  ].flatMap(([name, value]) =>
    name === undefined || value === undefined || value === ""
      ? []
      : [`  <dc:${name}>${tidy(value)}</dc:${name}>`],
  );
  return Buffer.from(`${ROOT}\n${lines.join("\n")}\n</oai_dc:dc>`);
}

/** The value was cut out of XML: its references are kept, what is left of a stray & is escaped. */
function tidy(value: string): string {
  return value
    .replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/g, "&amp;")
    .replace(/[<>]/g, (sign) => escapeXml(sign));
}

const ROOT = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">`;
