/** A whole generated record in Dublin Core (oai_dc): one element, no XML declaration. */
import type { RecordFacts } from "./facts.js";
import { escapeXml } from "./iso-parts.js";

const ROOT = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd">`;

export function dcRecord(facts: RecordFacts): string {
  const { west, east, south, north } = facts.box;
  const landing = `https://data.${facts.agency.domain}/${facts.theme.key}/${String(facts.index)}`;
  const elements: readonly (readonly [string, string | undefined])[] = [
    ["title", facts.title],
    ...facts.parties.map((party): [string, string] => ["creator", party.name]),
    ...[...facts.keywords, facts.theme.topic].map((word): [string, string] => ["subject", word]),
    ["description", facts.abstract],
    ["description", facts.lineage],
    ["publisher", facts.agency.name],
    ["contributor", facts.parties[0]?.agency.name],
    ["date", facts.published],
    ["type", "Dataset"],
    ["format", "application/zip"],
    ["identifier", `urn:uuid:${facts.fileIdentifier}`],
    ["identifier", landing],
    ["source", facts.supplement],
    ["language", facts.language.code],
    ["relation", facts.parent === undefined ? undefined : `urn:uuid:${facts.parent}`],
    ["coverage", `northlimit=${north}; southlimit=${south}; westlimit=${west}; eastlimit=${east}`],
    ["coverage", facts.place],
    ["coverage", `${facts.begin}/${facts.end ?? ".."}`],
    ["rights", "https://creativecommons.org/licenses/by/4.0/"],
    ...facts.limitations.map((text): [string, string] => ["rights", text]),
  ];
  const lines = elements.flatMap(([name, text]) =>
    text === undefined ? [] : [`  <dc:${name}>${escapeXml(text)}</dc:${name}>`],
  );
  return `${ROOT}\n${lines.join("\n")}\n</oai_dc:dc>`;
}
