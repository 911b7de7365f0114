import { describe } from "vitest";
import { code, iso, string, table } from "../../../tests/setup/iso-record.js";

describe("how to get it and what one may do", () => {
  const online = (inner: string) => `<gmd:CI_OnlineResource>${inner}</gmd:CI_OnlineResource>`;
  const linkage = (url: string) => `<gmd:linkage><gmd:URL>${url}</gmd:URL></gmd:linkage>`;
  const transfer = (...resources: string[]) =>
    `<gmd:MD_DigitalTransferOptions>${resources.map((resource) => `<gmd:onLine>${resource}</gmd:onLine>`).join("")}</gmd:MD_DigitalTransferOptions>`;
  const distribution = (inner: string) =>
    `<gmd:distributionInfo><gmd:MD_Distribution>${inner}</gmd:MD_Distribution></gmd:distributionInfo>`;
  const legal = (inner: string) =>
    `<gmd:resourceConstraints><gmd:MD_LegalConstraints>${inner}</gmd:MD_LegalConstraints></gmd:resourceConstraints>`;
  const restricts = (property: string, value: string) => code(property, "MD_RestrictionCode", value);
  const anchored = (address: string) =>
    `<gmd:otherConstraints><gmx:Anchor xlink:href="${address}">words</gmx:Anchor></gmd:otherConstraints>`;
  const CC = "https://creativecommons.org/licenses/by/4.0/";
  table([
    {
      name: "five transfer options, one format, no distributor",
      given: iso({
        metadata: distribution(
          `<gmd:distributionFormat><gmd:MD_Format>${string("name", "GeoTIFF")}</gmd:MD_Format></gmd:distributionFormat>` +
            [1, 2, 3, 4, 5]
              .map(
                (n) =>
                  `<gmd:transferOptions>${transfer(online(linkage(`http://x/${String(n)}`)))}</gmd:transferOptions>`,
              )
              .join(""),
        ),
      }),
      expect: {
        formats: ["GeoTIFF"],
        links: [
          { url: "http://x/1" },
          { url: "http://x/2" },
          { url: "http://x/3" },
          { url: "http://x/4" },
          { url: "http://x/5" },
        ],
      },
    },
    {
      name: "a distributor's links and format, with everything said of them; repeats once; the data set's address last",
      given: iso({
        metadata:
          "<gmd:dataSetURI><gco:CharacterString>http://x/landing</gco:CharacterString></gmd:dataSetURI>" +
          distribution(
            `<gmd:distributor><gmd:MD_Distributor><gmd:distributorFormat><gmd:MD_Format>${string("name", "CSV")}</gmd:MD_Format></gmd:distributorFormat><gmd:distributorTransferOptions>${transfer(
              online(
                linkage(" https://x/wms?request=GetCapabilities&amp;a={b} ") +
                  string("protocol", "OGC:WMS") +
                  string("name", "layer") +
                  string("description", "A map") +
                  code("function", "CI_OnLineFunctionCode", "download"),
              ),
              online(linkage("ftp://x/f.zip")),
              online(linkage("ftp://x/f.zip")),
            )}</gmd:distributorTransferOptions></gmd:MD_Distributor></gmd:distributor>`,
          ),
      }),
      expect: {
        formats: ["CSV"],
        links: [
          {
            url: "https://x/wms?request=GetCapabilities&a={b}",
            name: "layer",
            description: "A map",
            protocol: "OGC:WMS",
            function: "download",
          },
          { url: "ftp://x/f.zip" },
          { url: "http://x/landing" },
        ],
      },
    },
    {
      name: "what is no web address is no link",
      given: iso({
        metadata: distribution(
          `<gmd:transferOptions>${transfer(
            online(linkage("javascript:alert(1)")),
            online(linkage("www.example.org")),
            online(linkage("http://x/a b")),
            online(linkage("Server=s; User=u; Password=p")),
            online(linkage("")),
            online('<gmd:linkage gco:nilReason="unknown"/>'),
          )}</gmd:transferOptions>`,
        ),
      }),
      expect: {},
      remarks: ["link-unreadable", "link-unreadable", "link-unreadable", "link-unreadable"],
    },
    {
      name: "a licence written as an Anchor in a block about use",
      given: iso({ identification: legal(restricts("useConstraints", "license") + anchored(CC)) }),
      expect: { constraints: { licence: CC, access: [], use: ["license"], texts: ["words"] } },
    },
    {
      name: "a licence named inside a sentence",
      given: iso({ identification: legal(string("useLimitation", `See ${CC}.`)) }),
      expect: { constraints: { licence: CC, access: [], use: [], texts: [`See ${CC}.`] } },
    },
    {
      name: "no licence: words, an address in a sentence, INSPIRE's codes, blocks about access",
      given: iso({
        identification:
          legal(string("useLimitation", "Public domain, CC0. Ask http://example.org/ for more.")) +
          legal(restricts("accessConstraints", "otherRestrictions") + anchored(CC)) +
          legal(
            restricts("useConstraints", "otherRestrictions") +
              anchored(
                "http://inspire.ec.europa.eu/metadata-codelist/ConditionsApplyingToAccessAndUse/noConditionsApply",
              ),
          ),
      }),
      expect: {
        constraints: {
          access: ["otherRestrictions"],
          use: ["otherRestrictions"],
          texts: ["Public domain, CC0. Ask http://example.org/ for more.", "words"],
        },
      },
    },
    {
      name: "a security classification is about access",
      given: iso({
        identification: `<gmd:resourceConstraints><gmd:MD_SecurityConstraints>${code("classification", "MD_ClassificationCode", "unclassified")}</gmd:MD_SecurityConstraints></gmd:resourceConstraints>`,
      }),
      expect: { constraints: { access: ["unclassified"], use: [], texts: [] } },
    },
  ]);
});
