/** Does the damage that record-faults.ts names to a sound generated record. */
import type { Format } from "./format.js";
import type { RecordFaultName } from "./record-faults.js";

type Damage = (xml: string) => string;

/** Stands for the byte 0xE9 until the text has become bytes: a private-use character no generated record holds. */
const LATIN1_MARK = "\uE0E9";
const LATIN1_MARK_BYTES = Buffer.from(LATIN1_MARK);

function swap(find: string | RegExp, by: string): Damage {
  return (xml) => {
    const broken = xml.replace(find, by);
    if (broken === xml) throw new Error(`The record holds nothing to damage at ${String(find)}.`);
    return broken;
  };
}

function box(name: string, value: string): Damage {
  return swap(new RegExp(`(<gmd:${name}><gco:Decimal>)[^<]*`), `$1${value}`);
}

function all(...damages: readonly Damage[]): Damage {
  return (xml) => damages.reduce((text, damage) => damage(text), xml);
}

const isoDamage: Readonly<Record<RecordFaultName, Damage | undefined>> = {
  "not-well-formed": swap("</gmd:abstract>", ""),
  "missing-title": swap(/(<gmd:citation>\s*<gmd:CI_Citation>\s*)<gmd:title>.*?<\/gmd:title>/s, "$1"),
  "bbox-swapped": all(box("westBoundLongitude", "-96.1"), box("eastBoundLongitude", "-98.4")),
  "missing-contact": swap(/<gmd:contact>.*?<\/gmd:contact>/s, ""),
  "control-character": swap(
    "</gco:CharacterString></gmd:abstract>",
    " \u000B</gco:CharacterString></gmd:abstract>",
  ),
  "temporal-empty": swap(
    /<gml:beginPosition>.*<gml:endPosition[^]*?(?=<\/gml:TimePeriod>)/s,
    "<gml:beginPosition/><gml:endPosition/>",
  ),
  "temporal-missing": swap(/\s*<gmd:temporalElement>.*<\/gmd:temporalElement>/s, ""),
  "wrong-element-order": swap(
    /(<gmd:contact>.*?<\/gmd:contact>)(\s*)(<gmd:dateStamp>.*?<\/gmd:dateStamp>)/s,
    "$3$2$1",
  ),
  "bad-utf8": swap(
    "</gco:CharacterString></gmd:abstract>",
    ` caf${LATIN1_MARK}.</gco:CharacterString></gmd:abstract>`,
  ),
  "bbox-south-above-north": all(box("southBoundLatitude", "48.5"), box("northBoundLatitude", "41.2")),
  "bad-date": swap(/<gco:Date>[^<]*<\/gco:Date>(?=<\/gmd:date>)/, "<gco:Date>2021-13-45</gco:Date>"),
  doctype: (xml) => `<!DOCTYPE gmd:MD_Metadata [<!ENTITY name SYSTEM "file:///etc/hostname">]>\n${xml}`,
  "empty-identifier": swap(/(<gmd:fileIdentifier><gco:CharacterString>)[^<]*/, "$1"),
  "bbox-out-of-range": box("northBoundLatitude", "94.7"),
  "temporal-reversed": swap(
    /<gml:beginPosition>.*<gml:endPosition[^]*?(?=<\/gml:TimePeriod>)/s,
    "<gml:beginPosition>2019-05-01</gml:beginPosition><gml:endPosition>1987-02-03</gml:endPosition>",
  ),
  "bare-ampersand": swap(
    "</gco:CharacterString></gmd:abstract>",
    " Research & Development</gco:CharacterString></gmd:abstract>",
  ),
  "empty-title": swap(/(<gmd:citation>\s*<gmd:CI_Citation>\s*<gmd:title><gco:CharacterString>)[^<]*/, "$1"),
  "bad-number": box("eastBoundLongitude", "12,5"),
  "control-character-reference": swap(
    "</gco:CharacterString></gmd:abstract>",
    " &#11;</gco:CharacterString></gmd:abstract>",
  ),
  "unknown-element": swap(
    "<gmd:abstract>",
    "<gmd:shortDescription><gco:CharacterString>x</gco:CharacterString></gmd:shortDescription><gmd:abstract>",
  ),
  "undefined-entity": swap(
    "</gco:CharacterString></gmd:abstract>",
    "&nbsp;</gco:CharacterString></gmd:abstract>",
  ),
  "duplicate-attribute": swap("<gmd:abstract>", `<gmd:abstract id="a" id="a">`),
};

const dcDamage: Partial<Record<RecordFaultName, Damage>> = {
  "not-well-formed": swap("</dc:description>", ""),
  "missing-title": swap(/ {2}<dc:title>.*?<\/dc:title>\n/s, ""),
  "bbox-swapped": swap(/westlimit=[^;<]*; eastlimit=[^;<]*/, "westlimit=-96.1; eastlimit=-98.4"),
  "bbox-south-above-north": swap(/northlimit=[^;]*; southlimit=[^;]*/, "northlimit=41.2; southlimit=48.5"),
  "bbox-out-of-range": swap(/northlimit=[^;]*/, "northlimit=94.7"),
  "control-character": swap("</dc:description>", " \u000B</dc:description>"),
  "bad-utf8": swap("</dc:description>", ` caf${LATIN1_MARK}.</dc:description>`),
  doctype: (xml) => `<!DOCTYPE oai_dc:dc [<!ENTITY name SYSTEM "file:///etc/hostname">]>\n${xml}`,
  "empty-identifier": (xml) => xml.replaceAll(/<dc:identifier>[^<]*/g, "<dc:identifier>"),
  "bare-ampersand": swap("</dc:description>", " Research & Development</dc:description>"),
  "empty-title": swap(/<dc:title>[^<]*/, "<dc:title>"),
  "control-character-reference": swap("</dc:description>", " &#11;</dc:description>"),
  "unknown-element": swap("  <dc:description>", "  <dc:summary>x</dc:summary>\n  <dc:description>"),
  "undefined-entity": swap("</dc:description>", "&nbsp;</dc:description>"),
  "duplicate-attribute": swap("<dc:description>", `<dc:description id="a" id="a">`),
};

const damages: Readonly<Record<Format, Partial<Record<RecordFaultName, Damage | undefined>>>> = {
  iso19139: isoDamage,
  oai_dc: dcDamage,
};

/** The record with that fault, as bytes; sound when the format knows no such fault. */
export function brokenBytes(xml: string, fault: RecordFaultName, format: Format): Buffer {
  const bytes = Buffer.from(damages[format][fault]?.(xml) ?? xml);
  const at = bytes.indexOf(LATIN1_MARK_BYTES);
  if (at === -1) return bytes;
  return Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xe9]),
    bytes.subarray(at + LATIN1_MARK_BYTES.length),
  ]);
}
