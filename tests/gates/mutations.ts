/** Typical damage done to records of ISO 19139 by exports and by hand, each on the text of a valid record. */

export interface Mutation {
  readonly name: string;
  /** The damaged text; undefined when the record has nothing to damage in this way. */
  readonly change: (xml: string) => string | undefined;
}

/** The first match is replaced; `$1` stands for the first group, `$&` for all of it. */
function first(pattern: RegExp, replacement: string) {
  return (xml: string): string | undefined => {
    const changed = xml.replace(pattern, replacement);
    return changed === xml ? undefined : changed;
  };
}

/** All top-level elements of this name are removed. */
function without(name: string) {
  return first(new RegExp(`<gmd:${name}[ >][\\s\\S]*</gmd:${name}>`), "");
}

const box =
  /(<gmd:westBoundLongitude>[\s\S]*?<\/gmd:westBoundLongitude>)(\s*)(<gmd:eastBoundLongitude>[\s\S]*?<\/gmd:eastBoundLongitude>)/;

export const mutations: readonly Mutation[] = [
  { name: "no dateStamp", change: without("dateStamp") },
  { name: "no identification", change: without("identificationInfo") },
  {
    name: "no metadata contact",
    change: (xml) => (xml.match(/^\s*<gmd:contact>/m) ? removeTopContacts(xml) : undefined),
  },
  { name: "no abstract", change: first(/<gmd:abstract[ >][\s\S]*?<\/gmd:abstract>/, "") },
  {
    name: "no title",
    change: first(/(<gmd:identificationInfo>[\s\S]*?)<gmd:title[\s>][\s\S]*?<\/gmd:title>/, "$1"),
  },
  { name: "no role", change: first(/<gmd:role>[\s\S]*?<\/gmd:role>/, "") },
  {
    name: "no date in the citation",
    change: first(/(<gmd:CI_Date>\s*)<gmd:date>[\s\S]*?<\/gmd:date>/, "$1"),
  },
  {
    name: "no kind of date",
    change: first(/(<gmd:CI_Date>[\s\S]*?)<gmd:dateType>[\s\S]*?<\/gmd:dateType>/, "$1"),
  },
  { name: "two dateStamps", change: first(/<gmd:dateStamp>[\s\S]*?<\/gmd:dateStamp>/, "$&$&") },
  { name: "two abstracts", change: first(/<gmd:abstract>[\s\S]*?<\/gmd:abstract>/, "$&$&") },
  {
    name: "abstract before citation",
    change: first(
      /(<gmd:citation>[\s\S]*?<\/gmd:citation>)(\s*)(<gmd:abstract>[\s\S]*?<\/gmd:abstract>)/,
      "$3$2$1",
    ),
  },
  { name: "east before west", change: first(box, "$3$2$1") },
  {
    name: "no northern edge",
    change: first(/<gmd:northBoundLatitude>[\s\S]*?<\/gmd:northBoundLatitude>/, ""),
  },
  {
    name: "decimal comma",
    change: first(/(<gmd:westBoundLongitude>\s*<gco:Decimal[^>]*>)[^<]*/, "$1 13,35"),
  },
  {
    name: "empty coordinate",
    change: first(/(<gmd:westBoundLongitude>\s*<gco:Decimal[^>]*>)[^<]*/, "$1"),
  },
  {
    name: "coordinate in words",
    change: first(/(<gmd:southBoundLatitude>\s*<gco:Decimal[^>]*>)[^<]*/, "$1 48°31'N"),
  },
  {
    name: "date with slashes",
    change: first(/(<gmd:CI_Date>\s*<gmd:date>\s*<gco:Date[^>]*>)[^<]*/, "$1 14/03/2019"),
  },
  {
    name: "empty date",
    change: first(/(<gmd:dateStamp>\s*<gco:Date(?:Time)?[^>]*>)[^<]*/, "$1"),
  },
  {
    name: "dateStamp without its gco:Date",
    change: first(/(<gmd:dateStamp>)[\s\S]*?(<\/gmd:dateStamp>)/, "$1 2019-03-14 $2"),
  },
  {
    name: "code without codeListValue",
    change: first(/(<gmd:CI_RoleCode\b[^>]*?)\s+codeListValue="[^"]*"/, "$1"),
  },
  {
    name: "code without codeList",
    change: first(/(<gmd:CI_RoleCode\b[^>]*?)\s+codeList="[^"]*"/, "$1"),
  },
  { name: "unknown topic", change: first(/(<gmd:MD_TopicCategoryCode>)[^<]*/, "$1water") },
  {
    name: "unknown element",
    change: first(/<gmd:abstract>([\s\S]*?)<\/gmd:abstract>/, "<gmd:summary>$1</gmd:summary>"),
  },
  { name: "text astray", change: first(/<gmd:identificationInfo>/, "<gmd:identificationInfo>see below") },
  {
    name: "linkage without CI_OnlineResource",
    change: first(/<gmd:CI_OnlineResource[^>]*>([\s\S]*?)<\/gmd:CI_OnlineResource>/, "$1"),
  },
  {
    name: "period without begin",
    change: first(/<(gml\d*):beginPosition\b[^>]*?(?:\/>|>[\s\S]*?<\/\1:beginPosition>)/, ""),
  },
  {
    name: "period with a second end",
    change: first(/<(gml\d*):endPosition\b[^>]*?(?:\/>|>[\s\S]*?<\/\1:endPosition>)/, "$&$&"),
  },
  {
    name: "period without id",
    change: first(/(<gml\d*:TimePeriod\b[^>]*?)\s+gml\d*:id="[^"]*"/, "$1"),
  },
];

/** Contacts of the metadata stand before dateStamp; those of maintenance and others stay. */
function removeTopContacts(xml: string): string | undefined {
  const end = xml.indexOf("<gmd:dateStamp");
  if (end < 0) return undefined;
  const head = xml.slice(0, end);
  const cut = head.replace(/<gmd:contact[ >][\s\S]*<\/gmd:contact>/, "");
  return cut === head ? undefined : cut + xml.slice(end);
}
