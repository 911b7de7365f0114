import { describe, expect, it } from "vitest";
import { located } from "../located.js";
import type { Observed } from "../observed.js";
import { liveSource } from "../render/inputs-for-tests.js";
import { accept, reasonOf } from "./accept.js";
import { observed } from "./scene-for-tests.js";

const now = new Date("2026-11-30T12:00:00Z");

function acceptance(given: Observed): string {
  const verdict = accept(given, { bundleName: "harvest-policy" }, now);
  return verdict.kind === "accepted" ? "accepted" : `${verdict.reason}: ${verdict.message}`;
}

const greedy = liveSource(
  { concurrency: { maxRequests: 8, respectRetryAfter: true } },
  { name: "greedy", uid: "g" },
);
const modest = liveSource(
  { concurrency: { maxRequests: 3, respectRetryAfter: true }, sets: ["water"] },
  { name: "modest", uid: "m" },
);

describe("accept", () => {
  it.each<readonly [string, Observed, string]>([
    ["an ordinary source", observed(), "accepted"],
    [
      "a policy file that the bundle lacks",
      observed(liveSource({ validation: { onFailure: "quarantine", schematron: "rules/gone.sch" } })),
      "PolicyMissingFile: There is no rule set rules/gone.sch in the policy bundle.",
    ],
    [
      "a prefix nothing can be made of",
      observed(liveSource({ metadataPrefix: "mods" })),
      "PrefixNoTransform: Nothing maps records of prefix mods to the catalogue.",
    ],
    ["a schedule that never comes", observed(liveSource({ schedule: "0 0 31 2 *" })), "ScheduleNeverRuns: "],
    [
      "a bundle that is not there",
      observed(liveSource(), { bundle: { kind: "missing", sentence: "There is no policy bundle x." } }),
      "PolicyBundleMissing: There is no policy bundle x.",
    ],
    [
      "a bundle that lies",
      observed(liveSource(), { bundle: { kind: "unusable", reason: "BundleUntrue", sentence: "It lies." } }),
      "BundleUntrue: It lies.",
    ],
    [
      "a field that admission would not have taken",
      observed(liveSource({ baseUrl: "ftp://metadata.state.example.gov/" })),
      "EndpointAddress: baseUrl must be an absolute http or https address",
    ],
    [
      "too much alone",
      observed(liveSource({ concurrency: { maxRequests: 20, respectRetryAfter: true } })),
      "FairUseOverCeiling: ",
    ],
  ])("%s", (_name, given, expected) => {
    expect(acceptance(given)).toContain(expected);
  });

  it("refuses the one source with which the sum of a host goes over its ceiling, and only that one", () => {
    const neighbours = [greedy, modest].flatMap((source) => located(source).sources);
    expect(acceptance(observed(greedy, { neighbours }))).toBe("accepted");
    expect(acceptance(observed(modest, { neighbours }))).toContain("together ask for 11 requests in flight");
  });

  it("makes a CamelCase reason of a rule", () => {
    expect(reasonOf("fair-use/over-ceiling")).toBe("FairUseOverCeiling");
  });
});
