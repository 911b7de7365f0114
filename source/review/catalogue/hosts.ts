import type { CatalogueEntry } from "./entry.js";

/** What the machines of agencies are asked for. */
export const hostEntries = [
  {
    id: "concurrency-over-ceiling",
    title: "A host is asked for more than it allows",
    severities: ["error"],
    told: "The change brings the requests in flight, summed over all sources of a host that are not suspended, over its ceiling, or further over it.",
    means:
      "The agency's firewall shuts us out, for every source of the host. Admission refuses the manifest too.",
    todo: "Lower `concurrency.maxRequests`, or agree a higher ceiling with the agency first and write it into `rules/fair-use.yaml`.",
  },
  {
    id: "concurrency-raised",
    title: "More requests at once",
    severities: ["info"],
    told: "`concurrency.maxRequests` rises.",
    means:
      "Runs get shorter and the host busier. The sum over the host stays under the ceiling, or another line says that it does not.",
    todo: "Nothing, if the agency knows.",
  },
  {
    id: "concurrency-lowered",
    title: "Fewer requests at once",
    severities: ["info"],
    told: "`concurrency.maxRequests` falls.",
    means: "Runs get longer; see `starvation` where that is too long.",
    todo: "Nothing.",
  },
  {
    id: "ceiling-raised",
    title: "The ceiling of a host rises",
    severities: ["warning"],
    told: "`rules/fair-use.yaml` allows more for a host than before.",
    means:
      "Nothing is asked for more by this alone, but the next change may be. It is the agency that decides how much it bears.",
    todo: "Ask for the agency's word, and write it into `agreed`.",
  },
  {
    id: "ceiling-lowered",
    title: "The ceiling of a host falls",
    severities: ["info"],
    told: "`rules/fair-use.yaml` allows less for a host than before, or allows a number where there was none.",
    means: "It holds at run time at once, over all pods; runs of the host may get longer.",
    todo: "Lower `concurrency.maxRequests` of its sources where another line says so.",
  },
  {
    id: "ceiling-removed",
    title: "A host has no ceiling any more",
    severities: ["warning"],
    told: "Neither the host nor a default stands in `rules/fair-use.yaml`, and one of them did.",
    means:
      "Nothing limits what the sources of the host ask for together, in lint, in admission or at run time.",
    todo: "Keep a default for hosts nobody knows.",
  },
  {
    id: "retry-after-ignored",
    title: "The agency's request for quiet is ignored",
    severities: ["warning"],
    told: "`concurrency.respectRetryAfter` becomes false.",
    means:
      "A server that asks for an hour of quiet is asked again after seconds. Agencies shut out who does that.",
    todo: "Leave it on. If a server asks for absurd times, talk to its operator.",
  },
  {
    id: "retry-after-respected",
    title: "The agency's request for quiet is respected",
    severities: ["info"],
    told: "`concurrency.respectRetryAfter` becomes true.",
    means: "Runs wait as long as the source asks for, also across runs.",
    todo: "Nothing.",
  },
  {
    id: "rate-limit-removed",
    title: "No limit on requests a second",
    severities: ["warning"],
    told: "`concurrency.requestsPerSecond` is taken out.",
    means: "Requests start as fast as answers come; only `maxRequests` limits them.",
    todo: "Check why it was there.",
  },
  {
    id: "rate-limit-changed",
    title: "Another number of requests a second",
    severities: ["info"],
    told: "`concurrency.requestsPerSecond` is set, raised or lowered.",
    means: "Runs get shorter or longer with it.",
    todo: "Nothing, if the agency knows.",
  },
  {
    id: "retries-harder",
    title: "A server in trouble is asked harder",
    severities: ["warning"],
    told: "`backoff` gets more attempts, shorter waits, or no jitter.",
    means:
      "Failed requests are sent again sooner, more often, or by many sources at the same moment, which keeps a server down.",
    todo: "Leave the defaults unless the agency asks for something else.",
  },
  {
    id: "retries-softer",
    title: "A server in trouble is asked less hard",
    severities: ["info"],
    told: "`backoff` gets fewer attempts, longer waits, or jitter, and nothing harder.",
    means: "Runs give up sooner, or wait longer, before the next one goes on.",
    todo: "Nothing.",
  },
] as const satisfies readonly CatalogueEntry[];
