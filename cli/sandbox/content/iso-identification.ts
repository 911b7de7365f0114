/** gmd:identificationInfo of a generated record. */
import type { RecordFacts } from "./facts.js";
import {
  code,
  datedEvent,
  keywordBlock,
  languageCode,
  responsibleParty,
  string,
  type KeywordBlock,
} from "./iso-parts.js";

export function identificationInfo(facts: RecordFacts): string {
  const [, owner, ...others] = facts.parties;
  const pointsOfContact = [owner, ...others].flatMap((party, n) =>
    party === undefined
      ? []
      : [
          `<gmd:pointOfContact>${responsibleParty(party, ["owner", "pointOfContact", "custodian"][n] ?? "processor")}</gmd:pointOfContact>`,
        ],
  );
  return `<gmd:identificationInfo>
  <gmd:MD_DataIdentification>
  <gmd:citation>${citation(facts)}</gmd:citation>
  ${string("abstract", facts.abstract)}
  ${string("purpose", facts.purpose)}
  <gmd:status>${code("MD_ProgressCode", facts.end === undefined ? "onGoing" : "completed")}</gmd:status>
  ${pointsOfContact.join("\n  ")}
  ${facts.detail === "lean" ? "" : maintenance(facts)}
  ${keywords(facts).map(keywordBlock).join("\n  ")}
  ${constraints(facts)}
  <gmd:spatialRepresentationType>${code("MD_SpatialRepresentationTypeCode", facts.index % 3 === 0 ? "grid" : "vector")}</gmd:spatialRepresentationType>
  <gmd:spatialResolution>
    <gmd:MD_Resolution>
      <gmd:equivalentScale>
        <gmd:MD_RepresentativeFraction><gmd:denominator><gco:Integer>${String(facts.scale)}</gco:Integer></gmd:denominator></gmd:MD_RepresentativeFraction>
      </gmd:equivalentScale>
    </gmd:MD_Resolution>
  </gmd:spatialResolution>
  ${languageCode(facts.language.code)}
  <gmd:characterSet>${code("MD_CharacterSetCode", "utf8")}</gmd:characterSet>
  <gmd:topicCategory><gmd:MD_TopicCategoryCode>${facts.theme.topic}</gmd:MD_TopicCategoryCode></gmd:topicCategory>
  ${extent(facts)}
  ${string("supplementalInformation", facts.supplement)}
  </gmd:MD_DataIdentification>
</gmd:identificationInfo>`;
}

function maintenance(facts: RecordFacts): string {
  return `<gmd:resourceMaintenance>
    <gmd:MD_MaintenanceInformation>
      <gmd:maintenanceAndUpdateFrequency>${code("MD_MaintenanceFrequencyCode", facts.end === undefined ? "continual" : "asNeeded")}</gmd:maintenanceAndUpdateFrequency>
    </gmd:MD_MaintenanceInformation>
  </gmd:resourceMaintenance>`;
}

function citation(facts: RecordFacts): string {
  const revised = facts.revised === undefined ? "" : datedEvent(facts.revised, "revision");
  return `
    <gmd:CI_Citation>
      ${string("title", facts.title)}
      ${string("alternateTitle", facts.alternateTitle)}
      ${datedEvent(facts.created, "creation")}
      ${datedEvent(facts.published, "publication")}${revised}
      ${string("edition", String(1 + facts.version))}
      <gmd:identifier>
        <gmd:MD_Identifier>${string("code", `https://data.${facts.agency.domain}/id/${facts.fileIdentifier}`)}</gmd:MD_Identifier>
      </gmd:identifier>
      <gmd:presentationForm>${code("CI_PresentationFormCode", "mapDigital")}</gmd:presentationForm>
    </gmd:CI_Citation>
  `;
}

function keywords(facts: RecordFacts): readonly KeywordBlock[] {
  const register: KeywordBlock = {
    words: [facts.theme.key, facts.theme.topic],
    type: "theme",
    thesaurus: { title: "Sandbox theme register", published: "2008-06-01" },
  };
  return [
    {
      words: facts.keywords,
      type: "theme",
      thesaurus: { title: "GEMET - Concepts, version 4.1", published: "2018-08-16" },
    },
    ...(facts.detail === "lean" ? [] : [register]),
    { words: [facts.place, facts.agency.city], type: "place" },
  ];
}

function constraints(facts: RecordFacts): string {
  return `<gmd:resourceConstraints>
    <gmd:MD_LegalConstraints>
      ${facts.limitations.map((text) => string("useLimitation", text)).join("\n      ")}
      <gmd:accessConstraints>${code("MD_RestrictionCode", "otherRestrictions")}</gmd:accessConstraints>
      <gmd:useConstraints>${code("MD_RestrictionCode", "license")}</gmd:useConstraints>
      ${string("otherConstraints", facts.language.sentences.licence)}
      ${string("otherConstraints", "https://creativecommons.org/licenses/by/4.0/")}
    </gmd:MD_LegalConstraints>
  </gmd:resourceConstraints>${facts.detail === "rich" ? SECURITY : ""}`;
}

const SECURITY = `
  <gmd:resourceConstraints>
    <gmd:MD_SecurityConstraints>
      <gmd:classification>${code("MD_ClassificationCode", "unclassified")}</gmd:classification>
    </gmd:MD_SecurityConstraints>
  </gmd:resourceConstraints>`;

function extent(facts: RecordFacts): string {
  const { west, east, south, north } = facts.box;
  const end =
    facts.end === undefined
      ? `<gml:endPosition indeterminatePosition="now"/>`
      : `<gml:endPosition>${facts.end}</gml:endPosition>`;
  return `<gmd:extent>
    <gmd:EX_Extent>
      ${string("description", facts.place)}
      <gmd:geographicElement>
        <gmd:EX_GeographicBoundingBox>
          ${degrees("westBoundLongitude", west)}
          ${degrees("eastBoundLongitude", east)}
          ${degrees("southBoundLatitude", south)}
          ${degrees("northBoundLatitude", north)}
        </gmd:EX_GeographicBoundingBox>
      </gmd:geographicElement>
      <gmd:temporalElement>
        <gmd:EX_TemporalExtent>
          <gmd:extent>
            <gml:TimePeriod gml:id="period-${String(facts.index)}">
              <gml:beginPosition>${facts.begin}</gml:beginPosition>
              ${end}
            </gml:TimePeriod>
          </gmd:extent>
        </gmd:EX_TemporalExtent>
      </gmd:temporalElement>
    </gmd:EX_Extent>
  </gmd:extent>`;
}

function degrees(name: string, value: string): string {
  return `<gmd:${name}><gco:Decimal>${value}</gco:Decimal></gmd:${name}>`;
}
