import type { Ceiling } from "../../fair-use.js";
import type { Place } from "../../finding.js";
import { groupBy } from "../../group-by.js";
import type { Consequence } from "../consequence.js";
import { count, list, plural, valueText } from "../figures.js";
import { hostText, type HostLoad } from "../host-load.js";
import type { ReviewInput } from "../review-input.js";
import type { SourceChange } from "../source-change.js";
import { keyOf } from "../source-key.js";
import { tellAt, type ConsequenceRule } from "./consequence-rule.js";

/** What the sources of a host ask for together, and what it allows. */
export const ceilings: ConsequenceRule = (input) => [...overCeiling(input), ...movedCeilings(input)];

function overCeiling(input: ReviewInput): readonly Consequence[] {
  return [...changedHosts(input)].flatMap(([host, changes]): readonly Consequence[] => {
    const head = input.headLoads(host);
    const { ceiling } = head;
    if (ceiling === undefined || excess(head) <= Math.max(0, excess(input.baseLoads(host)))) return [];
    const biggest = changes
      .flatMap((change) => (change.kind === "removed" ? [] : [change.head]))
      .filter(({ source }) => !source.spec.suspend)
      .sort((a, b) => b.source.spec.concurrency.maxRequests - a.source.spec.concurrency.maxRequests)[0];
    const place: Place = biggest?.place(["spec", "concurrency", "maxRequests"]) ?? ceiling.place;
    return [
      tellAt(place, biggest === undefined ? undefined : keyOf(biggest), {
        id: "concurrency-over-ceiling",
        sentence: `${askers(head)} for ${count(head.inFlight)} requests in flight; ${valueText(host)} allows ${count(ceiling.maxRequests)}.`,
        remedy: "Lower concurrency.maxRequests, or agree a higher ceiling with the agency first.",
      }),
    ];
  });
}

function excess({ inFlight, ceiling }: HostLoad): number {
  return ceiling === undefined ? 0 : inFlight - ceiling.maxRequests;
}

function askers({ sources }: HostLoad): string {
  const names = list(sources.map(keyOf));
  return sources.length === 1 ? `${names} asks` : `${names} together ask`;
}

/** Hosts whose sum or ceiling may differ, with the sources that changed there. */
function changedHosts(input: ReviewInput): ReadonlyMap<string, readonly SourceChange[]> {
  const hosts = new Map<string, SourceChange[]>(input.ceilingHosts.map((host) => [host, []]));
  for (const change of input.changes) {
    if (change.kind === "unchanged" || change.kind === "removed") continue;
    const host = hostText(change.head);
    const known = hosts.get(host);
    if (known === undefined) hosts.set(host, [change]);
    else known.push(change);
  }
  return hosts;
}

/** One a line of the file of ceilings, with the hosts it is for; a host that only newcomers use is not moved. */
function movedCeilings(input: ReviewInput): readonly Consequence[] {
  const known = new Set(input.base.sources.map(hostText));
  const lines = groupBy(
    input.ceilingHosts.filter((host) => known.has(host)),
    (host) => JSON.stringify([input.baseLoads(host).ceiling, input.headLoads(host).ceiling]),
  );
  return [...lines.values()].flatMap((hosts) => movedCeiling(hosts, input));
}

function movedCeiling(hosts: readonly string[], input: ReviewInput): readonly Consequence[] {
  const loads = hosts.map((host) => input.headLoads(host));
  const before = input.baseLoads(hosts[0] ?? "").ceiling;
  const ceiling = loads[0]?.ceiling;
  const names = list(hosts.map((host) => valueText(host)));
  const verbs = hosts.length === 1 ? { have: "has", allow: "allows" } : { have: "have", allow: "allow" };
  if (ceiling !== undefined)
    return [otherCeiling({ names: `${names} ${verbs.allow}`, before, ceiling, loads })];
  if (before === undefined) return [];
  return [
    tellAt(before.place, undefined, {
      id: "ceiling-removed",
      sentence: `${names} ${verbs.have} no ceiling any more (until now ${count(before.maxRequests)}); ${askedNow(loads)}.`,
    }),
  ];
}

interface Moved {
  readonly names: string;
  readonly before: Ceiling | undefined;
  readonly ceiling: Ceiling;
  readonly loads: readonly HostLoad[];
}

function otherCeiling({ names, before, ceiling, loads }: Moved): Consequence {
  const raised = before !== undefined && ceiling.maxRequests > before.maxRequests;
  const until = before === undefined ? "without a ceiling" : count(before.maxRequests);
  return tellAt(ceiling.place, undefined, {
    id: raised ? "ceiling-raised" : "ceiling-lowered",
    sentence: `${names} ${plural(ceiling.maxRequests, "request")} in flight (until now ${until}); ${askedNow(loads)}.`,
    ...(raised ? { remedy: "Write the agency's word into agreed." } : {}),
  });
}

function askedNow(loads: readonly HostLoad[]): string {
  const sources = loads.flatMap((load) => load.sources);
  if (sources.length === 0) return "no source asks now";
  if (loads.length > 1) {
    const most = Math.max(...loads.map(({ inFlight }) => inFlight));
    return `their ${plural(sources.length, "source asks", "sources ask")} for at most ${count(most)} at one of them`;
  }
  const asked = count(loads[0]?.inFlight ?? 0);
  return `${list(sources.map(keyOf))} ${sources.length === 1 ? "asks" : "together ask"} for ${asked}`;
}
