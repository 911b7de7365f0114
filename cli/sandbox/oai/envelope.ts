/** The frame round every answer (OAI-PMH §3.2), and the pieces records and lists are written with. */
import { escapeXml } from "../content/iso-parts.js";

/** How the frame is written: differences a harvester must not notice. */
export interface Style {
  /** "" or, say, "oai:" (case C62). */
  readonly prefix: string;
  /** Without it errors must still be read as errors (case C64). */
  readonly schemaLocation: boolean;
}

export interface Frame {
  readonly style: Style;
  readonly responseDate: string;
  readonly baseUrl: string;
  /** The arguments of the request, echoed; none after badVerb and badArgument. */
  readonly echo: Readonly<Record<string, string>>;
}

export type Chunk = string | Buffer;

const NAMESPACE = "http://www.openarchives.org/OAI/2.0/";

/** One element with text content. */
export function element(style: Style, name: string, text: string): string {
  return `<${style.prefix}${name}>${escapeXml(text)}</${style.prefix}${name}>`;
}

export function envelope(frame: Frame, content: readonly Chunk[]): readonly Chunk[] {
  const { style } = frame;
  const p = style.prefix;
  const binding = p === "" ? "xmlns" : `xmlns:${p.slice(0, -1)}`;
  const location = style.schemaLocation
    ? ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${NAMESPACE} ${NAMESPACE.replace("/2.0/", "/2.0")}/OAI-PMH.xsd"`
    : "";
  const echo = Object.entries(frame.echo).map(([name, value]) => ` ${name}="${escapeXml(printable(value))}"`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<${p}OAI-PMH ${binding}="${NAMESPACE}"${location}>\n`,
    `${element(style, "responseDate", frame.responseDate)}\n`,
    `<${p}request${echo.join("")}>${escapeXml(frame.baseUrl)}</${p}request>\n`,
    ...content,
    `</${p}OAI-PMH>\n`,
  ];
}

export function errorElement(style: Style, code: string, message: string): string {
  return `<${style.prefix}error code="${escapeXml(code)}">${escapeXml(printable(message))}</${style.prefix}error>\n`;
}

/** Echoed text comes from the client, and what XML 1.0 §2.2 forbids would make the answer unreadable. */
function printable(text: string): string {
  return [...text].map((sign) => (isXmlCharacter(sign.codePointAt(0) ?? 0) ? sign : "?")).join("");
}

function isXmlCharacter(code: number): boolean {
  return code >= 0x20 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
