/** What one may do with it: legal and security constraints, and a licence where one is written. */
import type { Constraints } from "../../canonical.js";
import { all } from "../../xml/tree-path.js";
import type { XmlElement } from "../../xml/tree.js";
import { capped, distinct } from "../limits.js";
import { licenceIn } from "../licences.js";
import { present } from "../present.js";
import { path } from "./names.js";
import { codes, href, texts, type Reading } from "./values.js";

const BLOCK = path("gmd:resourceConstraints/*");
const ACCESS = path("gmd:accessConstraints");
const CLASSIFICATION = path("gmd:classification");
const USE = path("gmd:useConstraints");
const OTHER = path("gmd:otherConstraints");
const LIMITATION = path("gmd:useLimitation");

/**
 * Codes and texts of all blocks. A licence is looked for where use is spoken of: use limitations, and the other
 * constraints of blocks that have use constraints. INSPIRE puts addresses into access blocks that are no licences.
 */
export function constraintsOf(identification: XmlElement, reading: Reading): Constraints {
  const { remarks } = reading;
  const blocks = capped(all(identification, BLOCK), remarks);
  const access = blocks.flatMap((block) => [...all(block, ACCESS), ...all(block, CLASSIFICATION)]);
  const use = blocks.flatMap((block) => all(block, USE));
  const prose = blocks.flatMap((block) => [...all(block, LIMITATION), ...all(block, OTHER)]);
  const licence = firstLicence(blocks.flatMap(speakOfUse), reading);
  return present({
    licence,
    access: distinct(codes(access, remarks)),
    use: distinct(codes(use, remarks)),
    texts: distinct(texts(prose, "prose", reading)),
  });
}

function speakOfUse(block: XmlElement): readonly XmlElement[] {
  const others = all(block, USE).length > 0 ? all(block, OTHER) : [];
  return [...others, ...all(block, LIMITATION)];
}

function firstLicence(properties: readonly XmlElement[], reading: Reading): string | undefined {
  for (const property of capped(properties, reading.remarks)) {
    const candidates = [href(property), ...texts([property], "prose", reading)];
    const licence = candidates.map((value) => value && licenceIn(value)).find((value) => value !== undefined);
    if (licence !== undefined && licence !== "") return licence;
  }
  return undefined;
}
