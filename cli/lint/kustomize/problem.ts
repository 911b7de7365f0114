import type { Finding, Place } from "../../../source/finding.js";

/** What keeps kustomize from building: thrown where it is met, and told as a finding of the kustomization. */
export class BuildProblem extends Error {
  readonly place: Place;

  constructor(place: Place, sentence: string) {
    super(sentence);
    this.place = place;
  }
}

/** The finding about it. */
export function buildFinding({ place, message }: BuildProblem): Finding {
  return {
    rule: "kustomize/build",
    severity: "error",
    place,
    sentence: message,
    remedy: "kubectl kustomize would fail here too: nothing of this folder would be applied.",
  };
}
