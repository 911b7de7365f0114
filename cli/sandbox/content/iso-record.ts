/** A whole generated record in ISO 19139, 2007 generation (gml/3.2): one element, no XML declaration. */
import type { RecordFacts } from "./facts.js";
import { identificationInfo } from "./iso-identification.js";
import {
  code,
  datedEvent,
  languageCode,
  onlineResource,
  responsibleParty,
  string,
  type OnlineResource,
} from "./iso-parts.js";

const ROOT = `<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd" xmlns:gco="http://www.isotc211.org/2005/gco" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.isotc211.org/2005/gmd http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd">`;

export function isoRecord(facts: RecordFacts): string {
  const [contact] = facts.parties;
  return `${ROOT}
  ${string("fileIdentifier", facts.fileIdentifier)}
  ${languageCode(facts.language.code)}
  <gmd:characterSet>${code("MD_CharacterSetCode", "utf8")}</gmd:characterSet>
  ${facts.parent === undefined ? "" : string("parentIdentifier", facts.parent)}
  <gmd:hierarchyLevel>${code("MD_ScopeCode", facts.scope)}</gmd:hierarchyLevel>
  <gmd:contact>${contact === undefined ? "" : responsibleParty(contact, "pointOfContact")}</gmd:contact>
  <gmd:dateStamp><gco:Date>${facts.metadataDate}</gco:Date></gmd:dateStamp>
  ${string("metadataStandardName", "ISO 19115:2003/19139")}
  ${string("metadataStandardVersion", "1.0")}
  ${referenceSystem(facts.epsg)}
  ${identificationInfo(facts)}
  ${distribution(facts)}
  ${quality(facts)}
</gmd:MD_Metadata>`;
}

function referenceSystem(epsg: string): string {
  return `<gmd:referenceSystemInfo>
    <gmd:MD_ReferenceSystem>
      <gmd:referenceSystemIdentifier>
        <gmd:RS_Identifier>
          ${string("code", epsg)}
          ${string("codeSpace", "EPSG")}
        </gmd:RS_Identifier>
      </gmd:referenceSystemIdentifier>
    </gmd:MD_ReferenceSystem>
  </gmd:referenceSystemInfo>`;
}

function links(facts: RecordFacts): readonly OnlineResource[] {
  const base = `https://data.${facts.agency.domain}/${facts.theme.key}/${String(facts.index)}`;
  const all: readonly OnlineResource[] = [
    {
      url: `${base}.zip`,
      name: `${facts.alternateTitle}.zip`,
      protocol: "WWW:DOWNLOAD-1.0-http--download",
      use: "download",
    },
    {
      url: `${base}/about?lang=${facts.language.code}&view=full`,
      name: facts.title,
      protocol: "WWW:LINK-1.0-http--link",
      use: "information",
    },
    {
      url: `https://services.${facts.agency.domain}/wms?service=WMS&request=GetCapabilities`,
      name: facts.theme.key,
      protocol: "OGC:WMS",
      use: "search",
    },
    {
      url: `https://services.${facts.agency.domain}/wfs?service=WFS&request=GetCapabilities`,
      name: facts.theme.key,
      protocol: "OGC:WFS",
      use: "download",
    },
  ];
  return all.slice(0, 2 + (facts.index % 3));
}

function distribution(facts: RecordFacts): string {
  const [format, version] = facts.index % 3 === 0 ? ["GeoTIFF", "1.1"] : ["GeoPackage", "1.3"];
  return `<gmd:distributionInfo>
  <gmd:MD_Distribution>
    <gmd:distributionFormat>
      <gmd:MD_Format>
        ${string("name", format ?? "GeoPackage")}
        ${string("version", version ?? "1.3")}
      </gmd:MD_Format>
    </gmd:distributionFormat>
    ${facts.detail === "rich" ? distributor(facts) : ""}
    <gmd:transferOptions>
      <gmd:MD_DigitalTransferOptions>
        ${links(facts)
          .map((link) => `<gmd:onLine>${onlineResource(link)}</gmd:onLine>`)
          .join("\n        ")}
      </gmd:MD_DigitalTransferOptions>
    </gmd:transferOptions>
  </gmd:MD_Distribution>
</gmd:distributionInfo>`;
}

function distributor(facts: RecordFacts): string {
  const party = facts.parties[2] ?? facts.parties[0];
  return `<gmd:distributor>
      <gmd:MD_Distributor>
        <gmd:distributorContact>${party === undefined ? "" : responsibleParty(party, "distributor")}</gmd:distributorContact>
      </gmd:MD_Distributor>
    </gmd:distributor>`;
}

function quality(facts: RecordFacts): string {
  return `<gmd:dataQualityInfo>
  <gmd:DQ_DataQuality>
    <gmd:scope><gmd:DQ_Scope><gmd:level>${code("MD_ScopeCode", facts.scope)}</gmd:level></gmd:DQ_Scope></gmd:scope>
    ${facts.detail === "lean" ? "" : conformance(facts)}
    <gmd:lineage>
      <gmd:LI_Lineage>
        ${string("statement", facts.lineage)}
        ${facts.steps.map((step) => `<gmd:processStep><gmd:LI_ProcessStep>${string("description", step)}</gmd:LI_ProcessStep></gmd:processStep>`).join("\n        ")}
      </gmd:LI_Lineage>
    </gmd:lineage>
  </gmd:DQ_DataQuality>
</gmd:dataQualityInfo>`;
}

function conformance(facts: RecordFacts): string {
  return `<gmd:report>
      <gmd:DQ_DomainConsistency>
        <gmd:result>
          <gmd:DQ_ConformanceResult>
            <gmd:specification>
              <gmd:CI_Citation>
                ${string("title", "Sandbox product specification")}
                ${datedEvent("2010-12-08", "publication")}
              </gmd:CI_Citation>
            </gmd:specification>
            ${string("explanation", "Checked against the product specification by the publisher.")}
            <gmd:pass><gco:Boolean>${String(facts.index % 4 !== 0)}</gco:Boolean></gmd:pass>
          </gmd:DQ_ConformanceResult>
        </gmd:result>
      </gmd:DQ_DomainConsistency>
    </gmd:report>`;
}
