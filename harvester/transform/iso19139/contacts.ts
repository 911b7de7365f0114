/** CI_ResponsibleParty, and the four places where it stands. */
import type { Contact } from "../../canonical.js";
import { all, first } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped } from "../limits.js";
import { present } from "../present.js";
import { readableEmail } from "../readable.js";
import { path } from "./names.js";
import { code, linkage, text, texts, type Reading } from "./values.js";

const ORGANISATION = path("gmd:organisationName");
const INDIVIDUAL = path("gmd:individualName");
const POSITION = path("gmd:positionName");
const ROLE = path("gmd:role");
const EMAIL = path("gmd:contactInfo/*/gmd:address/*/gmd:electronicMailAddress");
const PHONE = path("gmd:contactInfo/*/gmd:phone/*/gmd:voice");
const ONLINE = path("gmd:contactInfo/*/gmd:onlineResource/*");

const places = {
  metadata: path("gmd:contact/*"),
  resource: path("gmd:pointOfContact/*"),
  citation: path("gmd:citation/*/gmd:citedResponsibleParty/*"),
  distributor: path("gmd:distributionInfo/*/gmd:distributor/*/gmd:distributorContact/*"),
} as const;

/** All parties of the metadata, the resource, its citation and its distributors, in this order. */
export function contactsOf(
  metadata: XmlElement,
  identification: XmlElement,
  reading: Reading,
): readonly Contact[] {
  const parties = [
    ...all(metadata, places.metadata).map((party) => ({ of: "metadata" as const, party })),
    ...all(identification, places.resource).map((party) => ({ of: "resource" as const, party })),
    ...all(identification, places.citation).map((party) => ({ of: "citation" as const, party })),
    ...all(metadata, places.distributor).map((party) => ({ of: "distributor" as const, party })),
  ];
  const kept = new Set(
    capped(
      parties.map(({ party }) => party),
      reading.remarks,
    ),
  );
  return parties.flatMap(({ of, party }) => (kept.has(party) ? contactOf(of, party, reading) : []));
}

/** Nothing for a party that names nobody: a nil contact is an absent one (ISO/TS 19139 §8.4.1). */
function contactOf(of: Contact["of"], party: XmlElement, reading: Reading): readonly Contact[] {
  const known = present({
    organisation: text(first(party, ORGANISATION), "word", reading),
    individual: text(first(party, INDIVIDUAL), "word", reading),
    position: text(first(party, POSITION), "word", reading),
    email: emailOf(party, reading),
    phone: texts(all(party, PHONE), "word", reading)[0],
    url: urlOf(party, reading),
  });
  if (Object.keys(known).length === 0) return [];
  return [present({ role: code(first(party, ROLE)), of, ...known })];
}

/** The first address that is one; a remark when there are only others. */
function emailOf(party: XmlElement, reading: Reading): string | undefined {
  const elements = all(party, EMAIL);
  const written = texts(elements, "word", reading);
  const email = written.map(readableEmail).find((address) => address !== undefined);
  if (email === undefined && written[0] !== undefined) {
    reading.remarks.tell("email-unreadable", "This is not an e-mail address: it is left out.", elements[0]);
  }
  return email;
}

function urlOf(party: XmlElement, reading: Reading): string | undefined {
  for (const resource of capped(all(party, ONLINE), reading.remarks)) {
    const url = linkage(resource, reading.remarks);
    if (url !== undefined) return url;
  }
  return undefined;
}
