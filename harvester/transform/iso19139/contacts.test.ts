import { describe } from "vitest";
import { code, iso, string, table } from "../../../tests/setup/iso-record.js";

describe("who", () => {
  function party(inner: string): string {
    return `<gmd:CI_ResponsibleParty>${inner}</gmd:CI_ResponsibleParty>`;
  }
  const role = code("role", "CI_RoleCode", "owner");
  const address = (...mails: string[]) =>
    `<gmd:address><gmd:CI_Address>${mails.map((mail) => string("electronicMailAddress", mail)).join("")}</gmd:CI_Address></gmd:address>`;
  const full =
    string("individualName", "Jo Example") +
    string("organisationName", "Org") +
    string("positionName", "Chief") +
    "<gmd:contactInfo><gmd:CI_Contact><gmd:phone><gmd:CI_Telephone>" +
    string("voice", "+1 555 0100") +
    "</gmd:CI_Telephone></gmd:phone>" +
    address("None", "MAILTO:jo@example.org") +
    "<gmd:onlineResource><gmd:CI_OnlineResource><gmd:linkage><gmd:URL>https://example.org/</gmd:URL></gmd:linkage></gmd:CI_OnlineResource></gmd:onlineResource>" +
    "</gmd:CI_Contact></gmd:contactInfo>";
  table([
    {
      name: "everything of a party",
      given: iso({ metadata: `<gmd:contact>${party(full + role)}</gmd:contact>` }),
      expect: {
        contacts: [
          {
            role: "owner",
            of: "metadata",
            organisation: "Org",
            individual: "Jo Example",
            position: "Chief",
            email: "jo@example.org",
            phone: "+1 555 0100",
            url: "https://example.org/",
          },
        ],
      },
    },
    {
      name: "where each party stood",
      given: iso({
        metadata:
          `<gmd:contact>${party(string("organisationName", "M"))}</gmd:contact>` +
          `<gmd:distributionInfo><gmd:MD_Distribution><gmd:distributor><gmd:MD_Distributor><gmd:distributorContact>${party(string("organisationName", "D"))}</gmd:distributorContact></gmd:MD_Distributor></gmd:distributor></gmd:MD_Distribution></gmd:distributionInfo>`,
        citation: `<gmd:citedResponsibleParty>${party(string("organisationName", "C"))}</gmd:citedResponsibleParty>`,
        identification: `<gmd:pointOfContact>${party(string("organisationName", "R") + role)}</gmd:pointOfContact>`,
      }),
      expect: {
        contacts: [
          { of: "metadata", organisation: "M" },
          { role: "owner", of: "resource", organisation: "R" },
          { of: "citation", organisation: "C" },
          { of: "distributor", organisation: "D" },
        ],
      },
    },
    {
      name: "a nil contact is absent; a role alone names nobody",
      given: iso({
        metadata: `<gmd:contact gco:nilReason="missing"/><gmd:contact>${party(string("individualName", "") + role)}</gmd:contact>`,
      }),
      expect: {},
    },
    {
      name: "the e-mail None",
      given: iso({
        metadata: `<gmd:contact>${party(string("organisationName", "O") + `<gmd:contactInfo><gmd:CI_Contact>${address("None")}</gmd:CI_Contact></gmd:contactInfo>`)}</gmd:contact>`,
      }),
      expect: { contacts: [{ of: "metadata", organisation: "O" }] },
      remarks: ["email-unreadable"],
    },
  ]);
});
