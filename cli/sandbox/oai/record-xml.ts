/** Writes one record or header of a list, with the damage a striking fault asks for. */
import type { Format } from "../content/format.js";
import type { Striking } from "../faults/armed-faults.js";
import type { Entry } from "../repository/repository.js";
import { formatDatestamp } from "./datestamp.js";
import { element, type Chunk, type Style } from "./envelope.js";
import { HttpRefusal } from "./http-refusal.js";
import type { Site } from "./site.js";

export interface Writing {
  readonly site: Site;
  readonly style: Style;
  readonly striking: Striking;
  readonly format: Format;
}

export function headerXml({ site, style, striking }: Writing, entry: Entry): string {
  const p = style.prefix;
  const datestamp = datestampText(
    formatDatestamp(entry.stamp, site.granularity),
    striking.get("odd-datestamps")?.value,
    striking.has("odd-datestamps"),
  );
  const sets = site.sets ? entry.sets.map((set) => element(style, "setSpec", set)).join("") : "";
  const identifier = element(style, "identifier", site.repository.prefix + entry.localName);
  return `<${p}header${entry.deleted ? ` status="deleted"` : ""}>${identifier}${element(style, "datestamp", datestamp)}${sets}</${p}header>\n`;
}

function datestampText(datestamp: string, shape: string | undefined, isOdd: boolean): string {
  if (!isOdd) return datestamp;
  if (shape === undefined || shape === "fraction") return datestamp.replace("Z", ".123Z");
  if (shape === "offset") return datestamp.replace("Z", ".123+02:00");
  return shape === "empty" ? "" : shape;
}

/** Header, and unless it is deleted its metadata. */
export function recordXml(
  writing: Writing,
  entry: Entry,
  damage: (body: Buffer) => Buffer = same,
): readonly Chunk[] {
  const { site, style, format, striking } = writing;
  const poison = striking.get("poison-record");
  if (poison?.value === site.repository.prefix + entry.localName) throw new HttpRefusal(poison.status ?? 500);
  const p = style.prefix;
  const header = headerXml(writing, entry);
  if (entry.deleted) return [`<${p}record>\n${header}</${p}record>\n`];
  const body = damage(site.repository.bodyOf(entry, format));
  const about = site.provenance && entry.index % 5 === 0 ? provenance(writing, entry) : "";
  return [`<${p}record>\n${header}<${p}metadata>\n`, body, `\n</${p}metadata>\n${about}</${p}record>\n`];
}

function same(body: Buffer): Buffer {
  return body;
}

/** An `about` container after the OAI provenance guidelines: the record came from somewhere else. */
function provenance({ style }: Writing, entry: Entry): string {
  const p = style.prefix;
  const day = formatDatestamp(entry.stamp, "day");
  return `<${p}about><provenance xmlns="http://www.openarchives.org/OAI/2.0/provenance" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/provenance http://www.openarchives.org/OAI/2.0/provenance.xsd"><originDescription harvestDate="${day}T00:00:00Z" altered="false"><baseURL>https://origin.example.org/oai</baseURL><identifier>oai:origin.example.org:${entry.localName}</identifier><datestamp>${day}</datestamp><metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></originDescription></provenance></${p}about>\n`;
}

/** The damage of `malformed-record` and `huge-record`, which strike one record of a page. */
export function pageDamage(
  striking: Striking,
  pageLength: number,
): (position: number, body: Buffer) => Buffer {
  const malformed = striking.get("malformed-record");
  const huge = striking.get("huge-record");
  const middle = Math.floor((pageLength + 1) / 2);
  return (position, body) => {
    if (malformed !== undefined && position === (malformed.record ?? middle))
      return withUnclosedElement(body);
    if (huge !== undefined && position === (huge.record ?? middle))
      return blownUp(body, huge.bytes ?? 20_000_000);
    return body;
  };
}

function withUnclosedElement(body: Buffer): Buffer {
  const at = body.lastIndexOf("</");
  return Buffer.concat([body.subarray(0, at), Buffer.from("<unclosed>"), body.subarray(at)]);
}

function blownUp(body: Buffer, bytes: number): Buffer {
  const marks = ["<gmd:abstract><gco:CharacterString>", "<dc:description>"];
  const mark = marks.find((each) => body.includes(each));
  const at = mark === undefined ? body.lastIndexOf("</") : body.indexOf(mark) + mark.length;
  const padding = Buffer.alloc(Math.max(0, bytes - body.length), "very long text ");
  return Buffer.concat([body.subarray(0, at), padding, body.subarray(at)]);
}
