import { describe, expect, it } from "vitest";
import { canonicalTree } from "../../../tests/setup/canonical-tree.js";
import { code, EMPTY, iso, mapped, NAMESPACES, string, table } from "../../../tests/setup/iso-record.js";
import { transform } from "../index.js";

describe("where it comes from and belongs to", () => {
  const lineage = (statement: string) =>
    `<gmd:dataQualityInfo><gmd:DQ_DataQuality><gmd:lineage><gmd:LI_Lineage>${string("statement", statement)}</gmd:LI_Lineage></gmd:lineage></gmd:DQ_DataQuality></gmd:dataQualityInfo>`;
  const aggregate = (association: string, identifier: string) =>
    `<gmd:aggregationInfo><gmd:MD_AggregateInformation><gmd:aggregateDataSetIdentifier><gmd:MD_Identifier>${string("code", identifier)}</gmd:MD_Identifier></gmd:aggregateDataSetIdentifier>${code("associationType", "DS_AssociationTypeCode", association)}</gmd:MD_AggregateInformation></gmd:aggregationInfo>`;
  table([
    {
      name: "the first lineage statement",
      given: iso({ metadata: lineage("Surveyed.") + lineage("Digitised.") }),
      expect: { lineage: "Surveyed." },
      remarks: ["more-than-one"],
    },
    {
      name: "a parent identifier wins; other resources are relations",
      given: iso({
        metadata: string("parentIdentifier", "P"),
        identification:
          aggregate("largerWorkCitation", "W") +
          aggregate("crossReference", "X") +
          aggregate("isComposedOf", "Y"),
      }),
      expect: { parent: "P", relations: ["X", "Y"] },
    },
    {
      name: "else the larger work",
      given: iso({ identification: aggregate("larger_work_citation", "W") }),
      expect: { parent: "W" },
    },
  ]);
});

describe("finding the record", () => {
  const inner = iso({});
  const wrapped = [
    { name: "ISO 19115-2", given: inner.replaceAll("gmd:MD_Metadata", "gmi:MI_Metadata") },
    {
      name: "a data set wrapper",
      given: `<g:DS_DataSet xmlns:g="http://www.isotc211.org/2005/gmd"><g:has>${inner}</g:has></g:DS_DataSet>`,
    },
    {
      name: "a CSW answer",
      given: `<c:GetRecordByIdResponse xmlns:c="http://www.opengis.net/cat/csw/2.0.2">${inner}</c:GetRecordByIdResponse>`,
    },
    {
      name: "an OAI metadata element",
      given: `<metadata xmlns="http://www.openarchives.org/OAI/2.0/">${inner}</metadata>`,
    },
    {
      name: "a national profile that says what it stands for",
      given: inner
        .replaceAll("gmd:MD_Metadata", "che:CHE_MD_Metadata")
        .replace(
          "xmlns:gmd",
          'xmlns:che="http://www.geocat.ch/2008/che" gco:isoType="gmd:MD_Metadata" xmlns:gmd',
        ),
    },
    {
      name: "other prefixes, declared where they are used",
      given: inner.replaceAll("gmd:", "q:").replaceAll(":gmd=", ":q="),
    },
  ];
  it.each(wrapped)("reads $name", ({ given }) => {
    expect(mapped(given).canonical).toStrictEqual(EMPTY);
  });

  const refused = [
    {
      name: "another format",
      given: '<dc xmlns="urn:x"/>',
      rule: "wrong-root",
      says: /<dc> in the namespace urn:x/,
    },
    { name: "no namespace", given: "<MD_Metadata/>", rule: "wrong-root", says: /in no namespace/ },
    {
      name: "ISO 19115-3",
      given: '<mdb:MD_Metadata xmlns:mdb="http://standards.iso.org/iso/19115/-3/mdb/2.0"/>',
      rule: "wrong-root",
      says: /19115-3/,
    },
    { name: "FGDC", given: "<metadata><idinfo/></metadata>", rule: "wrong-root", says: /FGDC/ },
    {
      name: "an empty wrapper",
      given: '<metadata xmlns="http://www.openarchives.org/OAI/2.0/"/>',
      rule: "wrong-root",
      says: /holds no/,
    },
    {
      name: "no identification",
      given: `<gmd:MD_Metadata ${NAMESPACES}/>`,
      rule: "no-identification",
      says: /identificationInfo/,
    },
    { name: "no title", given: iso({ title: string("title", "  ") }), rule: "no-title", says: /no title/ },
    {
      name: "a nil title",
      given: iso({ title: '<gmd:title gco:nilReason="missing"/>' }),
      rule: "no-title",
      says: /no title/,
    },
  ];
  it.each(refused)("refuses $name and says why", ({ given, rule, says }) => {
    const result = transform("iso19139", canonicalTree(given));
    expect(result).toMatchObject({
      kind: "unmappable",
      violation: { gate: "transform", rule, severity: "error" },
    });
    expect(result.kind === "unmappable" && result.violation.message).toMatch(says);
  });

  it("names the place of a missing title", () => {
    const result = transform("iso19139", canonicalTree(iso({ title: "" })));
    expect(result.kind === "unmappable" && result.violation.xpath).toBe(
      "/gmd:MD_Metadata/gmd:identificationInfo/gmd:MD_DataIdentification/gmd:citation/gmd:CI_Citation",
    );
  });

  it("takes the links of a second identification, and says that the rest is not mapped", () => {
    const service =
      "<gmd:identificationInfo><srv:SV_ServiceIdentification><srv:containsOperations><srv:SV_OperationMetadata><srv:connectPoint><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>http://x/wms</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></srv:connectPoint></srv:SV_OperationMetadata></srv:containsOperations></srv:SV_ServiceIdentification></gmd:identificationInfo></gmd:MD_Metadata>";
    const result = mapped(iso({}).replace("</gmd:MD_Metadata>", service));
    expect(result.canonical.links).toEqual([{ url: "http://x/wms" }]);
    expect(result.remarks).toMatchObject([
      {
        rule: "more-than-one",
        severity: "info",
        xpath: "/gmd:MD_Metadata/gmd:identificationInfo[2]/srv:SV_ServiceIdentification",
      },
    ]);
  });
});
