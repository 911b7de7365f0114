import type { HarvestSourceStatus } from "../../source/harvest-source.generated.js";
import type { Facts } from "./facts.js";
import type { Saying } from "./vocabulary.js";

type Drift = NonNullable<HarvestSourceStatus["drift"]>;

/** How many fields the message names; status.drift has more. */
const NAMED = 3;
const MAX_VALUE = 80;

/** Is spec what was delivered? Not there when nobody knows what was, and when nobody is to be told. */
export function drifted({ input: { drift, driftUntold, delivery } }: Facts): Saying<"Drifted"> | undefined {
  if (drift !== undefined) return { status: "True", reason: "SpecChanged", message: driftSentence(drift) };
  if (delivery === undefined || driftUntold === true) return undefined;
  const revision = delivery.revision === undefined ? "" : ` (${delivery.revision})`;
  return { status: "False", reason: "AsDelivered", message: `spec is as it was delivered${revision}.` };
}

function driftSentence({ manager, time, fields = [], moreFields = 0 }: Drift): string {
  const who = manager === undefined ? "somebody" : manager;
  const when = time === undefined ? "" : ` at ${time}`;
  const named = fields.slice(0, NAMED).map(({ field, delivered, live }) => {
    return `${field}: ${valueOf(delivered)} → ${valueOf(live)}`;
  });
  const more = fields.length - named.length + moreFields;
  const rest = more > 0 ? [`and ${String(more)} more`] : [];
  return `spec was changed by ${who}${when}. ${[...named, ...rest].join("; ")}.`;
}

function valueOf(json: string | undefined): string {
  if (json === undefined) return "(absent)";
  return json.length > MAX_VALUE ? `${json.slice(0, MAX_VALUE)}…` : json;
}
