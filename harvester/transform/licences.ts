/** Recognising the address of a licence. No licence is ever concluded from words alone. */
import { readableUrl } from "./readable.js";

/** Addresses that say something about access or rights, but grant nothing. */
const NO_LICENCE =
  /\/metadata-codelist\/(?:LimitationsOnPublicAccess|ConditionsApplyingToAccessAndUse)|^https?:\/\/(?:www\.)?rightsstatements\.org\/|^https?:\/\/purl\.org\/coar\/access_right\//i;

/** Licences that publishers name in the middle of a sentence. */
const KNOWN_LICENCE =
  /https?:\/\/(?:www\.)?(?:creativecommons\.org\/(?:licenses|publicdomain)|opendatacommons\.org\/licenses|nationalarchives\.gov\.uk\/doc\/(?:open|non-commercial)-government-licen[cs]e|etalab\.gouv\.fr\/licence|govdata\.de\/dl-de|data\.norge\.no\/nlod|spdx\.org\/licenses|opensource\.org\/licenses|usa\.gov\/government-works)[^\s<>"'),;\]]*/i;

/** The whole value when it is a web address, or a well-known licence's address inside a text. */
export function licenceIn(value: string): string | undefined {
  const whole = readableUrl(value);
  if (whole !== undefined) return NO_LICENCE.test(whole) ? undefined : whole;
  const found = KNOWN_LICENCE.exec(value)?.[0].replace(/[.:!?]+$/, "");
  return found === undefined ? undefined : readableUrl(found);
}
