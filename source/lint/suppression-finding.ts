import { didYouMean } from "../did-you-mean.js";
import type { Finding, Place } from "../finding.js";
import { ruleCatalogue } from "./rule-catalogue.js";

const FORM = "Write rule until YYYY-MM-DD: reason, a line for each rule.";

/** The finding about a line that does not say enough. */
export function incomplete(place: Place, missing: string): Finding {
  return {
    rule: "suppression/incomplete",
    severity: "error",
    place,
    sentence: `This lint-ignore line holds nothing back: ${missing}.`,
    remedy: FORM,
  };
}

/** The finding about a rule nobody knows. */
export function unknownRule(place: Place, id: string): Finding {
  const meant = didYouMean(
    id,
    ruleCatalogue.map((rule) => rule.id),
  );
  return {
    rule: "suppression/unknown-rule",
    severity: "warning",
    place,
    sentence: `There is no rule ${id}, so this line holds nothing back.`,
    remedy: meant === undefined ? "harvestctl rules list shows them all." : `Did you mean ${meant}?`,
  };
}

/** The finding about a rule that must not be held back. */
export function notAllowed(place: Place, id: string): Finding {
  return {
    rule: "suppression/not-allowed",
    severity: "warning",
    place,
    sentence: `${id} cannot be held back: a run or the API server would fail all the same.`,
    remedy: `Mend what it says (harvestctl rules explain ${id}), and remove this line.`,
  };
}

/** The finding about an exception that has ended. */
export function expired(place: Place, id: string, until: string): Finding {
  return {
    rule: "suppression/expired",
    severity: "warning",
    place,
    sentence: `This exception from ${id} ended on ${until}: what it held back counts again.`,
    remedy: "Mend what the rule says, or agree a new date with whoever reviews it.",
  };
}

/** The finding about an exception that is not needed. */
export function unused(place: Place, id: string): Finding {
  return {
    rule: "suppression/unused",
    severity: "warning",
    place,
    sentence: `Nothing in this source breaks ${id}, so this line holds nothing back.`,
    remedy: "Remove the line: it would hide the next mistake.",
  };
}
