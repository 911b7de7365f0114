import type { Consequence } from "../consequence.js";
import { hostText } from "../host-load.js";
import { prefixes } from "../../prefixes.js";
import { addressText, list, valueText } from "../figures.js";
import { allCursorsNew } from "../read-again.js";
import { eachChanged, tell, tellAt, type Compared, type ConsequenceRule } from "./consequence-rule.js";
import { readingCost } from "./reading-cost.js";

/** Address and prefix: what every cursor of a source hangs on. */
export const reading: ConsequenceRule = eachChanged((compared) => [
  ...fullReharvest(compared),
  ...prefixChanged(compared),
  ...endpointMoved(compared),
  ...encryptionDropped(compared),
]);

/** A renamed source is told by its own kind. */
function fullReharvest(compared: Compared): readonly Consequence[] {
  const { before, after, store, change } = compared;
  if (change.kind === "renamed" || !allCursorsNew(before, after)) return [];
  const [field, reasons] = newCursorReasons(compared);
  const start = `${change.key}: ${list(reasons)} ${reasons.length === 1 ? "starts" : "start"} a new cursor`;
  if (before.delta.mode === "full" && after.delta.mode === "full")
    return [
      tell(compared, ["spec", field], {
        id: "full-reharvest",
        severity: "info",
        sentence: `${start}; it reads everything in each run anyway (delta.mode: full).`,
      }),
    ];
  return [
    tell(compared, ["spec", field], {
      id: "full-reharvest",
      sentence: `${start}: ${readingCost(store)}.`,
    }),
  ];
}

function newCursorReasons({ before, after }: Compared): readonly [string, readonly string[]] {
  const reasons: [string, string][] = [];
  if (before.baseUrl !== after.baseUrl)
    reasons.push(["baseUrl", `the address ${addressText(before.baseUrl)} → ${addressText(after.baseUrl)}`]);
  if (before.metadataPrefix !== after.metadataPrefix)
    reasons.push([
      "metadataPrefix",
      `metadataPrefix ${valueText(before.metadataPrefix)} → ${valueText(after.metadataPrefix)}`,
    ]);
  if (reasons.length === 0) reasons.push(["sets", "another list of sets"]);
  return [reasons[0]?.[0] ?? "sets", reasons.map(([, text]) => text)];
}

function prefixChanged(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (before.metadataPrefix === after.metadataPrefix) return [];
  const [old, now] = [valueText(before.metadataPrefix), valueText(after.metadataPrefix)];
  const sameGates = JSON.stringify(before.validation) === JSON.stringify(after.validation);
  const gates = sameGates && (after.validation.xsd ?? after.validation.schematron) !== undefined;
  return [
    tell(compared, ["spec", "metadataPrefix"], {
      id: "prefix-changed",
      sentence: `All records of ${change.key} are mapped from ${now} instead of ${old}; what only ${old} tells leaves the catalogue.`,
      ...(gates ? { remedy: `Its validation stays the same: check that it fits ${now}.` } : {}),
    }),
  ];
}

function endpointMoved(compared: Compared): readonly Consequence[] {
  const { change, after, input } = compared;
  const before = hostText(change.base);
  const host = hostText(change.head);
  if (before === host) return [];
  const { ceiling } = input.headLoads(host);
  const allowed =
    ceiling === undefined
      ? "nobody wrote down what that host allows"
      : `its ceiling is ${String(ceiling.maxRequests)} in flight`;
  const sweeps = after.deletions.policy === "auto" || after.deletions.policy === "snapshot";
  const missing = sweeps
    ? "Records it does not list leave with a later sweep, behind the removal guard."
    : `Records it does not list stay for ever (deletions.policy: ${after.deletions.policy}).`;
  return [
    tell(compared, ["spec", "baseUrl"], {
      id: "endpoint-moved",
      sentence: `${change.key} is asked at ${valueText(host)} instead of ${valueText(before)}; ${allowed}. ${missing}`,
      remedy: "Ask the agency whether the identifiers of records stay the same.",
    }),
  ];
}

function encryptionDropped(compared: Compared): readonly Consequence[] {
  const { before, after, change } = compared;
  if (!before.baseUrl.startsWith("https://") || after.baseUrl.startsWith("https://")) return [];
  return [
    tell(compared, ["spec", "baseUrl"], {
      id: "encryption-dropped",
      sentence: `${change.key} is asked without TLS from now on: its records can be read and changed on the way.`,
    }),
  ];
}

/** Of new sources and changed prefixes; a prefix without a transform that stood there before is known debt. */
export const transformMissing: ConsequenceRule = ({ changes }) =>
  changes.flatMap((change): readonly Consequence[] => {
    if (change.kind === "removed" || change.kind === "unchanged") return [];
    const { metadataPrefix } = change.head.source.spec;
    const same = change.kind === "changed" && change.base.source.spec.metadataPrefix === metadataPrefix;
    if (same || prefixes.includes(metadataPrefix)) return [];
    return [
      tellAt(change.head.place(["spec", "metadataPrefix"]), change.key, {
        id: "transform-missing",
        sentence: `${change.key} asks for ${valueText(metadataPrefix)}, which nothing maps to the catalogue: no record of it could be stored.`,
        remedy: `Known are ${list(prefixes)}.`,
      }),
    ];
  });
