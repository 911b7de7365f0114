/** Pieces of an ISO 19139 record (namespace http://www.isotc211.org/2005/gmd), each in schema order of the 2007 set. */
import type { Party } from "./facts.js";
import type { Agency } from "./vocabulary.js";

const CODES = "http://www.isotc211.org/2005/resources/Codelist/gmxCodelists.xml";

/** Text for element content or a double-quoted attribute. */
export function escapeXml(text: string): string {
  return /[&<>"]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    : text;
}

/** `<gmd:NAME><gco:CharacterString>…`. */
export function string(name: string, text: string): string {
  return `<gmd:${name}><gco:CharacterString>${escapeXml(text)}</gco:CharacterString></gmd:${name}>`;
}

/** A code list value with its address in the code list catalogue. */
export function code(list: string, value: string): string {
  return `<gmd:${list} codeList="${CODES}#${list}" codeListValue="${value}">${value}</gmd:${list}>`;
}

export function languageCode(value: string): string {
  return `<gmd:language><gmd:LanguageCode codeList="http://www.loc.gov/standards/iso639-2/" codeListValue="${value}">${value}</gmd:LanguageCode></gmd:language>`;
}

export function responsibleParty(party: Party, role: string): string {
  const { agency } = party;
  return `<gmd:CI_ResponsibleParty>
      ${string("individualName", party.name)}
      ${string("organisationName", agency.name)}
      ${string("positionName", party.position)}
      <gmd:contactInfo>
        <gmd:CI_Contact>
          <gmd:phone>
            <gmd:CI_Telephone>${string("voice", party.phone)}</gmd:CI_Telephone>
          </gmd:phone>
          <gmd:address>
            <gmd:CI_Address>
              ${role === "pointOfContact" ? postal(agency) : ""}${string("electronicMailAddress", party.email)}
            </gmd:CI_Address>
          </gmd:address>
${role === "pointOfContact" ? website(party) : ""}        </gmd:CI_Contact>
      </gmd:contactInfo>
      <gmd:role>${code("CI_RoleCode", role)}</gmd:role>
    </gmd:CI_ResponsibleParty>`;
}

function postal(agency: Agency): string {
  return `${string("deliveryPoint", agency.street)}
              ${string("city", agency.city)}
              ${string("postalCode", agency.postcode)}
              ${string("country", agency.country)}
              `;
}

function website({ agency }: Party): string {
  const site = {
    url: `https://www.${agency.domain}/`,
    name: agency.name,
    protocol: "WWW:LINK-1.0-http--link",
    use: "information",
  };
  return `          <gmd:onlineResource>${onlineResource(site)}</gmd:onlineResource>
`;
}

export interface OnlineResource {
  readonly url: string;
  readonly name: string;
  readonly protocol: string;
  /** CI_OnLineFunctionCode. */
  readonly use: string;
}

export function onlineResource(resource: OnlineResource): string {
  return `<gmd:CI_OnlineResource>
              <gmd:linkage><gmd:URL>${escapeXml(resource.url)}</gmd:URL></gmd:linkage>
              ${string("protocol", resource.protocol)}
              ${string("name", resource.name)}
              <gmd:function>${code("CI_OnLineFunctionCode", resource.use)}</gmd:function>
            </gmd:CI_OnlineResource>`;
}

/** CI_Date with a calendar day. */
export function datedEvent(day: string, event: string): string {
  return `<gmd:date>
        <gmd:CI_Date>
          <gmd:date><gco:Date>${day}</gco:Date></gmd:date>
          <gmd:dateType>${code("CI_DateTypeCode", event)}</gmd:dateType>
        </gmd:CI_Date>
      </gmd:date>`;
}

export interface KeywordBlock {
  readonly words: readonly string[];
  /** MD_KeywordTypeCode. */
  readonly type: string;
  readonly thesaurus?: { readonly title: string; readonly published: string };
}

export function keywordBlock(block: KeywordBlock): string {
  const thesaurus =
    block.thesaurus === undefined
      ? ""
      : `
      <gmd:thesaurusName>
        <gmd:CI_Citation>
          ${string("title", block.thesaurus.title)}
          ${datedEvent(block.thesaurus.published, "publication")}
        </gmd:CI_Citation>
      </gmd:thesaurusName>`;
  return `<gmd:descriptiveKeywords>
    <gmd:MD_Keywords>
      ${block.words.map((word) => string("keyword", word)).join("\n      ")}
      <gmd:type>${code("MD_KeywordTypeCode", block.type)}</gmd:type>${thesaurus}
    </gmd:MD_Keywords>
  </gmd:descriptiveKeywords>`;
}
