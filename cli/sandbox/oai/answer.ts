/** The answer to one OAI-PMH request, as an XML document: every verb, every protocol error. */
import type { Striking } from "../faults/armed-faults.js";
import { formatDatestamp, granularityText } from "./datestamp.js";
import { element, envelope, errorElement, type Chunk, type Style } from "./envelope.js";
import { listXml } from "./list.js";
import { OaiError, readQuestion, type Question } from "./question.js";
import { recordXml } from "./record-xml.js";
import { setsXml } from "./sets-xml.js";
import { formatFacts, formatNamed, type Site } from "./site.js";

export function answerXml(site: Site, query: URLSearchParams, striking: Striking): readonly Chunk[] {
  const style: Style = {
    prefix: striking.has("prefixed-envelope") ? "oai:" : "",
    schemaLocation: !striking.has("no-schema-location"),
  };
  const frame = { style, responseDate: formatDatestamp(site.now(), "second"), baseUrl: site.live.baseUrl };
  const forced = striking.get("oai-error");
  if (forced !== undefined)
    return envelope({ ...frame, echo: {} }, [
      errorElement(style, forced.code ?? "badArgument", forced.value ?? "This error was asked for."),
    ]);
  try {
    const question = readQuestion(withoutPrefix(query, striking), site.granularity);
    return envelope({ ...frame, echo: echoOf(query) }, verbXml(site, question, { style, striking }));
  } catch (thrown) {
    if (!(thrown instanceof OaiError)) throw thrown;
    const echo = thrown.code === "badVerb" || thrown.code === "badArgument" ? {} : echoOf(query);
    return envelope({ ...frame, echo }, [errorElement(style, thrown.code, thrown.message)]);
  }
}

/** Case C13: the server that wants metadataPrefix beside the token. */
function withoutPrefix(query: URLSearchParams, striking: Striking): URLSearchParams {
  if (!striking.has("token-needs-prefix") || !query.has("resumptionToken")) return query;
  if (!query.has("metadataPrefix"))
    throw new OaiError("badArgument", "The argument metadataPrefix is missing.");
  const rest = new URLSearchParams(query);
  rest.delete("metadataPrefix");
  return rest;
}

function echoOf(query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries(query);
}

interface How {
  readonly style: Style;
  readonly striking: Striking;
}

function verbXml(site: Site, question: Question, how: How): readonly Chunk[] {
  switch (question.verb) {
    case "Identify":
      return [identifyXml(site, how)];
    case "ListMetadataFormats":
      return [formatsXml(site, question, how.style)];
    case "ListSets":
      return [setsXml(site, question, how.style)];
    case "ListIdentifiers":
    case "ListRecords":
      return listXml(site, question, how);
    case "GetRecord":
      return getRecordXml(site, question, how);
  }
}

type IdentifyFault = "base-url" | "earliest-datestamp" | "deleted-record" | "granularity";

function identifyXml(site: Site, { style, striking }: How): string {
  function told(kind: IdentifyFault, instead: string, truth: string): string {
    const fault = striking.get(kind);
    return fault === undefined ? truth : (fault.value ?? instead);
  }
  const earliest = formatDatestamp(site.repository.earliest() ?? site.now(), site.granularity);
  const facts: readonly (readonly [string, string])[] = [
    ["repositoryName", site.repositoryName],
    ["baseURL", told("base-url", "http://localhost:8080/oai", site.live.baseUrl)],
    ["protocolVersion", "2.0"],
    ["adminEmail", site.adminEmail],
    ["earliestDatestamp", told("earliest-datestamp", "0000-00-00", earliest)],
    ["deletedRecord", told("deleted-record", "no", site.repository.deletedRecord)],
    ["granularity", told("granularity", "YYYY", granularityText[site.granularity])],
    ...(site.gzip ? [["compression", "gzip"] as const] : []),
  ];
  const p = style.prefix;
  return `<${p}Identify>\n${facts.map(([name, text]) => element(style, name, text)).join("\n")}\n</${p}Identify>\n`;
}

function formatsXml(site: Site, question: Question, style: Style): string {
  const { identifier } = question.arguments;
  const entry = identifier === undefined ? undefined : site.repository.find(identifier);
  if (identifier !== undefined && entry === undefined)
    throw new OaiError("idDoesNotExist", `There is no record ${identifier}.`);
  const formats = site.formats.filter((format) => entry === undefined || entry.formats.includes(format));
  if (formats.length === 0) throw new OaiError("noMetadataFormats", "The record is available in no format.");
  const p = style.prefix;
  const each = formats.map((format) => {
    const { schema, namespace } = formatFacts[format];
    const parts = [
      element(style, "metadataPrefix", format),
      element(style, "schema", schema),
      element(style, "metadataNamespace", namespace),
    ];
    return `<${p}metadataFormat>${parts.join("")}</${p}metadataFormat>\n`;
  });
  return `<${p}ListMetadataFormats>\n${each.join("")}</${p}ListMetadataFormats>\n`;
}

function getRecordXml(site: Site, question: Question, { style, striking }: How): readonly Chunk[] {
  const { identifier = "", metadataPrefix = "" } = question.arguments;
  const entry = site.repository.find(identifier);
  if (entry === undefined) throw new OaiError("idDoesNotExist", `There is no record ${identifier}.`);
  const format = formatNamed(site, metadataPrefix);
  if (format === undefined || !entry.formats.includes(format)) {
    throw new OaiError("cannotDisseminateFormat", `The record is not available as ${metadataPrefix}.`);
  }
  const p = style.prefix;
  return [`<${p}GetRecord>\n`, ...recordXml({ site, style, striking, format }, entry), `</${p}GetRecord>\n`];
}
